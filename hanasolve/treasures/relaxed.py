"""The game without months: a relaxed one, told by counts, whose values are bounds from above.

In it every card is of the month that is asked for: any card that is no animal dispels, any card
avoids, any empty one wanders (`kernel.MONTHLESS`). Whatever the player can do in the game he can do
here, with the same outcomes and the same knowledge. So a strategy of the game is one of this, and
the value here is no less.

*Key.* Cards of one kind play the same part, so what matters is how many of each kind lie where: in
the hand, in the pool with what bars them, among the seen, at known places; and of the present only
whether it is an animal. Of the discard pile only so much matters as can come back: a blue banner
takes a card X, and two animals at most. So with b blue banners that can still be played, b empty
cards and 3 b animals are as good as more: after any of their plays there are still enough for the
b - 1 others.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline, lowest, popcount
from hanasolve.search.table import Array
from hanasolve.treasures import kernel as k

COUNT_BITS: Final = 5
"""Of the number of cards of a kind; there are at most 23."""
EMPTY: Final = 0
ANIMAL: Final = 1
"""Numbers of these kinds."""
WORDS: Final = 4 + k.CLASSES
"""How many words the counts take."""


@inline
def kinds_in(book: Array, cards: int) -> int:
    """Count the cards of each kind in a set."""
    counts = 0
    while cards != 0:
        counts += 1 << COUNT_BITS * book[k.KIND + lowest(cards)]
        cards &= cards - 1
    return counts


@inline
def returnable(book: Array, stack: Array, row: int, back: int) -> int:
    """Count the cards of each kind on the discard pile, as far as they can come back."""
    live = stack[row, k.HAND] | stack[row, k.POOL]
    live |= stack[row, k.SEEN] | stack[row, k.KNOWN]
    blues = popcount(live & book[k.BLUES])
    animals, empties = back & book[k.ANIMALS], back & book[k.EMPTIES]
    counts = kinds_in(book, back ^ animals ^ empties)
    counts += min(popcount(empties), blues) << COUNT_BITS * EMPTY
    return int(counts + (min(popcount(animals), 3 * blues) << COUNT_BITS * ANIMAL))


@inline
def write_counts(book: Array, stack: Array, row: int, at: int, back: int) -> None:
    """Write how many cards of each kind lie where, into the columns from ``at``."""
    pool = stack[row, k.POOL]
    stack[row, at] = kinds_in(book, stack[row, k.HAND])
    stack[row, at + 1] = kinds_in(book, pool)
    stack[row, at + 2] = returnable(book, stack, row, back)
    stack[row, at + 3] = kinds_in(book, stack[row, k.SEEN])
    for j in range(k.CLASSES):
        stack[row, at + 4 + j] = kinds_in(book, pool & stack[row, k.NOT + j])
