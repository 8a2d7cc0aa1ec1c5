"""Every seat for itself: the compiled search for `maxn`.

A search row has, after what `hanasolve.tamaki.progress` keeps, who can still complete each yaku as
far as the months tell (see `hanasolve.tamaki.bounds`), and which months are dull.

*Dull months* (with `bounds.MERGES`). A month is dull when the most and the least that each seat can
still gain there are the same, and none of its cards is one that somebody's yaku waits for. As in
`hanasolve.tamaki.minimax` its gain counts at once. But choices that gain the same are told apart by
the ids of their cards. So of the dull cards in a hand only those stand for one another between
which no other card lies in that hand: whichever of them is played, what is left are as many dull
cards at the same places in the order. In the key they are the lowest ones of the cards that the
hand began with, between those others that it still has, but for those on the table; they are told
by standing both in the hand and on the table.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest
from hanasolve.search import maxn
from hanasolve.search.table import Array
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k
from hanasolve.tamaki import progress as p

# Words of a search row, after those of `progress`.
HOPES: Final = p.WORDS
"""For each yaku the set of seats that may still complete it and be paid, seven bits each."""
FIXED: Final = p.WORDS + 1
"""The months in which every seat's gain is fixed."""
DULL: Final = p.WORDS + 2
WORDS: Final = p.WORDS + 3

A_HOPE: Final = maxn.PLAYERS
SEATS: Final = (1 << A_HOPE) - 1

# The book, after the bounds: for each position of each month the vector that it gains if that is
# fixed, and 15 if it is; for each seat the most that it can gain, and the cards that it can get.
GAINS: Final = b.SIZE
ALL_FIXED: Final = GAINS + b.MONTH_PLACES
OF_SEAT: Final = ALL_FIXED + b.MONTH_PLACES
OURS: Final = b.MONTH_PLACES
A_SEAT: Final = 2 * b.MONTH_PLACES
SIZE: Final = OF_SEAT + maxn.PLAYERS * A_SEAT


@inline
def can_get(book: Array, row: Array, r: int, seat: int, cards: int) -> bool:
    """Whether the months let a seat get these cards."""
    coming = row[r, k.HELD] | row[r, p.COMING]
    while cards != 0:
        month = lowest(cards) >> 2
        wanted = cards >> 4 * month & 15
        cards &= ~(15 << 4 * month)
        at = OF_SEAT + seat * A_SEAT + OURS + b.month_place(month, row[r, k.TABLE], coming)
        if wanted & ~book[at]:
            return False
    return True


@inline
def look_at_yaku(book: Array, row: Array, r: int, touched: int) -> int:
    """Write who may still complete the yaku with cards in some months; gives the cards awaited."""
    awaited = 0
    for number in range(4):
        owner = row[r, p.YAKU] >> 4 * number & 15
        if owner == p.SETTLED:
            continue
        cards = book[b.YAKU + number]
        hopes = row[r, HOPES] >> A_HOPE * number & SEATS
        if owner != 0:
            hopes &= 1 << owner - 1
        hopes &= ~row[r, p.PAID]
        if cards & touched:
            for seat in range(book[k.PLAYERS]):
                if hopes >> seat & 1 and not can_get(book, row, r, seat, cards & p.left(row, r)):
                    hopes &= ~(1 << seat)
        row[r, HOPES] = row[r, HOPES] & ~(SEATS << A_HOPE * number) | hopes << A_HOPE * number
        if hopes == 0:
            row[r, p.YAKU] |= p.SETTLED << 4 * number
        else:
            awaited |= cards & p.left(row, r)
    return int(awaited)


@inline
def settle_dull(book: Array, row: Array, r: int, touched: int) -> int:
    """Write which months are dull, some having changed; gives what the new ones of them gain."""
    awaited = look_at_yaku(book, row, r, touched)
    if not book[b.MERGES]:
        return 0
    coming = row[r, k.HELD] | row[r, p.COMING]
    while touched != 0:
        month = lowest(touched) >> 2
        touched &= ~(15 << 4 * month)
        fixed = book[ALL_FIXED + b.month_place(month, row[r, k.TABLE], coming)]
        row[r, FIXED] = row[r, FIXED] & ~(15 << 4 * month) | fixed << 4 * month
    # What is dull stays so.
    fresh = row[r, FIXED] & ~k.months_of(awaited) & ~row[r, DULL]
    row[r, DULL] |= fresh
    gain = 0
    while fresh != 0:
        month = lowest(fresh) >> 2
        fresh &= ~(15 << 4 * month)
        gain += book[GAINS + b.month_place(month, row[r, k.TABLE], coming)]
    return int(gain)


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; the engine's `child`."""
    row = depth + 1
    for word in range(k.HELD, WORDS):
        stack[row, word] = stack[depth, word]
    seat = k.seat_of(stack, row)
    touched = 0
    for card in (move & 63, k.next_draw(book, stack, depth)):
        if card != k.NO_CARD:
            touched |= k.month_of(card)
    captured = p.move_on(book, stack, row, move)
    gain = 0
    if captured != 0:
        gain = p.points(book, captured & ~stack[depth, DULL]) << maxn.FIELD * seat
        paid = p.claim(book, stack, row, seat, captured) * book[b.COSTS]
        if paid:
            for other in range(book[k.PLAYERS]):
                gain -= paid << maxn.FIELD * other
            gain += book[k.PLAYERS] * paid << maxn.FIELD * seat
    gain += settle_dull(book, stack, row, touched)
    finish(book, stack, row, seat)
    return int(gain)


@inline
def finish(book: Array, row: Array, r: int, seat: int) -> None:
    """Write a row's key, who is to move, and the most that a seat can still gain."""
    coming = row[r, k.HELD] | row[r, p.COMING]
    most = 0
    live = coming & ~row[r, DULL]
    while live != 0:
        month = lowest(live) >> 2
        live &= ~(15 << 4 * month)
        most += book[OF_SEAT + seat * A_SEAT + b.month_place(month, row[r, k.TABLE], coming)]
    hopes = 0
    for number in range(4):
        hopes += row[r, HOPES] >> A_HOPE * number + seat & 1
    hopes = min(hopes, 1) if book[b.ONCE] else hopes
    row[r, maxn.MOST] = most + hopes * (book[k.PLAYERS] - 1) * book[b.COSTS]
    row[r, maxn.PLAYER] = k.seat_of(row, r)
    held, table = row[r, k.HELD] & ~row[r, DULL], row[r, k.TABLE] & ~row[r, DULL]
    dull = row[r, k.HELD] & row[r, DULL]
    places = 0
    if dull != 0:
        for other in range(book[k.PLAYERS]):
            places |= lowered(book[k.HAND + other] & ~table, held, dull)
    p.write_key(row, r, maxn.KEY, held | places, table | places)


@inline
def lowered(hand: int, held: int, dull: int) -> int:
    """Give the places in the key of the dull cards of a hand; ``held`` are the others in hands."""
    places, between, count = 0, 0, 0
    while hand != 0:
        bit = hand & -hand
        hand ^= bit
        if held & bit:
            places |= lowest_of(between, count)
            between, count = 0, 0
        else:
            between |= bit
            count += dull & bit != 0
    return int(places | lowest_of(between, count))


@inline
def lowest_of(bits: int, count: int) -> int:
    """Give the lowest ones of some bits."""
    kept = 0
    for _ in range(count):
        kept |= bits & -bits
        bits &= bits - 1
    return int(kept)


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of a position, merged; the engine's `expand`."""
    end = k.choices(book, stack, depth, moves, start)
    dull = stack[depth, DULL]
    apart = k.playable(book, stack, depth) & ~dull
    return int(p.merged(book, stack, depth, moves, start, end, dull, apart))


@jit(int64(ITEMS, ROWS))
def enter(book: Array, stack: Array) -> int:
    """Enter the position in row 0, of which what `progress` keeps is written, as the root.

    Gives the vector that its dull months gain.
    """
    players = book[k.PLAYERS]
    for n in range(b.MONTH_PLACES):
        book[GAINS + n] = 0
        book[ALL_FIXED + n] = 15
    for seat in range(players):
        book[b.FIRST] = seat
        b.write_months(book, stack[0, k.TABLE], stack[0, k.HELD] | stack[0, p.COMING])
        for n in range(b.MONTH_PLACES):
            book[OF_SEAT + seat * A_SEAT + n] = book[b.BEST + n]
            book[OF_SEAT + seat * A_SEAT + OURS + n] = book[b.OURS + n]
            book[GAINS + n] += book[b.BEST + n] << maxn.FIELD * seat
            book[ALL_FIXED + n] &= book[b.FIXED + n]
    hopes = (1 << players) - 1
    stack[0, HOPES] = 0
    for number in range(4):
        stack[0, HOPES] |= hopes << A_HOPE * number
    stack[0, FIXED] = stack[0, DULL] = 0
    gain = settle_dull(book, stack, 0, (1 << 48) - 1)
    finish(book, stack, 0, k.seat_of(stack, 0))
    return int(gain)


@jit(int64(ITEMS, ROWS, ITEMS))
def moves(book: Array, stack: Array, out: Array) -> int:
    """Write the moves at the root, merged; gives their number."""
    return int(expand(book, stack, 0, out, 0))


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
