"""Search without the arrangement of the face-up cards, for games in which parts of runs move.

*Where it is exact.* ``run_moves=any_suffix``, ``tableau_step=consecutive``, ``empty_column`` not
``any``, no ``foundation_return``. Call the cards of one month (with ``alternate``: of one month and
kind) a *group*; what one card of a group may be laid on, every card of it may. Face-up cards are
*heads* (the turned-up card over the face-down ones of a column, or over nothing), or lie on a card
of the one group that carries theirs; a December that is no head started an empty column. So with
the face-down cards, the stock and the foundations given, everything is known but which card of a
group lies on which of the other.

*Claim.* Two positions that differ in that alone can be won or lost together. *Proof.* Every move is
one of the following, and whether it is legal, after moves within groups, depends on counts alone,
so what one position can do the other can, leading again to such a pair (a bisimulation):

- A card goes up. It must be free. If any card y of its group is free, the run on it can be moved
  to y (y is not in that run, whose months are lower); if none is, it is covered and stays so.
- A head goes with its run onto a card of the group that carries it, if one is free, or a December
  head to an empty column; the card below is turned up.
- A waste card goes up, or onto a card of the group that carries it, if one is free, or to an empty
  column.
- A run that lies on a card goes to another of the same group: the same position here.

*No cycles.* Every move brings a card up, takes a head from the cards below it, or takes a card
from the stock, and none of these is undone. So an entry of the table that was searched to its end
is lost whatever became of the search (`depth_first.settle` asks for this).

*Where it is a relaxation.* ``run_moves=whole`` allows a part of these moves. So what cannot be won
here cannot be won there, and `arranged` asks for it.

A position: the set of face-up cards; that of heads; how many of its own cards each column has left,
head and face-down ones, in a few bits each, above them the heights of the piles, four bits each;
the places of the stock; the clock. (A December head over nothing counts as one that started an
empty column.)
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, highest, inline, int64, jit, lowest, popcount
from hanasolve.search.depth_first import CONTROL_SIZE, NODE, WON_NODE, begin, run
from hanasolve.search.keys import clear, put
from hanasolve.search.table import OPEN, Array
from hanasolve.solitaire2.dominance import SAFETY, safe, safe_from_stock
from hanasolve.solitaire2.kernel import (
    CARDS,
    CLOCK,
    COLUMN,
    COLUMN_CARDS,
    COUNT,
    DECEMBERS,
    NAMED,
    NIBBLES,
    NO_ORDER,
    ORDER,
    STARTERS,
    STOCK,
    STOCK_CARDS,
    TURNS,
    UNLIMITED,
    accepted,
    pile_heights,
)
from hanasolve.solitaire2.stock import (
    least_waste,
    place_of,
    reachable,
    turns_left,
    turns_needed,
)

# A position in a stack row.
FACE_UP: Final = NODE
HEADS: Final = NODE + 1
PROGRESS: Final = NODE + 2
"""The columns' own cards, and from the bit `HEIGHTS_SHIFT` on the heights of the piles."""
PLACES: Final = NODE + 3
TIME: Final = NODE + 4
KEY: Final = NODE + 5

# Moves: kind | card, or place's bit in the stock << 4 | pile << 10 | place << 16.
UP: Final = 0
OFF: Final = 1
"""A head goes from the cards below it."""
STOCK_UP: Final = 2
STOCK_DOWN: Final = 3
WIDEST: Final = 256
"""More than any position has: 48 cards go up to at most 2 piles each or down, and 6 heads leave."""

# Places in the book.
ALTERNATE: Final = SAFETY + 1
ALIKE: Final = SAFETY + 2
"""Whether any card of a month goes onto any pile."""
HEIGHTS_SHIFT: Final = SAFETY + 3
OWN_SHIFT: Final = SAFETY + 4
OWN_MASK: Final = OWN_SHIFT + 6
COLUMN_OF: Final = OWN_MASK + 6
"""For each card that a column began with, its column."""
FORMAT: Final = COLUMN_OF + COUNT
"""Word and shift of each field of the key: stock, waste, turns left, progress, and for piles
whose heights do not tell the kinds upon them the face-up cards."""
FIELDS: Final = 5
AFTER: Final = FORMAT + 2 * FIELDS

ALL_UP: Final = 0xCCCC
PAIRS: Final = 0x555555555555
LOW_PAIRS: Final = 0x333333333333
SEVENS: Final = 0x777777777777


@inline
def exchange_kinds(cards: int) -> int:
    """Exchange the point and the non-point pair of every month."""
    return (cards & LOW_PAIRS) << 2 | cards >> 2 & LOW_PAIRS


@inline
def free_groups(book: Array, face_up: int, heads: int) -> int:
    """All cards of the groups that have a free card: more face-up cards than cards laid on them."""
    laid = face_up & ~heads & ~DECEMBERS
    if book[ALTERNATE]:
        on = exchange_kinds(laid) << 4
        any_up, both_up = (face_up | face_up >> 1) & PAIRS, face_up & face_up >> 1 & PAIRS
        any_on, both_on = (on | on >> 1) & PAIRS, on & on >> 1 & PAIRS
        free = any_up & ~any_on | both_up & ~both_on
        return free | free << 1
    # Four-bit counts of both sets; there are never more cards laid on a month than it has.
    pairs = face_up - (face_up >> 1 & PAIRS)
    count = (pairs & LOW_PAIRS) + (pairs >> 2 & LOW_PAIRS)
    pairs = laid - (laid >> 1 & PAIRS)
    count -= (pairs & LOW_PAIRS) + (pairs >> 2 & LOW_PAIRS) << 4
    return (count + SEVENS >> 3 & NIBBLES) * 15


@inline
def own_card(book: Array, column: int, n: int) -> int:
    """The n-th of a column's own cards from the bottom, counted from 1."""
    return int(book[COLUMN_CARDS + COUNT * column + n - 1])


@inline
def empty_columns(book: Array, face_up: int, heads: int) -> int:
    """Columns that a December may start: those without a head, less those that one has started."""
    if book[STARTERS] == 0:
        return 0
    return int(6 - popcount(heads) - popcount(face_up & ~heads & DECEMBERS))


@inline
def one_of_each(book: Array, cards: int) -> int:
    """Leave out cards that are like another one of the set."""
    if not book[ALIKE]:
        return cards
    if book[ALTERNATE]:
        return cards & ~((cards & PAIRS) << 1)
    lower = (cards & SEVENS) << 1 | (cards & LOW_PAIRS) << 2 | (cards & NIBBLES) << 3
    return cards & ~lower


@inline
def write_ups(book: Array, heights: int, card: int, stem: int, out: Array, n: int) -> int:
    """Write the ways in which a card goes up; ``stem`` is the rest of the move.

    Piles that both take a card have the same height, so they differ only in their order.
    """
    first = True
    for pile in range(4):
        if accepted(book, heights, pile) >> card & 1:
            if first or (book[NAMED] and book[ORDER] != NO_ORDER):
                out[n] = stem | pile << 10
                n += 1
            first = False
    return n


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of the position at ``depth``, likely ones first; the engine's `EXPAND`."""
    heights = stack[depth, PROGRESS] >> book[HEIGHTS_SHIFT]
    if heights == ALL_UP:
        return WON_NODE
    n = start
    face_up, heads = stack[depth, FACE_UP], stack[depth, HEADS]
    free = free_groups(book, face_up, heads)
    taken = 0
    for pile in range(4):
        taken |= accepted(book, heights, pile)
    ready = face_up & free & taken
    forced = safe(book, heights) & taken
    if ready & forced:
        card = lowest(ready & forced)
        return int(write_ups(book, heights, card, UP | card << 4, moves, n))

    landing = (exchange_kinds(free) if book[ALTERNATE] else free) >> 4
    if empty_columns(book, face_up, heads) > 0:
        landing |= DECEMBERS
    # Bits of the stock's places from which a card can go up, or down to a column.
    places, clock = stack[depth, PLACES], stack[depth, TIME]
    size = popcount(places)
    waste = least_waste(book, size, clock)
    reached = reachable(book, size, clock)
    going_up, going_down = 0, 0
    left = places
    for place in range(1, size + 1):
        bit = left & -left
        left ^= bit
        if reached >> place & 1:
            card = book[STOCK_CARDS + lowest(bit)]
            if forced >> card & 1 and safe_from_stock(book, size, waste, place):
                stem = STOCK_UP | lowest(bit) << 4 | place << 16
                return int(write_ups(book, heights, card, stem, moves, n))
            going_up |= bit & -(taken >> card & 1)
            going_down |= bit & -(landing >> card & 1)

    uncovering = ready & heads
    while uncovering != 0:
        card = lowest(uncovering)
        uncovering &= uncovering - 1
        n = write_ups(book, heights, card, UP | card << 4, moves, n)
    leaving = landing & heads
    while leaving != 0:
        moves[n] = OFF | lowest(leaving) << 4
        leaving &= leaving - 1
        n += 1
    while going_up != 0:
        bit = lowest(going_up)
        going_up &= going_up - 1
        stem = STOCK_UP | bit << 4 | place_of(places, bit) << 16
        n = write_ups(book, heights, book[STOCK_CARDS + bit], stem, moves, n)
    others = one_of_each(book, ready & ~heads)
    while others != 0:
        card = lowest(others)
        others &= others - 1
        n = write_ups(book, heights, card, UP | card << 4, moves, n)
    while going_down != 0:
        bit = highest(going_down)
        going_down ^= 1 << bit
        moves[n] = STOCK_DOWN | bit << 4 | place_of(places, bit) << 16
        n += 1
    return n


@inline
def turn_up(book: Array, stack: Array, row: int, column: int, own: int) -> None:
    """Make the last of a column's ``own`` cards its head, face up, if there is one."""
    if own > 0:
        card = own_card(book, column, own)
        stack[row, FACE_UP] |= 1 << card
        if own == 1 and DECEMBERS >> card & 1:
            own = 0
        else:
            stack[row, HEADS] |= 1 << card
    shift = book[OWN_SHIFT + column]
    kept = stack[row, PROGRESS] & ~(book[OWN_MASK + column] << shift)
    stack[row, PROGRESS] = kept | own << shift


@inline
def uncover(book: Array, stack: Array, row: int, head: int) -> None:
    """Take a head away and turn up the card below it."""
    column = book[COLUMN_OF + head]
    own = stack[row, PROGRESS] >> book[OWN_SHIFT + column] & book[OWN_MASK + column]
    stack[row, HEADS] ^= 1 << head
    turn_up(book, stack, row, column, own - 1)


@inline
def write_key(book: Array, stack: Array, row: int) -> None:
    """Write the exact key of a position: two positions share it only if they are the same."""
    clear(stack, row, KEY)
    size = popcount(stack[row, PLACES])
    put(book, FORMAT, stack, row, KEY, 0, stack[row, PLACES])
    put(book, FORMAT, stack, row, KEY, 1, least_waste(book, size, stack[row, TIME]))
    if book[TURNS] != UNLIMITED:
        put(book, FORMAT, stack, row, KEY, 2, turns_left(book, size, stack[row, TIME]))
    put(book, FORMAT, stack, row, KEY, 3, stack[row, PROGRESS])
    if book[ALIKE] and book[ALTERNATE]:
        # The two cards of a kind are alike: the lower bit of a pair stands for the first of them.
        cards = stack[row, FACE_UP]
        both = cards & cards >> 1 & PAIRS
        put(book, FORMAT, stack, row, KEY, 4, (cards | cards >> 1) & PAIRS | both << 1)


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; the engine's `CHILD`."""
    row = depth + 1
    for word in range(NODE, KEY):
        stack[row, word] = stack[depth, word]
    kind, what = move & 15, move >> 4 & 63
    if kind == OFF:
        uncover(book, stack, row, what)
    elif kind == UP:
        stack[row, FACE_UP] ^= 1 << what
        if stack[row, HEADS] >> what & 1:
            uncover(book, stack, row, what)
    else:
        places, clock, place = stack[row, PLACES], stack[row, TIME], move >> 16
        turned = turns_needed(book, popcount(places), clock, place)
        stack[row, TIME] = (clock >> 6) + turned << 6 | place - 1
        stack[row, PLACES] = places ^ 1 << what
        if kind == STOCK_DOWN:
            stack[row, FACE_UP] |= 1 << book[STOCK_CARDS + what]
    if kind in (UP, STOCK_UP):
        stack[row, PROGRESS] += 1 << book[HEIGHTS_SHIFT] + 4 * (move >> 10 & 15)
    write_key(book, stack, row)
    return 0


@inline
def project(book: Array, position: Array, row: int, at: int, stack: Array) -> None:
    """Write the packed position ``position[row, at:]`` into row 0, without its arrangement."""
    heights = pile_heights(position, row, at)
    if book[ALIKE]:
        heights = sort_heights(heights)
    stack[0, FACE_UP] = 0
    stack[0, HEADS] = 0
    stack[0, PROGRESS] = heights << book[HEIGHTS_SHIFT]
    stack[0, PLACES] = position[row, at + STOCK]
    stack[0, TIME] = position[row, at + CLOCK]
    for column in range(6):
        cards = position[row, at + COLUMN + column] & CARDS
        if cards != 0:
            down = position[row, at + COLUMN + column] >> COUNT
            stack[0, FACE_UP] |= cards
            if down > 0 or cards & DECEMBERS == 0:
                turn_up(book, stack, 0, column, down + 1)
    write_key(book, stack, 0)


@inline
def sort_heights(heights: int) -> int:
    """Bring the greatest height to the first pile, and so on."""
    for _ in range(3):
        for pile in range(3):
            a, b = heights >> 4 * pile & 15, heights >> 4 * pile + 4 & 15
            if a < b:
                heights += (b - a << 4 * pile) - (b - a << 4 * pile + 4)
    return int(heights)


@inline
def unknown(
    book: Array, stack: Array, row: int, inner: Array, moves: Array, table: Array, control: Array
) -> int:
    """Say nothing of a position; the engine's `ORACLE` for a search that asks nobody."""
    return OPEN


@jit(int64(ITEMS, ROWS, ROWS, ROWS, ITEMS))
def enter(book: Array, position: Array, stack: Array, table: Array, control: Array) -> int:
    """Enter the packed position ``position[0]`` as the root of a search; gives its status."""
    project(book, position, 0, 0, stack)
    return int(begin(stack, table, control))


@jit(int64(ITEMS, ROWS, ITEMS, ROWS, ITEMS))
def search(book: Array, stack: Array, moves: Array, table: Array, control: Array) -> int:
    """Search on; gives the reason for the engine's return."""
    nobody = control[CONTROL_SIZE:]
    return int(
        run(book, expand, child, unknown, stack, moves, table, control, stack, moves, table, nobody)
    )
