"""Moves that may be forced without changing whether a position can be won, each with its proof.

All of them can be switched off together (``dominance=False`` of the solver), and the tests compare
the verdicts. None is used with ``foundation_return``, nor with ``foundation_order=sequential``,
where a pile that is still closed can make cards of a month compete for the one before it.

Notation: a card x of month r; heights are the heights of the foundation piles.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline
from hanasolve.search.table import Array
from hanasolve.solitaire2.kernel import DRAW, SEARCH, TURNS, UNLIMITED

SAFETY: Final = SEARCH
"""Place in the book: which rule for safe foundation moves holds."""
OFF: Final = 0
STRICT: Final = 1
LOOSE: Final = 2
LOOSE_ALTERNATING: Final = 3


@inline
def safe(book: Array, heights: int) -> int:
    """Cards that may be brought up at once when they are the last of a *column*.

    *Strict* (``any``, ``interchangeable``): every pile has reached month r-1. Then all cards that x
    could ever carry are up, and no card competes with x for its pile: each of the four piles takes
    one card of month r. (With ``completion`` the third pile takes its December only when the first
    two are complete, and then the fourth takes the other one right after it.) Take any winning
    line, leave out the moves of x and play x at the start. Runs that x was part of move as before
    without it (x was their last card, and a run fits by its head); columns uncovered early only
    offer more; nothing was laid on x. So the line wins still.

    *Loose* (``by_class``): every other pile has reached r-2. Only a card y of month r-1 can be laid
    on x, as lower ones are up. Whenever the line lays y on x, from a column or from the waste, y
    can go up instead: its pile stands at r-2, and a run carried by y would begin with month r-2,
    which is up. Later moves of y and of what is laid on y (nothing: month r-2 is up) are left out.
    Lower months are not needed as carriers by anything, so the rest of the line stays legal.
    (``completion`` restricts December only, and y is none.)

    *Loose, alternating* (``by_class`` with ``alternate``): the two piles of the other kind have
    reached r-2, the other pile of x's kind r-3. As before for y, which is of the other kind. A run
    carried by y, or laid on it, begins with z of month r-2 and x's kind, of the one pile that may
    stand at r-3; z can go up first, and carries nothing, since what it could carry is up. Then y
    goes up.

    Returns
    -------
    int
        The set of safe cards; only those that a pile takes now may be played.
    """
    mode = book[SAFETY]
    if mode == OFF:
        return 0
    h0, h1, h2, h3 = heights & 15, heights >> 4 & 15, heights >> 8 & 15, heights >> 12
    least = min(min(h0, h1), min(h2, h3))
    if mode == STRICT:
        return 15 << 4 * least if least < 12 else 0
    cards = 0
    points, others = min(h0, h1), min(h2, h3)
    for pile in range(4):
        height = heights >> 4 * pile & 15
        if mode == LOOSE:
            is_safe = height <= least + 1
        else:
            twin = heights >> 4 * (pile ^ 1) & 15
            is_safe = height <= (others if pile < 2 else points) + 1 and height <= twin + 2
        if is_safe and height < 12:
            cards |= 1 << (4 * height + pile)
    return cards


@inline
def safe_from_stock(book: Array, size: int, waste: int, place: int) -> bool:
    """Whether taking the card at a place of the drawing order costs no access to the others.

    Without a limit of passes, let R(w) be the places that can become the waste top when w cards
    are in the waste: w itself, the places w+d, w+2d, …, the multiples of d, and the last (d is the
    number of cards drawn at a time).

    *d = 1*: every place is always in R, whatever is taken.

    *The last place, with w = 0 (or a w that reaches the same places)*: R is the multiples of d and
    the last place. Afterwards it is the multiples of d and the new last place, so nothing else was
    lost. Nor is it later: compare any line with the one where this card is gone. At equal w the
    places below it that R offers are the same but for the new last place, which is one more.

    Together with `safe`, whose argument does not use where x comes from, the move may be forced.

    Parameters
    ----------
    book : array
    size : int
        Cards in stock and waste.
    waste : int
        Cards in the waste, brought to its least equivalent (see `stock.least_waste`).
    place : int
        The place, counted from 1.
    """
    if book[TURNS] != UNLIMITED:
        return False
    return bool(book[DRAW] == 1 or (waste == 0 and place == size))
