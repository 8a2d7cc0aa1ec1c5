"""Tree search by simulation: what the engine asks of Three Treasures, compiled.

The decisions of a node are those that the policy likes best, one of each that are renamings of one
another; their priors are nearly what the policy would do if it chose by chance. A node's key is the
packed belief itself: moves name cards, so beliefs that are renamings must not share a node.
"""

from __future__ import annotations

import math
from typing import Final

from hanasolve.jit import FLOATS, ITEMS, ROWS, inline, int64, jit
from hanasolve.search import tree_search as ts
from hanasolve.search.table import Array, Floats
from hanasolve.treasures import kernel as k
from hanasolve.treasures import policy, values

KEY_WORDS: Final = k.WORDS - k.HAND
WIDTH: Final = values.KEY + KEY_WORDS
"""Words of a row."""
WARMTH: Final = 1.5
"""How much flatter the priors are than what the policy does."""
OPEN: Final = 0.1
"""Part of the priors that is the same for all decisions, so that none is never tried."""


@inline
def write_key(row: Array, r: int) -> None:
    """Write the key of a belief: its words, the lowest bit of the first left free."""
    row[r, values.KEY] = row[r, k.HAND] << 1
    for word in range(1, KEY_WORDS):
        row[r, values.KEY + word] = row[r, k.HAND + word]


@inline
def offer(
    book: Array,
    aids: Floats,
    rows: Array,
    r: int,
    moves: Array,
    priors: Floats,
    start: int,
    scratch: Array,
) -> int:
    """Write the decisions that the policy likes best, and their priors; the engine's `offer`."""
    for word in range(values.SIGNS, values.KEY):
        rows[r, word] = 0
    back = k.matters(book, rows, r)
    values.write_signs(book, rows, r, back, values.ALL_CARDS)
    policy.look(book, rows, r, aids)
    end = start
    for i in range(k.actions(book, rows, r, scratch, 0)):
        move = scratch[i]
        liked = policy.score(book, rows, r, move, aids) / WARMTH
        if end == start + ts.MOST_OFFERED and liked <= priors[end - 1]:
            continue
        j = start
        while j < end and not values.same_step(book, rows, r, move, moves[j]):
            j += 1
        if j == end:
            end = policy.rank(moves, priors, start, end, ts.MOST_OFFERED, move, liked)
    if end > start:
        most, total = priors[start], 0.0
        for j in range(start, end):
            priors[j] = math.exp(priors[j] - most)
            total += priors[j]
        for j in range(start, end):
            priors[j] = (1.0 - OPEN) * priors[j] / total + OPEN / (end - start)
    return end


@inline
def go_on(book: Array, rows: Array, r: int, move: int, control: Array) -> int:
    """Make a decision and let chance move until the next one is due; the engine's `go_on`."""
    k.play(book, rows, r, move)
    while not policy.is_over(book, rows, r):
        if rows[r, k.META] & k.PHASE >= k.ACT:
            write_key(rows, r)
            return ts.GOES_ON
        k.play(book, rows, r, policy.sample(rows, r, control))
    return ts.WON if rows[r, k.META] & k.PHASE == k.WON else ts.LOST


@inline
def finish(book: Array, aids: Floats, rows: Array, r: int, control: Array, scratch: Array) -> bool:
    """Play a belief to its end by the policy; the engine's `finish`."""
    return policy.playout(book, rows, r, aids, control, scratch)


@jit(
    int64(
        *(ITEMS, FLOATS, ROWS, ITEMS, ROWS, ITEMS, ROWS, ITEMS),
        *(ITEMS, FLOATS, FLOATS, ITEMS, ITEMS),
    )
)
def simulate(
    book: Array,
    aids: Floats,
    rows: Array,
    scratch: Array,
    table: Array,
    numbers: Array,
    nodes: Array,
    moves: Array,
    visits: Array,
    priors: Floats,
    sums: Floats,
    path: Array,
    control: Array,
) -> int:
    """Simulate on; gives the simulations made."""
    return int(
        ts.run(
            *(book, aids, offer, go_on, finish, rows, scratch, table, numbers),
            *(nodes, moves, visits, priors, sums, path, control),
        )
    )
