"""The rules of Hanafuda Solitaire #2 on a packed position: their one implementation.

*Card sets.* A card is ``label = (month - 1) * 4 + pile``, where ``pile`` is the foundation that it
belongs to under ``by_class``; a set of cards is the 48 low bits of an `int64`. A column's face-up
cards have months that fall from bottom to top, so the set alone tells their order: the head is its
highest bit, the last card its lowest, and one run laid onto another is a bitwise or.

*Packed position*, `WORDS` words: six columns (face-up cards as a set, the number of face-down cards
above bit 48), four foundation piles (sets), the stock and waste (as a set of places in the order of
drawing, which play never changes), and a clock (cards in the waste, turns so far above bit 6).

*Book.* The rules, as tables, and what a position never loses: the order of each column's cards and
of the stock. `hanasolve.solitaire2.state` writes it; the offsets are below.

*Moves* are packed as `hanasolve.solitaire2.move` says.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanasolve.jit import ITEMS, ROWS, highest, inline, int64, jit, lowest, nth_bit, popcount
from hanasolve.search.table import Array
from hanasolve.solitaire2.move import (
    COLUMN_COLUMN,
    COLUMN_UP,
    DRAW_CARDS,
    FIRST_PILE,
    PILE_COLUMN,
    TURN_WASTE,
    WASTE_COLUMN,
    WASTE_UP,
)

CARDS: Final = (1 << 48) - 1
COUNT: Final = 48
NIBBLES: Final = 0x111111111111
DECEMBERS: Final = 0xF << 44

# Words of a packed position.
COLUMN: Final = 0
PILE: Final = 6
STOCK: Final = 10
CLOCK: Final = 11
WORDS: Final = 12

# Offsets in the book: the switches as numbers and tables.
DRAW: Final = 0
TURNS: Final = 1
"""Turns of the waste in all; `UNLIMITED` for no limit."""
WHOLE: Final = 2
ORDER: Final = 3
NAMED: Final = 4
"""Whether it matters which of several piles a card goes to."""
RETURNS: Final = 5
STARTERS: Final = 6
"""The cards that may start an empty column."""
MULTIPLES: Final = 7
"""Bit p for each multiple p of the number of cards drawn at a time, 0 included."""
TAKES: Final = 8
"""For each pile, the cards that it is for."""
CHILDREN: Final = 12
"""For each card, the cards that may lie on it."""
STOCK_SIZE: Final = 60
STOCK_CARDS: Final = 61
"""The cards of waste and stock in the order of drawing."""
COLUMN_CARDS: Final = 112
"""For each column, 48 places for its face-down cards and the head upon them."""
SEARCH: Final = 400
"""From here on the book belongs to the search (see `arranged` and `quotient`)."""

UNLIMITED: Final = -1
NO_ORDER: Final = 0
COMPLETION: Final = 1
SEQUENTIAL: Final = 2

MOST_MOVES: Final = 512
"""More than any position has: at most 48 suffixes to 5 other columns, 7 last cards to 4 piles, a
waste card and 4 returning ones to 6 columns, and a draw or turn."""


@inline
def waste_count(position: Array, row: int) -> int:
    """Cards in the waste."""
    return int(position[row, CLOCK] & 63)


@inline
def stock_card(book: Array, places: int, n: int) -> int:
    """Card at the n-th remaining place of the drawing order, counted from 1."""
    return int(book[STOCK_CARDS + nth_bit(places, n)])


@inline
def pile_heights(position: Array, row: int, at: int) -> int:
    """Heights of the four piles of ``position[row, at:]``, four bits each."""
    heights = 0
    for pile in range(4):
        heights |= popcount(position[row, at + PILE + pile]) << 4 * pile
    return int(heights)


@inline
def accepted(book: Array, heights: int, pile: int) -> int:
    """Cards that a pile takes now: those of its next month that it is for, if its turn has come."""
    height = heights >> 4 * pile & 15
    if height == 12:
        return 0
    order = book[ORDER]
    if (order == COMPLETION and height == 11) or (order == SEQUENTIAL and height == 0):
        for before in range(pile):
            if heights >> 4 * before & 15 != 12:
                return 0
    return int(book[TAKES + pile] & 15 << 4 * height)


@inline
def is_won(position: Array, row: int, at: int) -> bool:
    """Whether all 48 cards are up."""
    return bool(
        position[row, at + PILE]
        | position[row, at + PILE + 1]
        | position[row, at + PILE + 2]
        | position[row, at + PILE + 3]
        == CARDS
    )


@inline
def ups(book: Array, heights: int, card: int, stem: int, out: Array, n: int) -> int:
    """Write the ways in which a card that can be played goes up; ``stem`` is the rest of the move.

    One move to the lowest-numbered pile, and where it matters one more for each further pile.
    """
    first = True
    for pile in range(4):
        if accepted(book, heights, pile) >> card & 1:
            if first:
                out[n] = stem | FIRST_PILE << 8
                n += 1
                first = False
            elif book[NAMED]:
                out[n] = stem | pile << 8
                n += 1
    return n


@inline
def landings(
    book: Array, position: Array, row: int, at: int, cards: int, stem: int, out: Array, n: int
) -> int:
    """Write the ways in which a run (a set of cards) can be laid on a column."""
    head = highest(cards)
    for column in range(6):
        word = position[row, at + COLUMN + column]
        onto = word & CARDS
        if onto == 0:
            fits = word == 0 and book[STARTERS] >> head & 1
        else:
            fits = onto & cards == 0 and book[CHILDREN + lowest(onto)] >> head & 1
        if fits:
            out[n] = stem | column << 8
            n += 1
    return n


@inline
def suffix(cards: int, count: int) -> int:
    """Last ``count`` cards of a run."""
    rest = cards
    for _ in range(count):
        rest &= rest - 1
    return cards ^ rest


@inline
def run_moves(
    book: Array, position: Array, row: int, at: int, column: int, out: Array, n: int
) -> int:
    """Write the moves of a column's face-up cards, or parts of them, to other columns."""
    run = position[row, at + COLUMN + column] & CARDS
    size = popcount(run)
    count = size if book[WHOLE] else 1
    while run != 0 and count <= size:
        stem = COLUMN_COLUMN | column << 4 | count << 12
        n = landings(book, position, row, at, suffix(run, count), stem, out, n)
        count += 1
    return n


@inline
def returns(book: Array, position: Array, row: int, at: int, out: Array, n: int) -> int:
    """Write the moves of cards that come back from the piles."""
    if book[RETURNS]:
        for pile in range(4):
            if position[row, at + PILE + pile] != 0:
                card = 1 << highest(position[row, at + PILE + pile])
                stem = PILE_COLUMN | pile << 4
                n = landings(book, position, row, at, card, stem, out, n)
    return n


@inline
def legal(book: Array, position: Array, row: int, out: Array) -> int:
    """Write all legal moves of ``position[row]``; gives their number, 0 for a won position."""
    if is_won(position, row, 0):
        return 0
    places = position[row, STOCK]
    waste = waste_count(position, row)
    n = 0
    if waste < popcount(places):
        out[n] = DRAW_CARDS
        n += 1
    elif waste > 0 and (book[TURNS] == UNLIMITED or position[row, CLOCK] >> 6 < book[TURNS]):
        out[n] = TURN_WASTE
        n += 1
    heights = pile_heights(position, row, 0)
    if waste > 0:
        card = stock_card(book, places, waste)
        n = ups(book, heights, card, WASTE_UP, out, n)
        n = landings(book, position, row, 0, 1 << card, WASTE_COLUMN, out, n)
    for column in range(6):
        run = position[row, COLUMN + column] & CARDS
        if run != 0:
            n = ups(book, heights, lowest(run), COLUMN_UP | column << 4, out, n)
            n = run_moves(book, position, row, 0, column, out, n)
    return returns(book, position, row, 0, out, n)


@inline
def turn_up(book: Array, position: Array, row: int, at: int, column: int) -> None:
    """Turn up the last card of a column whose face-up cards are gone."""
    word = position[row, at + COLUMN + column]
    if word != 0 and word & CARDS == 0:
        down = (word >> COUNT) - 1
        card = book[COLUMN_CARDS + COUNT * column + down]
        position[row, at + COLUMN + column] = down << COUNT | 1 << card


@inline
def put_up(book: Array, position: Array, row: int, at: int, card: int, target: int) -> None:
    """Lay a card on a pile, or on the first one that takes it."""
    pile = target
    if target == FIRST_PILE:
        pile = 0
        heights = pile_heights(position, row, at)
        while not accepted(book, heights, pile) >> card & 1:
            pile += 1
    position[row, at + PILE + pile] |= 1 << card


@inline
def play(book: Array, position: Array, row: int, at: int, move: int) -> None:
    """Change ``position[row, at:]`` by a legal move."""
    kind = move & 15
    source = move >> 4 & 15
    target = move >> 8 & 15
    clock = position[row, at + CLOCK]
    waste = clock & 63
    if kind == DRAW_CARDS:
        drawn = min(book[DRAW], popcount(position[row, at + STOCK]) - waste)
        position[row, at + CLOCK] = clock + drawn
    elif kind == TURN_WASTE:
        position[row, at + CLOCK] = clock - waste + 64
    elif kind in (WASTE_UP, WASTE_COLUMN):
        place = nth_bit(position[row, at + STOCK], waste)
        card = book[STOCK_CARDS + place]
        position[row, at + STOCK] ^= 1 << place
        position[row, at + CLOCK] = clock - 1
        if kind == WASTE_UP:
            put_up(book, position, row, at, card, target)
        else:
            position[row, at + COLUMN + target] |= 1 << card
    elif kind == PILE_COLUMN:
        card = highest(position[row, at + PILE + source])
        position[row, at + PILE + source] ^= 1 << card
        position[row, at + COLUMN + target] |= 1 << card
    else:
        run = position[row, at + COLUMN + source] & CARDS
        if kind == COLUMN_UP:
            card = lowest(run)
            position[row, at + COLUMN + source] ^= 1 << card
            put_up(book, position, row, at, card, target)
        else:
            moved = suffix(run, move >> 12 & 15)
            position[row, at + COLUMN + source] ^= moved
            position[row, at + COLUMN + target] |= moved
        turn_up(book, position, row, at, source)


@jit(int64(ITEMS, ROWS, ITEMS))
def legal_moves(book: Array, position: Array, out: Array) -> int:
    """Write the packed legal moves of ``position[0]`` into ``out``; gives their number."""
    return int(legal(book, position, 0, out))


@jit(int64(ITEMS, ROWS, int64))
def apply(book: Array, position: Array, move: int) -> int:
    """Change ``position[0]`` by a legal packed move."""
    play(book, position, 0, 0, move)
    return 0


@jit(int64(ITEMS, ROWS, int64))
def takes(book: Array, position: Array, pile: int) -> int:
    """Set of the cards that a pile takes in ``position[0]``."""
    return int(accepted(book, pile_heights(position, 0, 0), pile))


@jit(int64(ITEMS, ROWS, int64), allocates=True)
def perft(book: Array, position: Array, depth: int) -> int:
    """Count the sequences of exactly ``depth`` legal moves from ``position[0]``."""
    if depth == 0:
        return 1
    line = np.empty((depth, WORDS), np.int64)
    moves = np.empty((depth, MOST_MOVES), np.int64)
    left = np.zeros(depth, np.int64)
    line[0] = position[0]
    left[0] = legal(book, line, 0, moves[0])
    level = 0
    count = 0
    while level >= 0:
        if level == depth - 1:
            count += left[level]
            level -= 1
        elif left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            line[level + 1] = line[level]
            play(book, line, level + 1, 0, moves[level, left[level]])
            level += 1
            left[level] = legal(book, line, level, moves[level])
    return count
