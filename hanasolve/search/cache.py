"""A lossy table with exact keys: each position has one slot, and the last one to come keeps it.

What is lost is worked out again, so such a table never is an answer's limit. A small one that fits
the processor's cache is faster than a large one; it grows as the search does. Keys are two words,
compared whole, so a hit is always the same position. What a game tells by them must not have
`EMPTY` as its first word.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanasolve.jit import ROWS, inline, int64, jit
from hanasolve.search.table import Array, mix

KEY_WORDS: Final = 2
EMPTY: Final = -1
_NODES_A_SLOT: Final = 8
"""So many positions expanded for each slot, and a table is doubled."""
_NO_END: Final = 1 << 62
_BYTES: Final = 8
_MIB: Final = 1 << 20


@inline
def slot_of(table: Array, first: int, second: int) -> int:
    """Give the slot of a key."""
    return int(mix(mix(first) ^ second) & (table.shape[0] - 1))


@inline
def is_in(table: Array, slot: int, first: int, second: int) -> bool:
    """Whether a slot holds a key."""
    return bool(table[slot, 0] == first and table[slot, 1] == second)


@jit(int64(ROWS, ROWS))
def _move(old: Array, new: Array) -> int:
    """Enter all entries of a table into a larger one."""
    for i in range(old.shape[0]):
        if old[i, 0] != EMPTY:
            slot = slot_of(new, old[i, 0], old[i, 1])
            for k in range(old.shape[1]):
                new[slot, k] = old[i, k]
    return 0


class Cache:
    """A table that grows with the search.

    Parameters
    ----------
    slots : int
        To begin with; a power of two.
    words : int
        Of an entry.

    Attributes
    ----------
    table : array
    """

    def __init__(self, slots: int, words: int) -> None:
        self.table: Array = np.full((slots, words), EMPTY, np.int64)

    def grow(self, nodes: int, memory: int) -> int:
        """Double the table if so many nodes ask for it, as far as so many MiB let it grow.

        Gives the number of nodes after which to ask again. Asked just then, it has the same size
        at every node on every run, however the work is sliced.
        """
        slots, words = self.table.shape
        # While it is copied both are there.
        while nodes >= _NODES_A_SLOT * slots and 3 * slots * words * _BYTES <= memory * _MIB:
            larger: Array = np.full((2 * slots, words), EMPTY, np.int64)
            _move(self.table, larger)
            self.table = larger
            slots *= 2
        left = _NODES_A_SLOT * slots - nodes
        return left if left > 0 else _NO_END
