"""Bounds of what a side can still gain, month by month, for the searches of two sides.

A month by itself is a small game: four cards, each still to come, on the table, or captured. For
each of its positions the best and the worst that can happen to the first side is worked out once,
over all orders in which its cards can still come and all choices. In the whole game the months get
in each other's way, so the sums over the months are bounds.

All points are counted in units of 5.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline, popcount
from hanasolve.search.table import Array
from hanasolve.tamaki import kernel as k

# The book, after the rules.
FIRST: Final = k.AFTER
"""The seat whose own score, or margin, is asked for."""
OTHERS_COUNT: Final = k.AFTER + 1
"""1 when what the others gain counts against it (the margin), else 0."""
PAYS: Final = k.AFTER + 2
"""What a yaku gains the first seat, and a yaku of another seat costs it, in the next word."""
COSTS: Final = k.AFTER + 3
ONCE: Final = k.AFTER + 4
"""Whether a holder is paid once, however many yaku."""
POINTS: Final = k.AFTER + 5
"""For each card its points."""
YAKU: Final = POINTS + 48
"""The four yaku, as sets of cards."""
DRAWN: Final = YAKU + 4
"""The cards that come from the mountain, those that are never drawn left out."""
OWNER: Final = DRAWN + 1
"""For each card to come the seat that plays or draws it."""
TIME: Final = OWNER + 48
"""For each card to come the turn in which it is drawn, or for one in a hand the last turn in which
its seat plays."""
MONTH_PLACES: Final = 12 * 256
BEST: Final = TIME + 48
"""For each position of each month: the most that it can gain the first side, …"""
WORST: Final = BEST + MONTH_PLACES
OURS: Final = WORST + MONTH_PLACES
"""… the least, the cards that the first seat can get, and those that others can."""
THEIRS: Final = OURS + MONTH_PLACES
FIXED: Final = THEIRS + MONTH_PLACES
"""15 when the most and the least are the same."""
ALIKE: Final = FIXED + MONTH_PLACES
"""For each card the first one of its month that no rule tells apart from it: worth nothing both."""
MERGES: Final = ALIKE + 48
"""Whether moves that play the same part are merged, see `hanasolve.tamaki.minimax`."""
SIZE: Final = MERGES + 1

UNBOUNDED: Final = 1 << 20


@inline
def place(month: int, table: int, coming: int) -> int:
    """Give where a position of a month stands, by the cards on its table and those to come."""
    return month << 8 | coming << 4 | table


@inline
def month_place(month: int, table: int, coming: int) -> int:
    """Do so by the sets of all cards on the table and all cards to come."""
    return place(month, table >> 4 * month & 15, coming >> 4 * month & 15)


@inline
def comes_next(book: Array, month: int, coming: int, i: int) -> bool:
    """Whether a card of a month can be the next one of it to come.

    Of two drawn cards the upper one comes first. A card drawn in the last turn of a seat, or later,
    comes after all that this seat plays.
    """
    card = 4 * month + i
    if not book[DRAWN] >> card & 1:
        return True
    for j in range(4):
        other = 4 * month + j
        if coming >> j & 1 and j != i:
            if book[DRAWN] >> other & 1:
                if book[TIME + other] < book[TIME + card]:
                    return False
            elif book[TIME + other] <= book[TIME + card]:
                return False
    return True


@inline
def write_month(book: Array, month: int, table: int, coming: int) -> None:
    """Write the bounds of a position of a month; those with fewer cards to come are written."""
    best, worst, ours, theirs = -UNBOUNDED, UNBOUNDED, 0, 0
    for i in range(4):
        if not coming >> i & 1 or not comes_next(book, month, coming, i):
            continue
        is_ours = book[OWNER + 4 * month + i] == book[FIRST]
        options = 4 if popcount(table) in (1, 2) else 1
        for take in range(options + 1):
            # Each table card; then no capture.
            if take < options and table != 0 and (options == 1 or table >> take & 1):
                captured = k.landed(table, i, take)
            elif take == options and (table == 0 or book[k.OPTIONAL]):
                captured = 0
            else:
                continue
            gain = 0
            for j in range(4):
                if captured >> j & 1:
                    gain += book[POINTS + 4 * month + j]
            if not is_ours:
                gain = -gain if book[OTHERS_COUNT] else 0
            after = place(month, k.after_landing(table, i, captured), coming & ~(1 << i))
            best = max(best, gain + book[BEST + after])
            worst = min(worst, gain + book[WORST + after])
            ours |= book[OURS + after] | (captured if is_ours else 0)
            theirs |= book[THEIRS + after] | (0 if is_ours else captured)
    at = place(month, table, coming)
    book[BEST + at] = best if coming else 0
    book[WORST + at] = worst if coming else 0
    book[FIXED + at] = 15 if coming == 0 or best == worst else 0
    book[OURS + at] = ours
    book[THEIRS + at] = theirs


@inline
def write_months(book: Array, table: int, coming: int) -> None:
    """Write the bounds of all positions of the months that can follow."""
    for month in range(12):
        now = coming >> 4 * month & 15
        there = now | table >> 4 * month & 15
        for later in range(16):
            if later & ~now == 0:
                for on_table in range(16):
                    if on_table & ~there == 0 and on_table & later == 0:
                        write_month(book, month, on_table, later)
