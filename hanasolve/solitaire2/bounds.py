"""Lower bounds on the moves that are left to a win, each with its proof.

`least_moves` adds bounds on moves of different kinds: cards going up, draws, and moves of runs
between columns. So the sum is a bound too. It is consistent: no move of cost c lowers it by more
than c.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline, lowest, popcount
from hanasolve.search.depth_first import NODE
from hanasolve.search.table import Array
from hanasolve.solitaire2 import arranged
from hanasolve.solitaire2.arranged import MERGED
from hanasolve.solitaire2.quotient import ALIKE
from hanasolve.solitaire2.kernel import (
    CARDS,
    CLOCK,
    COLUMN,
    COUNT,
    DRAW,
    NIBBLES,
    PILE,
    RETURNS,
    STOCK,
    STOCK_CARDS,
    TURNS,
    UNLIMITED,
)

PARTS_FREE: Final = arranged.AFTER
"""Whether parts of runs move only to free the card below them; see `shortest`."""
MARKING: Final = PARTS_FREE + 1
BLOCKED: Final = PARTS_FREE + 2
"""For each number of cards of a month that are up, column and number of face-down cards in it: the
set of cards that must leave those cards before they go up themselves, and which of the face-down
cards must leave the ones below them, once they are turned up."""
AFTER: Final = BLOCKED + 2 * 4 * 6 * COUNT


@inline
def place(up: int, column: int, down: int) -> int:
    """Place in the book of the two sets of `BLOCKED`."""
    return BLOCKED + 2 * ((up * 6 + column) * COUNT + down)


@inline
def cards_left(stack: Array, row: int) -> int:
    """Moves that bring a card up: each card that is not up needs one of its own."""
    at = NODE + PILE
    up = stack[row, at] | stack[row, at + 1] | stack[row, at + 2] | stack[row, at + 3]
    return int(COUNT - popcount(up))


@inline
def draws_left(book: Array, stack: Array, row: int) -> int:
    """Draws: each card of the stock is drawn at least once, at most ``draw_count`` at a time."""
    stock = popcount(stack[row, NODE + STOCK]) - (stack[row, NODE + CLOCK] & 63)
    return int((stock + book[DRAW] - 1) // book[DRAW])


@inline
def run_moves(book: Array, stack: Array, row: int) -> int:
    """Moves of runs between columns.

    A card x that cannot go up before a card y below it must first be moved off y. While y is face
    down, x leaves it as part of the face-up cards of the column. So a column needs a move for its
    face-up cards if one of them is such an x, and one more for each of its face-down cards that is
    one itself: that is then the head of the run moved. All these moves are different ones.

    *By class*, y comes before x if it is of the same pile and a lower month, or of a pile that must
    be complete before. *Any*: with u cards of the month of x up, x will be at least the next, and
    so u + 1 cards of every month before are up by then. If of one month more than 3 - u are below
    x, one of these is.
    """
    at = NODE + PILE
    up = stack[row, at] | stack[row, at + 1] | stack[row, at + 2] | stack[row, at + 3]
    # The cards of months of which at least 1, 2, 3 cards are up.
    pairs = up - (up >> 1 & 0x555555555555)
    count = (pairs & 0x333333333333) + (pairs >> 2 & 0x333333333333)
    one = ((count | count >> 1 | count >> 2) & NIBBLES) * 15
    two = ((count >> 1 | count >> 2) & NIBBLES) * 15
    three = ((count >> 2 | count & count >> 1) & NIBBLES) * 15
    moves = 0
    for column in range(6):
        word = stack[row, NODE + COLUMN + column]
        down = word >> COUNT
        if down > 0:
            at = place(0, column, down)
            step = 2 * 6 * COUNT
            blocked = (
                book[at]
                | book[at + step] & one
                | book[at + 2 * step] & two
                | book[at + 3 * step] & three
            )
            heads = (
                book[at + 1]
                | book[at + step + 1] & one
                | book[at + 2 * step + 1] & two
                | book[at + 3 * step + 1] & three
            )
            moves += popcount(heads) + (word & CARDS & blocked != 0)
    return int(moves)


@inline
def waste_moves(book: Array, stack: Array, row: int) -> int:
    """Moves from the waste to columns, or in their place a turn and the draws after it."""
    if book[RETURNS]:
        return 0
    at = NODE + PILE
    up = stack[row, at] | stack[row, at + 1] | stack[row, at + 2] | stack[row, at + 3]
    clock, places = stack[row, NODE + CLOCK], stack[row, NODE + STOCK]
    waste = clock & 63
    moves = 0
    if book[ALIKE]:
        above = 0
        left = places
        for _ in range(waste):
            above += 1 << 4 * (book[STOCK_CARDS + lowest(left)] >> 2)
            left &= left - 1
        below = 0
        most = 0
        excess = 0
        left = places
        for _ in range(waste):
            month = book[STOCK_CARDS + lowest(left)] >> 2
            left &= left - 1
            above -= 1 << 4 * month
            below += 1 << 4 * month
            count = below >> 4 * month & 15
            if count > most >> 4 * (month + 1) & 15:
                for later in range(month + 1, 12):
                    shift = 4 * later
                    if most >> shift & 15 >= count:
                        break
                    most += 1 << shift
                    over = (above >> shift & 15) + popcount(up >> shift & 15) + count - 4
                    if over > excess >> shift & 15:
                        excess += over - (excess >> shift & 15) << shift
        for month in range(12):
            moves += excess >> 4 * month & 15
    else:
        least = 0xCCCC
        left = places
        for _ in range(waste):
            card = book[STOCK_CARDS + lowest(left)]
            left &= left - 1
            month, shift = card >> 2, 4 * (card & 3)
            if month > least >> shift & 15:
                moves += shift < 8 or not book[MERGED]
            else:
                least += month - (least >> shift & 15) << shift
    if moves > 0 and (book[TURNS] == UNLIMITED or clock >> 6 < book[TURNS]):
        moves = min(moves, 1 + (moves + book[DRAW]) // book[DRAW])
    return int(moves)


@inline
def least_moves(book: Array, stack: Array, row: int) -> int:
    """Moves that every win takes at least, by the sum of the bounds above."""
    return int(
        cards_left(stack, row)
        + draws_left(book, stack, row)
        + run_moves(book, stack, row)
        + waste_moves(book, stack, row)
    )
