"""Draws and turns taken in one step: which cards can become the waste top, and at what cost.

Playing a waste card is the only thing that changes the order of drawing, so the searches play
"draw until this card is the top, then play it" as one move. Nothing is lost: draws and turns change
nothing but the waste, so they can be delayed until right before the play that needs them.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline
from hanasolve.search.table import Array
from hanasolve.solitaire2.kernel import DRAW, TURNS, UNLIMITED

UNREACHABLE: Final = -1


@inline
def turns_needed(book: Array, size: int, clock: int, place: int) -> int:
    """Turns of the waste, 0 or 1, until the card at a place is the waste top.

    Parameters
    ----------
    book : array
    size : int
        Cards in stock and waste.
    clock : int
        Cards in the waste, and the turns so far above bit 6.
    place : int
        Place in the order of drawing, counted from 1.

    Returns
    -------
    int
        0, 1, or `UNREACHABLE`. A second turn brings nothing that the first did not.
    """
    waste = clock & 63
    draw = book[DRAW]
    if waste > 0 and place >= waste and ((place - waste) % draw == 0 or place == size):
        return 0
    if place % draw == 0 or place == size:
        if waste == 0:
            return 0
        if book[TURNS] == UNLIMITED or clock >> 6 < book[TURNS]:
            return 1
    return UNREACHABLE


@inline
def least_waste(book: Array, size: int, clock: int) -> int:
    """Cards in the waste, or the least number that reaches the same places.

    Without a limit of passes, a waste of a multiple of the draw count, or of all cards, reaches
    what an empty one does: the multiples, and the last place. So both have the same future and
    may share a key. With a limit every number is its own.
    """
    waste = clock & 63
    if book[TURNS] == UNLIMITED and (waste % book[DRAW] == 0 or waste == size):
        return 0
    return int(waste)


@inline
def turns_left(book: Array, size: int, clock: int) -> int:
    """Turns of the waste that are left, never more than there are cards to be had by them.

    Between two turns of a shortest win at least one card is taken, or one of the turns could be
    left out; so with n cards in stock and waste more than n turns are as good as n.
    """
    if book[TURNS] == UNLIMITED:
        return 0
    return int(min(book[TURNS] - (clock >> 6), size))
