"""The rules of Hanafuda by Tamaki on a packed position: their one implementation.

*Packed position*, the words of a row: the cards in all hands (whose each is, the book tells), the
table, and `META`: the seat to move, the cards drawn from the mountain, and what the last turn
captured is in two words of its own. What has been captured before is for others to remember: the
rules of play do not ask for it.

*Moves* are whole turns, packed as in `hanasolve.tamaki.move`. They are written in the order in
which the rules break ties: by the card played, the card that it takes, the card that the drawn one
takes, no capture last.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest, popcount
from hanasolve.search import maxn, minimax
from hanasolve.search.table import Array
from hanasolve.tamaki import move as moves

NODE: Final = max(minimax.NODE, maxn.NODE)
# Words of a packed position; before them a row has those of a search engine.
HELD: Final = NODE
TABLE: Final = NODE + 1
META: Final = NODE + 2
BY_PLAY: Final = NODE + 3
BY_DRAW: Final = NODE + 4
"""What the last turn captured, the capturing cards included."""
WORDS: Final = NODE + 5

# META
SEAT: Final = 7
DRAWN_SHIFT: Final = 3

# The book: the switches and what does not change in a round.
PLAYERS: Final = 0
PLAYS_OUT: Final = 1
"""Whether the mountain is drawn to its end after the hands."""
OPTIONAL: Final = 2
"""Whether one may leave what could be captured."""
SIZE: Final = 3
"""Cards in the mountain."""
HAND: Final = 4
"""For each seat the cards that it began with."""
MOUNTAIN: Final = HAND + 7
AFTER: Final = MOUNTAIN + 48

NO_CARD: Final = moves.NO_CARD
MOST_CHOICES: Final = 1_024
"""More than any position has: up to 48 cards to play, with up to three captures and three again."""


@inline
def month_of(card: int) -> int:
    """Give all cards of the month of a card."""
    return 15 << (card & ~3)


@inline
def months_of(cards: int) -> int:
    """Give all cards of the months of some cards."""
    low = (cards | cards >> 1 | cards >> 2 | cards >> 3) & 0x111111111111
    return int(low * 15)


@inline
def seat_of(row: Array, r: int) -> int:
    """Give the seat to move."""
    return int(row[r, META] & SEAT)


@inline
def next_draw(book: Array, row: Array, r: int) -> int:
    """Give the card that comes up next; `NO_CARD` when the mountain is empty."""
    drawn = row[r, META] >> DRAWN_SHIFT
    return int(book[MOUNTAIN + drawn]) if drawn < book[SIZE] else NO_CARD


@inline
def playable(book: Array, row: Array, r: int) -> int:
    """Give the hand of the seat to move."""
    return int(row[r, HELD] & book[HAND + seat_of(row, r)])


@inline
def is_over(book: Array, row: Array, r: int) -> bool:
    """Whether the round is over."""
    if row[r, HELD] != 0:
        return False
    return bool(book[PLAYS_OUT] == 0 or row[r, META] >> DRAWN_SHIFT >= book[SIZE])


@inline
def landed(table: int, card: int, take: int) -> int:
    """Give what a card captures with itself, which table card it takes being known."""
    if take == NO_CARD:
        return 0
    matches = table & month_of(card)
    if popcount(matches) == 3:
        return int(matches | 1 << card)
    return 1 << take | 1 << card


@inline
def after_landing(table: int, card: int, captured: int) -> int:
    """Give the table after a card has landed."""
    return table & ~captured if captured != 0 else table | 1 << card


@inline
def landings(book: Array, table: int, card: int, out: Array, n: int, head: int, shift: int) -> int:
    """Write what a card can take, each as a move with a given head."""
    matches = table & month_of(card)
    if matches == 0 or (popcount(matches) == 3):
        out[n] = head | (lowest(matches) if matches else NO_CARD) << shift
        n += 1
    else:
        while matches != 0:
            out[n] = head | lowest(matches) << shift
            n += 1
            matches &= matches - 1
    if book[OPTIONAL] and out[n - 1] >> shift & 63 != NO_CARD:
        out[n] = head | NO_CARD << shift
        n += 1
    return n


@inline
def with_draw(book: Array, row: Array, r: int, head: int, out: Array, n: int) -> int:
    """Write the ways to end a turn whose hand card has been dealt with in the head of the move."""
    draw = next_draw(book, row, r)
    if draw == NO_CARD:
        out[n] = head | NO_CARD << 12
        return n + 1
    table = row[r, TABLE]
    card, take = head & 63, head >> 6 & 63
    if card != NO_CARD:
        table = after_landing(table, card, landed(table, card, take))
    return landings(book, table, draw, out, n, head, 12)


@inline
def choices(book: Array, row: Array, r: int, out: Array, n: int) -> int:
    """Write the moves of the seat to move; none when the round is over."""
    hand = playable(book, row, r)
    if hand == 0:
        if is_over(book, row, r):
            return n
        return with_draw(book, row, r, NO_CARD | NO_CARD << 6, out, n)
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        # The captures of the card are written where the moves begin that need them.
        start = n
        n = landings(book, row[r, TABLE], card, out, n, card, 6)
        count = n - start
        first, second = out[start], out[start + 1] if count > 1 else 0
        third = out[start + 2] if count > 2 else 0
        n = with_draw(book, row, r, first, out, start)
        if count > 1:
            n = with_draw(book, row, r, second, out, n)
        if count > 2:
            n = with_draw(book, row, r, third, out, n)
    return n


@inline
def play(book: Array, row: Array, r: int, move: int) -> None:
    """Make a move."""
    table = row[r, TABLE]
    card = move & 63
    row[r, BY_PLAY] = row[r, BY_DRAW] = 0
    if card != NO_CARD:
        row[r, HELD] &= ~(1 << card)
        row[r, BY_PLAY] = landed(table, card, move >> 6 & 63)
        table = after_landing(table, card, row[r, BY_PLAY])
    draw = next_draw(book, row, r)
    if draw != NO_CARD:
        row[r, BY_DRAW] = landed(table, draw, move >> 12 & 63)
        table = after_landing(table, draw, row[r, BY_DRAW])
        row[r, META] += 1 << DRAWN_SHIFT
    row[r, TABLE] = table
    seat = row[r, META] & SEAT
    row[r, META] += 1 if seat + 1 < book[PLAYERS] else -seat


@jit(int64(ITEMS, ROWS, ITEMS))
def legal(book: Array, row: Array, out: Array) -> int:
    """Write the moves of ``row[0]``; gives their number."""
    return int(choices(book, row, 0, out, 0))


@jit(int64(ITEMS, ROWS, int64))
def apply(book: Array, row: Array, move: int) -> int:
    """Change ``row[0]`` by a move."""
    play(book, row, 0, move)
    return 0


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, int64))
def perft(book: Array, rows: Array, out: Array, ends: Array, depth: int) -> int:
    """Count the sequences of ``depth`` moves from ``rows[0]``; ``ends`` has two words a level."""
    if depth == 0:
        return 1
    total, level = 0, 0
    ends[0], ends[1] = 0, choices(book, rows, 0, out, 0)
    while level >= 0:
        at, end = ends[2 * level], ends[2 * level + 1]
        if level == depth - 1 or at == end:
            total += end - at if level == depth - 1 else 0
            level -= 1
            continue
        ends[2 * level] = at + 1
        for word in range(HELD, WORDS):
            rows[level + 1, word] = rows[level, word]
        play(book, rows, level + 1, out[at])
        level += 1
        ends[2 * level] = end
        ends[2 * level + 1] = choices(book, rows, level, out, end)
    return total
