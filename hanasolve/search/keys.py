"""Laying out the fields of an exact key in as few words as they need."""

from __future__ import annotations

from collections.abc import Sequence

from hanasolve.jit import inline
from hanasolve.search.table import Array

WORD_BITS = 64


def lay_out(widths: Sequence[int], value_bits: int) -> tuple[int, list[tuple[int, int]]]:
    """Assign each field a word and a shift, keeping the table's value bits free.

    Parameters
    ----------
    widths : sequence of int
        Bits that each field needs, at most 64. A field of no bits must always be 0.
    value_bits : int
        Lowest bits of the first word that an entry's value takes.

    Returns
    -------
    words : int
        Words of the key.
    places : list of (word, shift)
        Where each field goes. Fields never share a bit, so different fields give different keys.

    Notes
    -----
    First fit by falling width: at most a few words, so no better packing is worth the code.
    """
    used = [value_bits]
    places = [(0, 0)] * len(widths)
    for field in sorted(range(len(widths)), key=lambda field: -widths[field]):
        width = widths[field]
        word = next((w for w, bits in enumerate(used) if bits + width <= WORD_BITS), len(used))
        if word == len(used):
            used.append(0)
        places[field] = (word, used[word] % WORD_BITS)
        used[word] += width
    return len(used), places


@inline
def put(
    book: Array, format_at: int, rows: Array, row: int, at: int, field: int, value: int
) -> None:
    """Write a field of the key ``rows[row, at:]``, whose format is in the book."""
    word = book[format_at + 2 * field]
    rows[row, at + word] |= value << book[format_at + 2 * field + 1]


@inline
def clear(rows: Array, row: int, at: int) -> None:
    """Empty a key before its fields are written."""
    for word in range(at, rows.shape[1]):
        rows[row, word] = 0
