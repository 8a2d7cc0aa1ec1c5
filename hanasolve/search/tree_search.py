"""Monte Carlo tree search over what a player knows, guided by a policy; it knows no game.

A node of the tree is what the player knows when he is to decide. Each simulation goes down from the
root: at a node it takes the decision with the largest

    mean result + c * prior * sqrt(visits of the node) / (1 + visits of the decision),

chance does what it does, and where a node is met for the first time it joins the tree and the
policy plays the game to its end. As chance is drawn anew at every step from what the player
knows, and a node is known by that alone, no decision uses what is hidden. The results are
estimates: they prove nothing.

Source: L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning (2006); C. D. Rosin,
Multi-armed bandits with episode context (2011), for the formula with priors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine
from hanasolve.search.table import Array, Floats, probe, store

# Columns of a node.
FIRST: Final = 0
"""Its first decision."""
COUNT: Final = 1
"""How many decisions it has."""
VISITS: Final = 2
NODE_WORDS: Final = 3

# The control array.
STREAM: Final = 0
"""State of the random numbers."""
SIMULATIONS: Final = 1
UNTIL: Final = 5
"""Simulations after which the search returns."""
KEY_AT: Final = 2
"""Column of a row where the key begins; its lowest bit is free."""
NODES: Final = 3
EDGES: Final = 4
CONTROL_SIZE: Final = 6

# What `go_on` gives.
LOST: Final = 0
WON: Final = 1
GOES_ON: Final = 2

EXPLORE: Final = 1.0
"""The constant c."""
UNTRIED: Final = 0.05
"""A decision that has not been tried counts as so much worse than the node's mean."""
MOST_OFFERED: Final = 16
"""A node has no more decisions than this."""
LONGEST: Final = 256
"""A simulation goes no further down than this in the tree."""


@engine
def run(
    book: Array,
    aids: Floats,
    offer: Callable[..., int],
    go_on: Callable[..., int],
    finish: Callable[..., bool],
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
    """Simulate until the control array says that it is enough.

    Parameters
    ----------
    book, aids : arrays
        What the game's functions need to know, and what its policy does.
    offer : compiled function
        ``offer(book, aids, rows, r, moves, priors, start, scratch)`` writes at most `MOST_OFFERED`
        decisions of the belief in row r, with priors that sum to one; gives their end.
    go_on : compiled function
        ``go_on(book, rows, r, move, control)`` makes a decision and lets chance move until the next
        one is due, and writes the key; gives `WON`, `LOST` or `GOES_ON`.
    finish : compiled function
        ``finish(book, aids, rows, r, control, scratch)`` plays the belief in row r to its end;
        gives whether it was won.
    rows : array
        The root in row 0; rows 1 and 2 are worked in.
    scratch : array
        For the game.
    table, numbers : arrays
        Which node a key belongs to; at most half full.
    nodes, moves, visits, priors, sums : arrays
        The tree: nodes, and for each of their decisions the move, how often it was tried, its
        prior, and the sum of its results. When they are full, no more nodes join.
    path : array
        Room for two numbers for each of `LONGEST` steps.
    control : array

    Returns
    -------
    int
        Simulations made.
    """
    at = control[KEY_AT]
    words = rows.shape[1]
    if control[NODES] == 0:
        end = offer(book, aids, rows, 0, moves, priors, 0, scratch)
        nodes[0, FIRST], nodes[0, COUNT], nodes[0, VISITS] = 0, end, 0
        control[NODES], control[EDGES] = 1, end
        for edge in range(end):
            visits[edge], sums[edge] = 0, 0.0
    while control[SIMULATIONS] < control[UNTIL]:
        for word in range(words):
            rows[1, word] = rows[0, word]
        node, depth, result = 0, 0, False
        while True:
            if nodes[node, COUNT] == 0:
                break
            edge = select(nodes, visits, priors, sums, node)
            path[2 * depth], path[2 * depth + 1] = node, edge
            depth += 1
            status = go_on(book, rows, 1, moves[edge], control)
            if status != GOES_ON:
                result = status == WON
                break
            slot = probe(table, rows, 1, at, 1)
            if table[slot, 0] != 0 and depth < LONGEST:
                node = numbers[slot]
                continue
            if table[slot, 0] == 0 and control[NODES] < nodes.shape[0]:
                store(table, slot, rows, 1, at, 1)
                node = control[NODES]
                numbers[slot] = node
                start = control[EDGES]
                end = offer(book, aids, rows, 1, moves, priors, start, scratch)
                for fresh in range(start, end):
                    visits[fresh], sums[fresh] = 0, 0.0
                nodes[node, FIRST], nodes[node, COUNT] = start, end - start
                nodes[node, VISITS] = 0
                control[NODES], control[EDGES] = node + 1, end
            for word in range(words):
                rows[2, word] = rows[1, word]
            result = finish(book, aids, rows, 2, control, scratch)
            break
        for step in range(depth):
            nodes[path[2 * step], VISITS] += 1
            visits[path[2 * step + 1]] += 1
            sums[path[2 * step + 1]] += result
        control[SIMULATIONS] += 1
    return int(control[SIMULATIONS])


@engine
def select(nodes: Array, visits: Array, priors: Floats, sums: Floats, node: int) -> int:
    """Give the decision of a node that is tried next."""
    first = nodes[node, FIRST]
    end = first + nodes[node, COUNT]
    tried, total = 0, 0.0
    for edge in range(first, end):
        tried += visits[edge]
        total += sums[edge]
    mean = total / tried if tried > 0 else 0.5
    width = EXPLORE * math.sqrt(tried + 1.0)
    best, most = first, -1.0
    for edge in range(first, end):
        n = visits[edge]
        value = sums[edge] / n if n > 0 else mean - UNTRIED
        value += width * priors[edge] / (1.0 + n)
        if value > most:
            best, most = edge, value
    return int(best)
