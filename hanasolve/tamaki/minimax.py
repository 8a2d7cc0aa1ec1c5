"""Two sides: a seat against all the others. The compiled search for `margin` and `paranoid`.

A search row has, after what `hanasolve.tamaki.progress` keeps, the sums of the months' bounds (see
`hanasolve.tamaki.bounds`). Everything counts from the row on, in units of 5 points.

*Dull months* (with `bounds.MERGES`). A month is dull when the most and the least that it can still
gain are the same and none of its cards is one that somebody's yaku waits for. Whatever is played
and taken there, the gain of the month is that one, and other months only see that a turn was made.
So that gain counts at once, the key leaves the month out, and of the moves with cards of dull
months, and of what they can take, one stands for all.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest
from hanasolve.search import minimax
from hanasolve.search.table import Array
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k
from hanasolve.tamaki import progress as p

# Words of a search row, after those of `progress`.
BEST: Final = p.WORDS
WORST: Final = p.WORDS + 1
OURS: Final = p.WORDS + 2
THEIRS: Final = p.WORDS + 3
"""The sums of the months' bounds, and the cards that each side can still get."""
FIXED: Final = p.WORDS + 4
"""The months whose gain is fixed."""
DULL: Final = p.WORDS + 5
"""Those of them in which nothing matters any more."""
SURE: Final = p.WORDS + 6
"""What the dull months will gain."""
WORDS: Final = p.WORDS + 7


@inline
def add_month(book: Array, row: Array, r: int, month: int, sign: int) -> None:
    """Add what a month still has to the sums, or take it away."""
    at = b.month_place(month, row[r, k.TABLE], row[r, k.HELD] | row[r, p.COMING])
    row[r, BEST] += sign * book[b.BEST + at]
    row[r, WORST] += sign * book[b.WORST + at]
    row[r, OURS] ^= book[b.OURS + at] << 4 * month
    row[r, THEIRS] ^= book[b.THEIRS + at] << 4 * month
    row[r, FIXED] ^= book[b.FIXED + at] << 4 * month
    if row[r, DULL] >> 4 * month & 1:
        row[r, SURE] += sign * book[b.BEST + at]


@inline
def bound(book: Array, row: Array, r: int) -> None:
    """Write the bounds of a row, whose turn it is, and its key."""
    floor, ceiling = row[r, WORST], row[r, BEST]
    left = p.left(row, r)
    first = book[b.FIRST]
    hopes, awaited = 0, 0
    for number in range(4):
        owner = row[r, p.YAKU] >> 4 * number & 15
        if owner == p.SETTLED:
            continue
        cards = book[b.YAKU + number] & left
        ours = owner in (0, 1 + first) and cards & ~row[r, OURS] == 0
        ours = ours and not row[r, p.PAID] >> first & 1
        theirs = owner != 1 + first and cards & ~row[r, THEIRS] == 0
        hopes += ours
        if theirs:
            floor -= book[b.COSTS]
        if ours or theirs:
            awaited |= cards
        else:
            row[r, p.YAKU] |= p.SETTLED << 4 * number
    ceiling += book[b.PAYS] * (min(hopes, 1) if book[b.ONCE] else hopes)
    settle_dull(book, row, r, row[r, FIXED] & ~k.months_of(awaited) if book[b.MERGES] else 0)
    row[r, minimax.FLOOR] = floor - row[r, SURE]
    row[r, minimax.CEILING] = ceiling - row[r, SURE]
    row[r, minimax.IS_MAX] = row[r, k.META] & k.SEAT == first
    live = ~row[r, DULL]
    p.write_key(row, r, minimax.KEY, row[r, k.HELD] & live, row[r, k.TABLE] & live)


@inline
def settle_dull(book: Array, row: Array, r: int, dull: int) -> None:
    """Let these months be the dull ones: what they will gain counts at once."""
    changed = dull ^ row[r, DULL]
    row[r, DULL] = dull
    while changed != 0:
        month = lowest(changed) >> 2
        changed &= ~(15 << 4 * month)
        at = b.month_place(month, row[r, k.TABLE], row[r, k.HELD] | row[r, p.COMING])
        row[r, SURE] += book[b.BEST + at] if dull >> 4 * month & 1 else -book[b.BEST + at]


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; the engine's `child`."""
    row = depth + 1
    for word in range(k.HELD, WORDS):
        stack[row, word] = stack[depth, word]
    card, draw = move & 63, k.next_draw(book, stack, depth)
    one = (card if card != k.NO_CARD else draw) >> 2
    other = (draw if draw != k.NO_CARD else card) >> 2
    add_month(book, stack, row, one, -1)
    if other != one:
        add_month(book, stack, row, other, -1)
    seat = k.seat_of(stack, row)
    is_first = seat == book[b.FIRST]
    captured = p.move_on(book, stack, row, move)
    gain = 0
    if captured != 0:
        if is_first or book[b.OTHERS_COUNT]:
            gain = p.points(book, captured) if is_first else -p.points(book, captured)
        gain += p.claim(book, stack, row, seat, captured) * (
            book[b.PAYS] if is_first else -book[b.COSTS]
        )
    add_month(book, stack, row, one, 1)
    if other != one:
        add_month(book, stack, row, other, 1)
    bound(book, stack, row)
    return int(gain + stack[row, SURE] - stack[depth, SURE])


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of a position, merged; the engine's `expand`."""
    end = k.choices(book, stack, depth, moves, start)
    return int(p.merged(book, stack, depth, moves, start, end, stack[depth, DULL], 0))


@jit(int64(ITEMS, ROWS))
def enter(book: Array, stack: Array) -> int:
    """Enter the position in row 0, of which all but the bounds is written, as the root.

    Gives what its dull months gain.
    """
    b.write_months(book, stack[0, k.TABLE], stack[0, k.HELD] | stack[0, p.COMING])
    for word in range(p.WORDS, WORDS):
        stack[0, word] = 0
    for month in range(12):
        add_month(book, stack, 0, month, 1)
    bound(book, stack, 0)
    return int(stack[0, SURE])


@jit(int64(ITEMS, ROWS, ITEMS))
def moves(book: Array, stack: Array, out: Array) -> int:
    """Write the moves at the root, merged; gives their number."""
    return int(expand(book, stack, 0, out, 0))


@jit(int64(ITEMS, ROWS, int64))
def follow(book: Array, stack: Array, move: int) -> int:
    """Make a move at the root; gives what it gains."""
    gain = child(book, stack, 0, move)
    for word in range(stack.shape[1]):
        stack[0, word] = stack[1, word]
    return int(gain)


@jit(int64(ROWS, ITEMS, int64))
def begin(stack: Array, control: Array, at_least: int) -> int:
    """Begin to test whether the root is worth so much."""
    minimax.begin(stack, control, at_least)
    return 0


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, ROWS, ITEMS))
def search(
    book: Array, stack: Array, moves: Array, scores: Array, table: Array, control: Array
) -> int:
    """Go on with the test; gives the reason for the engine's return."""
    return int(minimax.run(book, expand, child, stack, moves, scores, table, control))
