"""Lower bounds on what is left to a win, each with its proof.

The bounds are on moves of different kinds: cards going up, draws, moves of runs between columns,
and moves from the waste to columns (or what a turn costs in their place). So their sum,
`least_cost`, is a bound too: it is admissible. It is not claimed to be consistent.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline, lowest, popcount
from hanasolve.search.depth_first import NODE
from hanasolve.search.table import Array
from hanasolve.solitaire2 import arranged
from hanasolve.solitaire2.arranged import MERGED
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
from hanasolve.solitaire2.quotient import ALIKE, LOW_PAIRS, PAIRS

PARTS_FREE: Final = arranged.AFTER
"""Whether parts of runs move only to free the card below them; see `counted`."""
DRAW_COST: Final = PARTS_FREE + 1
"""What a draw or a turn costs: 1, or 0 where card moves alone are counted."""
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
def cards_up(stack: Array, row: int) -> int:
    """Set of the cards on the piles."""
    at = NODE + PILE
    return int(stack[row, at] | stack[row, at + 1] | stack[row, at + 2] | stack[row, at + 3])


@inline
def of_each_month(cards: int) -> int:
    """Count the cards of each month, four bits each."""
    pairs = cards - (cards >> 1 & PAIRS)
    return (pairs & LOW_PAIRS) + (pairs >> 2 & LOW_PAIRS)


@inline
def cards_left(stack: Array, row: int) -> int:
    """Moves that bring a card up: each card that is not up needs one of its own."""
    return COUNT - popcount(cards_up(stack, row))


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
    # The cards of months of which at least 1, 2, 3 cards are up.
    count = of_each_month(cards_up(stack, row))
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
    """Moves from the waste to columns, or what a turn and the draws after it cost in their place.

    As long as the waste is not turned, a card y of it is covered by those above it until they have
    gone up or to a column.

    *By class*, each x above a y of the same pile and a lower month cannot go up before y, so it
    goes to a column.

    *Any*. Cut the waste below some card, and look at the time when the first card below the cut
    leaves. Let n cards of month r lie above the cut, u be up, and b cards of a month before r lie
    below. By then at most 4 - b cards of that month are up, and so at most as many of month r: at
    least n + u + b - 4 of the n went to columns. Over months r these are different cards; each
    month may have its own cut.

    *With a turn*. If only w - k of the w moves so counted are made before the first turn, then k
    cards of those above and at least one below are still in the waste, and are drawn again: at
    least 1 + ceil((k + 1) / d) moves, d being the number of cards drawn at a time. In all that is
    least for k = 0 or k = w.

    With ``foundation_return`` cards may come back from the piles, and nothing is claimed.
    """
    if book[RETURNS]:
        return 0
    clock = stack[row, NODE + CLOCK]
    if book[ALIKE]:
        moves = waste_moves_any(book, stack, row)
    else:
        moves = waste_moves_by_class(book, stack, row)
    if moves > 0 and (book[TURNS] == UNLIMITED or clock >> 6 < book[TURNS]):
        moves = min(moves, book[DRAW_COST] * (1 + (moves + book[DRAW]) // book[DRAW]))
    return int(moves)


@inline
def waste_moves_any(book: Array, stack: Array, row: int) -> int:
    """Count as in `waste_moves` where all cards of a month are alike; months are four bits each."""
    up = of_each_month(cards_up(stack, row))
    places = stack[row, NODE + STOCK]
    waste = stack[row, NODE + CLOCK] & 63
    above = 0
    left = places
    for _ in range(waste):
        above += 1 << 4 * (book[STOCK_CARDS + lowest(left)] >> 2)
        left &= left - 1
    # Is there for some b a month with b cards, and a later one with 5 - b in the waste or up?
    later_or_up = above + up
    possible = False
    for count in range(1, 5):
        earlier = above + (8 - count) * NIBBLES & 8 * NIBBLES
        enough = later_or_up + (3 + count) * NIBBLES & 8 * NIBBLES
        possible |= earlier != 0 and enough & ~(earlier & -earlier) > earlier & -earlier
    if not possible:
        return 0
    # Raise the cut card by card: `most` is for each month the largest count of one before it.
    below, most, excess = 0, 0, 0
    left = places
    for _ in range(waste):
        month = book[STOCK_CARDS + lowest(left)] >> 2
        left &= left - 1
        above -= 1 << 4 * month
        below += 1 << 4 * month
        count = below >> 4 * month & 15
        for later in range(month + 1, 12):
            shift = 4 * later
            if most >> shift & 15 >= count:
                break
            most += 1 << shift
            over = (above >> shift & 15) + (up >> shift & 15) + count - 4
            known = excess >> shift & 15
            if over > known:
                excess += over - known << shift
    moves = 0
    for month in range(12):
        moves += excess >> 4 * month & 15
    return int(moves)


@inline
def waste_moves_by_class(book: Array, stack: Array, row: int) -> int:
    """Count as in `waste_moves` where each pile has its own cards; alike piles are left out."""
    left = stack[row, NODE + STOCK]
    least = 0xCCCC
    moves = 0
    for _ in range(stack[row, NODE + CLOCK] & 63):
        card = book[STOCK_CARDS + lowest(left)]
        left &= left - 1
        month, shift = card >> 2, 4 * (card & 3)
        before = least >> shift & 15
        if month > before:
            moves += shift < 8 or not book[MERGED]
        else:
            least += month - before << shift
    return int(moves)


@inline
def least_cost(book: Array, stack: Array, row: int, enough: int) -> int:
    """Cost of every win at least, by the sum of the bounds above.

    When some of them exceed ``enough``, the others are left out.
    """
    cost = cards_left(stack, row) + book[DRAW_COST] * draws_left(book, stack, row)
    if cost <= enough:
        cost += run_moves(book, stack, row)
        if cost <= enough:
            cost += waste_moves(book, stack, row)
    return int(cost)
