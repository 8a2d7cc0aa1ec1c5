"""Every seat for itself: the compiled search for `maxn`.

A search row has what `hanasolve.tamaki.progress` keeps. A bound of what a seat can still gain comes
from the months, see `hanasolve.tamaki.bounds`, worked out for each seat.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest
from hanasolve.search import maxn
from hanasolve.search.table import Array
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k
from hanasolve.tamaki import progress as p

# The book, after the bounds: for each seat the most that it can gain, and the cards it can get.
OF_SEAT: Final = b.SIZE
A_SEAT: Final = 2 * b.MONTH_PLACES
SIZE: Final = OF_SEAT + maxn.PLAYERS * A_SEAT


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; the engine's `child`."""
    row = depth + 1
    for word in range(k.HELD, p.WORDS):
        stack[row, word] = stack[depth, word]
    seat = k.seat_of(stack, row)
    captured = p.move_on(book, stack, row, move)
    gain = 0
    if captured != 0:
        gain = p.points(book, captured) << maxn.FIELD * seat
        paid = p.claim(book, stack, row, seat, captured) * book[b.COSTS]
        for other in range(book[k.PLAYERS]):
            gain -= paid << maxn.FIELD * other
        gain += book[k.PLAYERS] * paid << maxn.FIELD * seat
        settle_hopeless(book, stack, row)
    stack[row, maxn.MOST] = most(book, stack, row, seat)
    stack[row, maxn.PLAYER] = k.seat_of(stack, row)
    p.write_key(stack, row, maxn.KEY, 0)
    return int(gain)


@inline
def can_get(book: Array, row: Array, r: int, seat: int, cards: int) -> bool:
    """Whether the months let a seat get these cards."""
    coming = row[r, k.HELD] | row[r, p.COMING]
    ours = OF_SEAT + seat * A_SEAT + b.MONTH_PLACES
    while cards != 0:
        month = lowest(cards) >> 2
        wanted = cards >> 4 * month & 15
        cards &= ~(15 << 4 * month)
        if wanted & ~book[ours + b.month_place(month, row[r, k.TABLE], coming)]:
            return False
    return True


@inline
def settle_hopeless(book: Array, row: Array, r: int) -> None:
    """Settle the yaku whose owner cannot get what is left of them, or is paid already."""
    for number in range(4):
        owner = row[r, p.YAKU] >> 4 * number & 15
        if owner in (0, p.SETTLED):
            continue
        cards = book[b.YAKU + number] & p.left(row, r)
        if row[r, p.PAID] >> owner - 1 & 1 or not can_get(book, row, r, owner - 1, cards):
            row[r, p.YAKU] |= p.SETTLED << 4 * number


@inline
def most(book: Array, row: Array, r: int, seat: int) -> int:
    """Give a bound of what a seat can still gain."""
    total = 0
    coming = row[r, k.HELD] | row[r, p.COMING]
    for month in range(12):
        if coming >> 4 * month & 15:
            at = b.month_place(month, row[r, k.TABLE], coming)
            total += book[OF_SEAT + seat * A_SEAT + at]
    if row[r, p.PAID] >> seat & 1:
        return int(total)
    hopes = 0
    for number in range(4):
        owner = row[r, p.YAKU] >> 4 * number & 15
        if owner in (0, 1 + seat):
            cards = book[b.YAKU + number] & p.left(row, r)
            hopes += can_get(book, row, r, seat, cards)
    hopes = min(hopes, 1) if book[b.ONCE] else hopes
    return int(total + hopes * (book[k.PLAYERS] - 1) * book[b.COSTS])


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of a position, merged; the engine's `expand`."""
    end = k.choices(book, stack, depth, moves, start)
    return int(p.merged(book, stack, depth, moves, start, end, 0))


@jit(int64(ITEMS, ROWS))
def enter(book: Array, stack: Array) -> int:
    """Enter the position in row 0, of which all but the key is written, as the root."""
    for seat in range(book[k.PLAYERS]):
        book[b.FIRST] = seat
        b.write_months(book, stack[0, k.TABLE], stack[0, k.HELD] | stack[0, p.COMING])
        at = OF_SEAT + seat * A_SEAT
        for n in range(b.MONTH_PLACES):
            book[at + n] = book[b.BEST + n]
            book[at + b.MONTH_PLACES + n] = book[b.OURS + n]
    stack[0, maxn.PLAYER] = k.seat_of(stack, 0)
    p.write_key(stack, 0, maxn.KEY, 0)
    return 0


@jit(int64(ITEMS, ROWS, int64))
def follow(book: Array, stack: Array, move: int) -> int:
    """Make a move at the root; gives the vector that it gains."""
    gain = child(book, stack, 0, move)
    for word in range(stack.shape[1]):
        stack[0, word] = stack[1, word]
    return int(gain)


@jit(int64(ROWS, ITEMS))
def begin(stack: Array, control: Array) -> int:
    """Begin to work out what the root is worth."""
    maxn.begin(stack, control)
    return 0


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, ITEMS, ROWS, ITEMS))
def search(
    book: Array,
    stack: Array,
    moves: Array,
    numbers: Array,
    bounds: Array,
    table: Array,
    control: Array,
) -> int:
    """Go on; gives the reason for the engine's return."""
    return int(maxn.run(book, expand, child, stack, moves, numbers, bounds, table, control))
