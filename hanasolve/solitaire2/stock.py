"""Draws and turns taken in one step: which cards can become the waste top, and at what cost.

Playing a waste card is the only thing that changes the order of drawing, so the searches play
"draw until this card is the top, then play it" as one move. Nothing is lost: draws and turns change
nothing but the waste, so they can be delayed until right before the play that needs them.
"""

from __future__ import annotations

from hanasolve.jit import inline, popcount
from hanasolve.search.table import Array
from hanasolve.solitaire2.kernel import DRAW, MULTIPLES, TURNS, UNLIMITED


@inline
def reachable(book: Array, size: int, clock: int) -> int:
    """Places whose card can become the waste top by drawing, with at most one turn of the waste.

    A second turn brings nothing that the first did not.

    Parameters
    ----------
    book : array
    size : int
        Cards in stock and waste.
    clock : int
        Cards in the waste, and the turns so far above bit 6.

    Returns
    -------
    int
        Bit p for place p in the order of drawing, counted from 1.
    """
    places = without_turn(book, size, clock & 63)
    if clock & 63 and (book[TURNS] == UNLIMITED or clock >> 6 < book[TURNS]):
        places |= without_turn(book, size, 0)
    return int(places)


@inline
def without_turn(book: Array, size: int, waste: int) -> int:
    """Places that can be reached in this run through the stock: w, w+d, w+2d, … and the last."""
    up_to_size = (2 << size) - 2
    return int(book[MULTIPLES] << waste & up_to_size | 1 << size & up_to_size)


@inline
def turns_needed(book: Array, size: int, clock: int, place: int) -> int:
    """Turns of the waste, 0 or 1, until the card at a reachable place is the waste top."""
    return int(1 - (without_turn(book, size, clock & 63) >> place & 1))


@inline
def draws_and_turns(book: Array, size: int, waste: int, place: int, turns: int) -> int:
    """Moves until the card at a reachable place is the waste top: the draws, and 0 or 1 turns."""
    if turns:
        return int(draws(book, size - waste) + 1 + draws(book, place))
    return draws(book, place - waste)


@inline
def draws(book: Array, cards: int) -> int:
    """Draws that bring so many cards of the stock to the waste."""
    return int((cards + book[DRAW] - 1) // book[DRAW])


@inline
def place_of(places: int, bit: int) -> int:
    """Place in the order of drawing, counted from 1, of a bit of the places that are left."""
    return int(popcount(places & (2 << bit) - 1))


@inline
def least_waste(book: Array, size: int, clock: int) -> int:
    """Cards in the waste, or the least number that reaches the same places.

    Without a limit of passes, a waste of a multiple of the draw count, or of all cards, reaches
    what an empty one does: the multiples, and the last place. So both have the same future and
    may share a key. With a limit every number is its own.
    """
    waste = clock & 63
    if book[TURNS] == UNLIMITED and (book[MULTIPLES] >> waste & 1 or waste == size):
        return 0
    return int(waste)


@inline
def turns_left(book: Array, size: int, clock: int) -> int:
    """Turns of the waste that are left, never more than there are cards to be had by them.

    In a shortest win a card is taken after each turn and before the next one, or the turn could be
    left out; so with n cards in stock and waste more than n turns are as good as n.
    """
    if book[TURNS] == UNLIMITED:
        return 0
    return int(min(book[TURNS] - (clock >> 6), size))
