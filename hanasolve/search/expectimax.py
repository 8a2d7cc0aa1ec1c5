"""Expectimax over a graph without cycles, with an exact transposition table; it knows no game.

The value of a position is the chance of winning it under best play: at a decision the largest of
the values after it, at a point of chance their mean. It is worked out depth first, and each
position's only once: the table keeps it under the whole key.

Source: D. Michie, Game-playing and game-learning automata (1966); tables as in `depth_first`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.depth_first import (
    CAPACITY,
    DEPTH,
    END,
    EXHAUSTED,
    KEY_AT,
    MOVES_FULL,
    NEXT,
    NODES,
    PAUSE,
    PAUSED,
    STACK_FULL,
    TABLE_FULL,
    TRANSITIONS,
    UNEXPANDED,
    USED,
    WIDEST,
)
from hanasolve.search.table import Array, Floats, probe, store

KIND: Final = 2
"""Column of a stack row: whether chance is to move."""
VALUE_BITS: Final = 1
VALUES: Final = 1
"""An entry is marked by 1; its value stands beside the table."""

# What `expand` gives for a position that is over, and `child` for one that is not, or is.
WON: Final = -1
LOST: Final = -2
GOES_ON: Final = 0


@inline
def begin(stack: Array, control: Array) -> None:
    """Begin at the root, row 0 of the stack."""
    control[DEPTH] = 0
    stack[0, END] = UNEXPANDED


@engine
def run(
    book: Array,
    aids: Floats,
    expand: Callable[..., int],
    child: Callable[..., int],
    stack: Array,
    moves: Array,
    weights: Floats,
    totals: Floats,
    table: Array,
    values: Floats,
    control: Array,
) -> int:
    """Search on from where the control array says, until the root's value is known.

    Parameters
    ----------
    book, aids : arrays
        What the game's functions need to know.
    expand : compiled function
        ``expand(book, aids, stack, depth, moves, weights, start)`` writes the steps of a position
        into ``moves[start:]``, for one of chance with their probabilities, and whether it is one
        into the column `KIND`; gives their end, or `WON` or `LOST`.
    child : compiled function
        ``child(book, stack, depth, move)`` writes the position after a step, with its key, into
        the next row; gives `GOES_ON`, or `WON` or `LOST` if it is over.
    stack, moves, weights, totals : arrays
        The line being searched: rows, their steps with weights, and for each row what it is worth
        as far as it is known; the root's is ``totals[0]``.
    table, values : arrays
        Positions that are done, and what they are worth.
    control : array
        As in `depth_first`.

    Returns
    -------
    int
        `EXHAUSTED` when the value is known, `PAUSED`, or which array must grow first.
    """
    at = control[KEY_AT]
    depth = control[DEPTH]
    nodes = control[NODES]
    reason = EXHAUSTED
    value = 0.0
    while True:
        done = False
        if stack[depth, END] == UNEXPANDED:
            start = stack[depth - 1, END] if depth > 0 else 0
            if nodes >= control[PAUSE]:
                reason = PAUSED
                break
            if control[USED] >= control[CAPACITY]:
                reason = TABLE_FULL
                break
            if depth + 2 > stack.shape[0]:
                reason = STACK_FULL
                break
            if start + control[WIDEST] > moves.size:
                reason = MOVES_FULL
                break
            end = expand(book, aids, stack, depth, moves, weights, start)
            nodes += 1
            totals[depth] = 1.0 if end == WON else 0.0
            stack[depth, NEXT] = start
            stack[depth, END] = max(start, end)
        if stack[depth, NEXT] < stack[depth, END]:
            over = child(book, stack, depth, moves[stack[depth, NEXT]])
            control[TRANSITIONS] += 1
            if over == WON:
                value = 1.0
                done = True
            elif over == LOST:
                value = 0.0
                done = True
            else:
                slot = probe(table, stack, depth + 1, at, VALUES)
                if table[slot, 0] != 0:
                    value = values[slot]
                    done = True
                else:
                    depth += 1
                    stack[depth, END] = UNEXPANDED
        else:
            value = totals[depth]
            slot = probe(table, stack, depth, at, VALUES)
            control[USED] += table[slot, 0] == 0
            store(table, slot, stack, depth, at, VALUES)
            values[slot] = value
            depth -= 1
            if depth < 0:
                depth = 0
                break
            done = True
        if done:
            if stack[depth, KIND]:
                totals[depth] += weights[stack[depth, NEXT]] * value
            else:
                totals[depth] = max(totals[depth], value)
            stack[depth, NEXT] += 1
            if totals[depth] >= 1.0 and not stack[depth, KIND]:
                stack[depth, NEXT] = stack[depth, END]
    control[DEPTH] = depth
    control[NODES] = nodes
    return reason
