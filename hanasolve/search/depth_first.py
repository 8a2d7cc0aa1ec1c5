"""Depth-first search for a win, with an exact transposition table; it knows no game.

A game hands over three compiled functions and a *book*, an array of `int64` with whatever they need
to know. A position is a row of the stack: three words of the engine's, then the game's own words,
then the key that the table is asked for. Everything that the search must remember lies in arrays,
so it can stop after any node and go on later: limits, progress and interrupts live in Python,
between two slices of work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.table import ALIVE, DEAD, OPEN, STATUS, Array, probe, store

# Columns of a stack row.
NEXT: Final = 0
END: Final = 1
BUDGET_LEFT: Final = 2
"""What `ida_star` may still spend from here."""
NODE: Final = 3
UNEXPANDED: Final = -1

# What `expand` gives for a won position, in place of the end of its moves.
WON_NODE: Final = -1

# Entries of a control array.
DEPTH: Final = 0
NODES: Final = 1
PAUSE: Final = 2
"""Nodes at which to pause, those of the oracle included."""
USED: Final = 3
CAPACITY: Final = 4
KEY_AT: Final = 5
WIDEST: Final = 6
PENDING: Final = 7
"""Whether the oracle has still to answer for the position below the one at `DEPTH`."""
ASKED_BY: Final = 8
"""In an oracle's control array: the nodes of the search that asks."""
BUDGET: Final = 9
"""In an oracle's control array: the nodes that are left until the asking search must pause."""
UNTIL: Final = 10
"""In an oracle's control array, for its own use: the nodes at which it gives up."""
EXCESS: Final = 11
"""Of `ida_star`: the least by which a position that was left overstepped the limit."""
ASKED: Final = 12
LOST: Final = 13
"""In an oracle's control array, for its own use: how often it was asked, and gave `DEAD`."""
LEVEL: Final = 14
"""Of `best_first`: the f of the positions that are being expanded."""
ROWS: Final = 15
OFFERS: Final = 16
"""Of `best_first`: how many rows and offers are used."""
FREE: Final = 17
"""Of `best_first`: the first of a list of offers that can be used again."""
WEIGHT: Final = 18
"""Of `best_first`: by how much the bound is inflated."""
TRANSITIONS: Final = 19
EDGES: Final = 20
WANTED: Final = 21
REASON: Final = 22
"""Of `expectimax`: steps made, edges used, nodes and edges that there was no room for, and why it
returned when it was asked as an oracle."""
ROUND: Final = 23
"""Of `expectimax`: how often it was begun."""
CONTROL_SIZE: Final = 24
"""A control array has twice as many: the second half is that of the oracle of an oracle, which asks
nobody."""

# Why a search returned; unlike any status, since an oracle may give either.
EXHAUSTED: Final = 10
WON: Final = 11
PAUSED: Final = 12
TABLE_FULL: Final = 13
STACK_FULL: Final = 14
MOVES_FULL: Final = 15
ORACLE_FULL: Final = 16


@inline
def begin(stack: Array, table: Array, control: Array) -> int:
    """Enter the root, row 0 of the stack; gives its status, 0 when it was not known."""
    slot = probe(table, stack, 0, control[KEY_AT], STATUS)
    status = table[slot, 0] & STATUS
    if status == 0:
        control[USED] += 1
    if status == 0 or status == OPEN:
        store(table, slot, stack, 0, control[KEY_AT], DEAD)
    control[DEPTH] = 0
    control[PENDING] = 0
    stack[0, END] = UNEXPANDED
    return int(status)


def _run(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    oracle: Callable[..., int],
    stack: Array,
    moves: Array,
    table: Array,
    control: Array,
    inner_stack: Array,
    inner_moves: Array,
    inner_table: Array,
    inner_control: Array,
) -> int:
    """Search on from where the control array says, until a win, the end, or something is full.

    A position is entered into the table as `DEAD` when it is first reached: either it is lost, or
    it lies on the line being searched, where reaching it again is a cycle and need not be followed.
    So when the search is exhausted every entry marked `DEAD` is lost.

    Parameters
    ----------
    book : array
        What the game's functions need to know.
    expand : compiled function
        ``expand(book, stack, depth, moves, start)`` writes the moves of the position at ``depth``
        into ``moves[start:]`` and gives their end, or `WON_NODE`.
    child : compiled function
        ``child(book, stack, depth, move)`` writes the position after the move, with its key, into
        row ``depth + 1``; its result is not used.
    oracle : compiled function
        ``oracle(book, stack, depth, …)`` gives `DEAD` when the position at ``depth`` is proven
        lost, `TABLE_FULL` when its own table must grow first, and anything else when it cannot
        say. The other arguments are the arrays of a search of its own. It may also give `PAUSED`,
        when its `BUDGET` is used up; it is then asked again later.
    stack, moves, table, control : arrays
        The search itself.
    inner_stack, inner_moves, inner_table, inner_control : arrays
        The oracle's own search.

    Returns
    -------
    int
        `EXHAUSTED`, `WON`, `PAUSED`, or which array must grow before the search can go on.
    """
    at = control[KEY_AT]
    depth = control[DEPTH]
    nodes = control[NODES]
    pending = control[PENDING] != 0
    control[PENDING] = 0
    reason = EXHAUSTED
    while depth >= 0:
        if not pending:
            if stack[depth, END] == UNEXPANDED:
                start = stack[depth - 1, END] if depth > 0 else 0
                if nodes + inner_control[NODES] >= control[PAUSE]:
                    reason = PAUSED
                    break
                if depth + 2 > stack.shape[0]:
                    reason = STACK_FULL
                    break
                if start + control[WIDEST] > moves.size:
                    reason = MOVES_FULL
                    break
                end = expand(book, stack, depth, moves, start)
                nodes += 1
                if end == WON_NODE:
                    reason = WON
                    break
                stack[depth, NEXT] = start
                stack[depth, END] = end
            if stack[depth, NEXT] == stack[depth, END]:
                depth -= 1
                continue
            if control[USED] >= control[CAPACITY]:
                reason = TABLE_FULL
                break
            move = moves[stack[depth, NEXT]]
            stack[depth, NEXT] += 1
            child(book, stack, depth, move)
            slot = probe(table, stack, depth + 1, at, STATUS)
            status = table[slot, 0] & STATUS
            if status == DEAD:
                continue
            if status == ALIVE:
                reason = WON
                break
            if status != OPEN:
                control[USED] += 1
            store(table, slot, stack, depth + 1, at, DEAD)
        pending = False
        inner_control[ASKED_BY] = nodes
        inner_control[BUDGET] = control[PAUSE] - nodes - inner_control[NODES]
        verdict = oracle(
            book, stack, depth + 1, inner_stack, inner_moves, inner_table, inner_control
        )
        if verdict in (TABLE_FULL, PAUSED):
            control[PENDING] = 1
            reason = ORACLE_FULL if verdict == TABLE_FULL else PAUSED
            break
        if verdict != DEAD:
            depth += 1
            stack[depth, END] = UNEXPANDED
    control[DEPTH] = depth
    control[NODES] = nodes
    return reason


run = engine(_run)
run_within = engine(_run)
"""The same for the search of an oracle: Numba would take one function within itself for recursion,
whose address it cannot cache."""


@inline
def settle(stack: Array, table: Array, control: Array, status: int) -> int:
    """Give the positions on the current line another status, when the search is given up or won.

    What stays marked `DEAD` is then lost only if no position can be reached again from itself, as
    else it may have been left because it led back to the line. So this is for acyclic games.
    """
    for row in range(control[DEPTH] + 1):
        slot = probe(table, stack, row, control[KEY_AT], STATUS)
        store(table, slot, stack, row, control[KEY_AT], status)
    return int(control[DEPTH]) + 1
