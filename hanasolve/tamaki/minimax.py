"""Two sides: a seat against all the others. The compiled search for `margin` and `paranoid`.

A search row has, after the packed position, the cards that are still to come from the mountain, who
owns the yaku so far, and bounds of what can still be gained. Everything counts from the row on, in
units of 5 points.

*Yaku.* Four bits each: 0 nobody has a card of it yet, 1 + seat the only one who has, `SETTLED` when
nobody can complete it any more, or somebody has. Which cards have been captured follows from those
that are not.

*Key.* The hands, the table, the cards drawn; the owners of the yaku, and with ``per_player`` who is
paid already. It is exact: all that can follow, and what it gains, depends on nothing else.

*Merging* (`bounds.MERGES`). A month is *dull* when the most and the least that it can still gain are
the same and none of its cards is one that somebody's yaku waits for. Whatever is played and taken
there, the gain of the month is that one, and other months only see that a turn was made. So of the
moves with cards of dull months, and of what they can take, one stands for all, and the key leaves
these months out, but tells how many cards are held. Likewise one of several cards of a month that
are worth nothing and lie in one hand, or on the table: exchanging their names turns what follows
the one into what follows the other.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest, popcount
from hanasolve.search import minimax
from hanasolve.search.table import Array
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k

# Words of a search row, after the packed position.
COMING: Final = k.WORDS
"""Cards of the mountain that are still to be drawn."""
YAKU: Final = k.WORDS + 1
PAID: Final = k.WORDS + 2
"""With ``per_player``, the seats that hold a yaku."""
BEST: Final = k.WORDS + 3
WORST: Final = k.WORDS + 4
OURS: Final = k.WORDS + 5
THEIRS: Final = k.WORDS + 6
"""The sums of the months' bounds, and the cards that each side can still get."""
FIXED: Final = k.WORDS + 7
"""The months whose gain is fixed."""
DULL: Final = k.WORDS + 8
"""Those of them in which nothing matters any more."""
SURE: Final = k.WORDS + 9
"""What the dull months will gain. It counts as gained at once, so that the key can do without."""
WORDS: Final = k.WORDS + 10

SETTLED: Final = 15
TIME_AT: Final = 48
PAID_AT: Final = 55
HANDS_EMPTY: Final = 64
"""With the cards drawn, the time in the key once the hands are empty; before, the cards held."""


@inline
def add_month(book: Array, row: Array, r: int, month: int, sign: int) -> None:
    """Add what a month still has to the sums, or take it away."""
    at = b.month_place(month, row[r, k.TABLE], row[r, k.HELD] | row[r, COMING])
    row[r, BEST] += sign * book[b.BEST + at]
    row[r, WORST] += sign * book[b.WORST + at]
    row[r, OURS] ^= book[b.OURS + at] << 4 * month
    row[r, THEIRS] ^= book[b.THEIRS + at] << 4 * month
    row[r, FIXED] ^= book[b.FIXED + at] << 4 * month
    if row[r, DULL] >> 4 * month & 1:
        row[r, SURE] += sign * book[b.BEST + at]


@inline
def claim(book: Array, row: Array, r: int, seat: int, captured: int) -> int:
    """Take note of captured cards; gives what yaku they gain the first seat."""
    gain = 0
    left = row[r, k.HELD] | row[r, k.TABLE] | row[r, COMING]
    for number in range(4):
        cards = book[b.YAKU + number]
        owner = row[r, YAKU] >> 4 * number & 15
        if owner == SETTLED or captured & cards == 0:
            continue
        if owner in (0, 1 + seat):
            owner = 1 + seat
            if cards & left == 0:
                owner = SETTLED
                if not row[r, PAID] >> seat & 1:
                    gain += book[b.PAYS] if seat == book[b.FIRST] else -book[b.COSTS]
                if book[b.ONCE]:
                    row[r, PAID] |= 1 << seat
        else:
            owner = SETTLED
        row[r, YAKU] = row[r, YAKU] & ~(15 << 4 * number) | owner << 4 * number
    return int(gain)


@inline
def bound(book: Array, row: Array, r: int) -> None:
    """Write the bounds of a row, whose turn it is, and its key."""
    floor, ceiling = row[r, WORST], row[r, BEST]
    left = row[r, k.HELD] | row[r, k.TABLE] | row[r, COMING]
    first = book[b.FIRST]
    hopes, awaited = 0, 0
    for number in range(4):
        owner = row[r, YAKU] >> 4 * number & 15
        if owner == SETTLED:
            continue
        cards = book[b.YAKU + number] & left
        ours = owner in (0, 1 + first) and cards & ~row[r, OURS] == 0
        ours = ours and not row[r, PAID] >> first & 1
        theirs = owner != 1 + first and cards & ~row[r, THEIRS] == 0
        hopes += ours
        if theirs:
            floor -= book[b.COSTS]
        if ours or theirs:
            awaited |= cards
        else:
            row[r, YAKU] |= SETTLED << 4 * number
    ceiling += book[b.PAYS] * (min(hopes, 1) if book[b.ONCE] else hopes)
    row[r, minimax.IS_MAX] = row[r, k.META] & k.SEAT == first
    dull = row[r, FIXED] & ~k.months_of(awaited) if book[b.MERGES] else 0
    changed = dull ^ row[r, DULL]
    row[r, DULL] = dull
    while changed != 0:
        month = lowest(changed) >> 2
        changed &= ~(15 << 4 * month)
        at = b.month_place(month, row[r, k.TABLE], row[r, k.HELD] | row[r, COMING])
        row[r, SURE] += book[b.BEST + at] if dull >> 4 * month & 1 else -book[b.BEST + at]
    floor -= row[r, SURE]
    ceiling -= row[r, SURE]
    row[r, minimax.FLOOR] = floor
    row[r, minimax.CEILING] = ceiling
    held = popcount(row[r, k.HELD])
    time = held if held else HANDS_EMPTY + (row[r, k.META] >> k.DRAWN_SHIFT)
    row[r, minimax.KEY] = row[r, k.HELD] & ~dull | time << TIME_AT | row[r, PAID] << PAID_AT
    row[r, minimax.KEY + 1] = row[r, k.TABLE] & ~dull | row[r, YAKU] << 48


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
    k.play(book, stack, row, move)
    if draw != k.NO_CARD:
        stack[row, COMING] &= ~(1 << draw)
    captured = stack[row, k.BY_PLAY] | stack[row, k.BY_DRAW]
    gain = 0
    if captured != 0:
        if seat == book[b.FIRST] or book[b.OTHERS_COUNT]:
            gain = points(book, captured)
            if seat != book[b.FIRST]:
                gain = -gain
        gain += claim(book, stack, row, seat, captured)
    add_month(book, stack, row, one, 1)
    if other != one:
        add_month(book, stack, row, other, 1)
    bound(book, stack, row)
    return int(gain + stack[row, SURE] - stack[depth, SURE])


@inline
def points(book: Array, cards: int) -> int:
    """Add up what cards are worth."""
    total = 0
    while cards != 0:
        total += book[b.POINTS + lowest(cards)]
        cards &= cards - 1
    return int(total)


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of a position, merged; the engine's `expand`."""
    end = k.choices(book, stack, depth, moves, start)
    if not book[b.MERGES]:
        return int(end)
    n = start
    for i in range(start, end):
        part = part_of(book, stack, depth, moves[i])
        j = start
        while j < n and part_of(book, stack, depth, moves[j]) != part:
            j += 1
        if j == n:
            moves[n] = moves[i]
            n += 1
    return n


@inline
def part_of(book: Array, stack: Array, depth: int, move: int) -> int:
    """Give the part that a move plays: the same for moves that are merged."""
    part = 0
    for shift in (0, 6, 12):
        card = move >> shift & 63
        if card != k.NO_CARD:
            card = 62 if stack[depth, DULL] >> card & 1 else book[b.ALIKE + card]
        part |= card << shift
    return int(part)


@inline
def begin(book: Array, stack: Array) -> None:
    """Fill row 0, whose packed position, `COMING`, `YAKU` and `PAID` are written, and the book."""
    coming = stack[0, k.HELD] | stack[0, COMING]
    b.write_months(book, stack[0, k.TABLE], coming)
    for word in (BEST, WORST, OURS, THEIRS, FIXED, DULL, SURE):
        stack[0, word] = 0
    for month in range(12):
        add_month(book, stack, 0, month, 1)
    bound(book, stack, 0)


@jit(int64(ITEMS, ROWS))
def enter(book: Array, stack: Array) -> int:
    """Enter the position in row 0 as the root."""
    begin(book, stack)
    return 0


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, ROWS, ITEMS, int64))
def test(
    book: Array,
    stack: Array,
    moves: Array,
    scores: Array,
    table: Array,
    control: Array,
    at_least: int,
) -> int:
    """Begin to test whether the root is worth so much; gives the reason for the engine's return."""
    minimax.begin(stack, control, at_least)
    return int(minimax.run(book, expand, child, stack, moves, scores, table, control))


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, ROWS, ITEMS))
def go_on(
    book: Array, stack: Array, moves: Array, scores: Array, table: Array, control: Array
) -> int:
    """Go on with a test that was paused."""
    return int(minimax.run(book, expand, child, stack, moves, scores, table, control))
