"""Bounds of what a side can still gain, month by month, for the searches of two sides.

A month by itself is a small game: four cards, each still to come, on the table, or captured. For
each of its positions the best and the worst that can happen to the first side is worked out once,
over all orders in which its cards can still come and all choices. In the whole game the months get
in each other's way, so the sums over the months are bounds.

All points are counted in units of 5.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline, lowest
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
OWNER: Final = YAKU + 4
"""For each card the seat that plays or draws it; -1 when it never comes."""
TIME: Final = OWNER + 48
"""For each card the turn in which it is drawn; for one in a hand, the last turn of its seat."""
BEST: Final = TIME + 48
"""For each position of each month: the most that it can gain the first side, …"""
WORST: Final = BEST + 12 * 256
OURS: Final = WORST + 12 * 256
"""… the least, the cards that the first seat can get, and those that others can."""
THEIRS: Final = OURS + 12 * 256
SIZE: Final = THEIRS + 12 * 256

UNKNOWN: Final = -(1 << 30)


@inline
def place(month: int, table: int, coming: int) -> int:
    """Give where a position of a month stands, by the cards on its table and those to come."""
    return month << 8 | coming << 4 | table


@inline
def comes_next(book: Array, month: int, coming: int, i: int) -> bool:
    """Whether a card of a month can be the next one of it to come."""
    card = 4 * month + i
    is_drawn = book[k.MOUNTAIN_PLACE + card] >= 0
    for j in range(4):
        other = 4 * month + j
        if j == i or not coming >> j & 1 or book[OWNER + other] < 0:
            continue
        other_is_drawn = book[k.MOUNTAIN_PLACE + other] >= 0
        if is_drawn and other_is_drawn and book[TIME + other] < book[TIME + card]:
            return False
        if is_drawn and not other_is_drawn and book[TIME + other] <= book[TIME + card]:
            return False
    return True
