"""What a search must know besides the packed position: cards to come, and who owns the yaku.

*Yaku.* Four bits each: 0 nobody has a card of it yet, 1 + seat the only one who has, `SETTLED` when
nobody can complete it any more, or somebody has. Which cards have been captured follows from those
that are not.

*Key.* The hands, the table and the time; the owners of the yaku, and with ``per_player`` who is
paid already. It is exact: all that can follow, and what it gains, depends on nothing else. (What
is still to be drawn follows from the time.)

All points are counted in units of 5.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import highest, inline, lowest, popcount
from hanasolve.search.table import Array
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k

# Words of a search row, after the packed position.
COMING: Final = k.WORDS
"""Cards of the mountain that are still to be drawn."""
YAKU: Final = k.WORDS + 1
PAID: Final = k.WORDS + 2
"""With ``per_player``, the seats that hold a yaku."""
WORDS: Final = k.WORDS + 3

SETTLED: Final = 15
TIME_AT: Final = 48
PAID_AT: Final = 55
YAKU_AT: Final = 48
HANDS_EMPTY: Final = 64
"""With the cards drawn, the time in the key once the hands are empty; before, the cards held."""

DULL_CARD: Final = 62
"""Stands for any card of a dull month."""


@inline
def move_on(book: Array, row: Array, r: int, move: int) -> int:
    """Make a move in a row; gives what it captures."""
    draw = k.next_draw(book, row, r)
    k.play(book, row, r, move)
    if draw != k.NO_CARD:
        row[r, COMING] &= ~(1 << draw)
    return int(row[r, k.BY_PLAY] | row[r, k.BY_DRAW])


@inline
def left(row: Array, r: int) -> int:
    """Give the cards that can still be captured."""
    return int(row[r, k.HELD] | row[r, k.TABLE] | row[r, COMING])


@inline
def claim(book: Array, row: Array, r: int, seat: int, captured: int) -> int:
    """Take note of what a seat has captured; gives how often it is paid for yaku."""
    payments = 0
    for number in range(4):
        cards = book[b.YAKU + number]
        owner = row[r, YAKU] >> 4 * number & 15
        if owner == SETTLED or captured & cards == 0:
            continue
        if owner in (0, 1 + seat):
            owner = 1 + seat
            if cards & left(row, r) == 0:
                owner = SETTLED
                payments += not row[r, PAID] >> seat & 1
                if book[b.ONCE]:
                    row[r, PAID] |= 1 << seat
        else:
            owner = SETTLED
        row[r, YAKU] = row[r, YAKU] & ~(15 << 4 * number) | owner << 4 * number
    return payments


@inline
def points(book: Array, cards: int) -> int:
    """Add up what cards are worth."""
    total = 0
    while cards != 0:
        total += book[b.POINTS + lowest(cards)]
        cards &= cards - 1
    return int(total)


@inline
def write_key(row: Array, r: int, at: int, held: int, table: int) -> None:
    """Write the key of a position, with what matters of hands and table."""
    count = popcount(row[r, k.HELD])
    time = count if count else HANDS_EMPTY + (row[r, k.META] >> k.DRAWN_SHIFT)
    row[r, at] = held | time << TIME_AT | row[r, PAID] << PAID_AT
    row[r, at + 1] = table | row[r, YAKU] << YAKU_AT


@inline
def merged(
    book: Array, row: Array, r: int, moves: Array, start: int, end: int, dull: int, apart: int
) -> int:
    """Keep the first of the moves that play the same part; gives their end.

    Exchanging the names of two cards of a month that are worth nothing, and lie in one hand or on
    the table, turns what follows the one into what follows the other, ties included: no other card
    stands between them in the order of ids. Of cards in ``dull`` months any stands for all, but for
    cards of a hand between which a card of ``apart`` stands.
    """
    if not book[b.MERGES]:
        return end
    n = start
    for i in range(start, end):
        part = part_of(book, row, r, moves[i], dull, apart)
        j = start
        while j < n and part_of(book, row, r, moves[j], dull, apart) != part:
            j += 1
        if j == n:
            moves[n] = moves[i]
            n += 1
    return n


@inline
def part_of(book: Array, row: Array, r: int, move: int, dull: int, apart: int) -> int:
    """Give the part that a move plays: the same for moves that are merged."""
    card = move & 63
    part = card
    if card != k.NO_CARD:
        part = book[b.ALIKE + card]
        if dull >> card & 1:
            below = apart & ((1 << card) - 1)
            first = highest(below) + 1 if below else 0
            part = lowest(k.playable(book, row, r) & dull & ~((1 << first) - 1))
    for shift in (6, 12):
        card = move >> shift & 63
        if card != k.NO_CARD:
            card = DULL_CARD if dull >> card & 1 else book[b.ALIKE + card]
        part |= card << shift
    return int(part)
