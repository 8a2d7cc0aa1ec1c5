"""A flat transposition table with exact keys: open addressing in one array of `int64`.

A key is a row of words whose first word has its lowest bits free; there the entry's value is kept:
two bits for a status, more for a number. A word of zero means an empty slot, which cannot be
mistaken for an entry because no value is zero. Keys are compared whole, so a hit is always the same
position.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit

DEAD: Final = 1
"""The position cannot be won, or is being searched further up on the current line."""
ALIVE: Final = 2
"""The position can be won."""
OPEN: Final = 3
"""A search of the position was given up before it ended."""
STATUS_BITS: Final = 2
STATUS: Final = (1 << STATUS_BITS) - 1
"""The bits of a value that is a status."""

Array = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


@inline
def mix(word: int) -> int:
    """Scramble a word (two rounds of xor-shift and multiply, a bijection)."""
    word = (word ^ (word >> 31)) * -4658895280553007687
    word = (word ^ (word >> 29)) * -7723592293110705685
    return word ^ (word >> 32)


@inline
def probe(table: Array, rows: Array, row: int, at: int, values: int) -> int:
    """Slot that holds the key ``rows[row, at:]``, or the empty one where it belongs.

    ``values`` are the bits that hold an entry's value.
    """
    words = table.shape[1]
    mask = table.shape[0] - 1
    first = rows[row, at]
    seed = first
    for k in range(1, words):
        seed = mix(seed) ^ rows[row, at + k]
    slot = mix(seed) & mask
    while table[slot, 0] != 0:
        if table[slot, 0] & ~values == first:
            same = True
            for k in range(1, words):
                if table[slot, k] != rows[row, at + k]:
                    same = False
            if same:
                break
        slot = (slot + 1) & mask
    return int(slot)


@inline
def store(table: Array, slot: int, rows: Array, row: int, at: int, value: int) -> None:
    """Write the key ``rows[row, at:]`` and its value into a slot."""
    table[slot, 0] = rows[row, at] | value
    for k in range(1, table.shape[1]):
        table[slot, k] = rows[row, at + k]


@jit(int64(ROWS, ROWS, int64, int64, int64), allocates=True)
def rehash(old: Array, new: Array, start: int, stop: int, values: int) -> int:
    """Enter the entries in slots ``start`` to ``stop`` of a table into a larger one."""
    key = np.empty((1, old.shape[1]), np.int64)
    count = 0
    for i in range(start, min(stop, old.shape[0])):
        if old[i, 0] != 0:
            for k in range(old.shape[1]):
                key[0, k] = old[i, k]
            key[0, 0] = old[i, 0] & ~values
            store(new, probe(new, key, 0, 0, values), key, 0, 0, old[i, 0] & values)
            count += 1
    return count


@jit(int64(ROWS, ITEMS, ROWS, ITEMS, int64, int64, int64), allocates=True)
def rehash_valued(
    old: Array,
    old_beside: Array,
    new: Array,
    new_beside: Array,
    start: int,
    stop: int,
    values: int,
) -> int:
    """Do as `rehash`, and take along the numbers that stand beside the entries."""
    key = np.empty((1, old.shape[1]), np.int64)
    count = 0
    for i in range(start, min(stop, old.shape[0])):
        if old[i, 0] != 0:
            for k in range(old.shape[1]):
                key[0, k] = old[i, k]
            key[0, 0] = old[i, 0] & ~values
            slot = probe(new, key, 0, 0, values)
            store(new, slot, key, 0, 0, old[i, 0] & values)
            new_beside[slot] = old_beside[i]
            count += 1
    return count
