"""Random numbers within kernels, the same everywhere: xorshift.

Source: G. Marsaglia, Xorshift RNGs (2003); the scrambling of seeds is that of SplitMix64.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import inline
from hanasolve.search.table import Array

_MASK: Final = (1 << 63) - 1


@inline
def uniform(stream: Array) -> float:
    """Give the next number in [0, 1), from the state ``stream[0]``, which is never zero."""
    x = stream[0]
    x ^= (x << 13) & 0x7FFFFFFFFFFFFFFF
    x ^= x >> 7
    x ^= (x << 17) & 0x7FFFFFFFFFFFFFFF
    stream[0] = x
    return float((x >> 10) * 2.0**-53)


def seeded(seed: int) -> int:
    """Give the state with which the stream of a seed begins."""
    word = (seed + 0x9E3779B97F4A7C15) & ((1 << 64) - 1)
    for multiplier in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        word = (word ^ word >> 30) * multiplier & ((1 << 64) - 1)
    return (word ^ word >> 31) & _MASK or 1
