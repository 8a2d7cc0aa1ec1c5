"""Iterative-deepening A* with an exact transposition table; it knows no game.

One iteration is a depth-first search for a win that costs at most a limit. A position is left as
soon as what it has cost and an admissible bound on what is still to come exceed the limit; the
least such sum is the next limit, so the limit is at any time a proven lower bound, and the first
win that is found is a cheapest one.

*Table.* The value of an entry is a proven lower bound on the cost from the position to a win; it
depends on the position alone, so it stays from one iteration to the next. A position that is
entered with a budget b is stored at once as b + 1: if the iteration finds no win, no win within b
can be had from it. Should the position be reached again below itself, then with a smaller budget,
and it is left: a cheapest line never visits a position twice. So when an iteration ends without a
win all entries hold. When it ends with one, those on the line and any that were left because of
them need not: the table is of no use afterwards.

Sources: R. Korf, Depth-first iterative-deepening: an optimal admissible tree search (1985); A.
Reinefeld and T. Marsland, Enhanced iterative-deepening search (1994).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.depth_first import (
    ASKED_BY,
    BUDGET,
    BUDGET_LEFT,
    CAPACITY,
    DEPTH,
    END,
    EXCESS,
    EXHAUSTED,
    KEY_AT,
    MOVES_FULL,
    NEXT,
    NODES,
    ORACLE_FULL,
    PAUSE,
    PAUSED,
    PENDING,
    STACK_FULL,
    TABLE_FULL,
    UNEXPANDED,
    USED,
    WIDEST,
    WON,
    WON_NODE,
)
from hanasolve.search.table import DEAD, Array, probe, store

VALUE_BITS: Final = 16
VALUES: Final = (1 << VALUE_BITS) - 1
NEVER: Final = VALUES
"""The bound of a position from which there is no win; more than any cost."""


@inline
def begin(stack: Array, table: Array, control: Array, limit: int) -> None:
    """Begin an iteration at the root, row 0 of the stack."""
    slot = probe(table, stack, 0, control[KEY_AT], VALUES)
    control[USED] += table[slot, 0] == 0
    store(table, slot, stack, 0, control[KEY_AT], limit + 1)
    control[DEPTH] = 0
    control[PENDING] = 0
    control[EXCESS] = NEVER
    stack[0, END] = UNEXPANDED
    stack[0, BUDGET_LEFT] = limit


@engine
def run(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    bound: Callable[..., int],
    write_key: Callable[..., None],
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

    Parameters
    ----------
    book, expand, oracle, stack, moves, table, control, inner_… :
        As `depth_first.run` takes them. The oracle is asked once about every position.
    child : compiled function
        As there, but without the key; it gives the cost of the move, at least 1.
    bound : compiled function
        ``bound(book, stack, row, budget)``: a lower bound on the cost to a win, `NEVER` if there is
        none; once it exceeds the budget it need not be the best one known.

    write_key : compiled function
        ``write_key(book, stack, row)`` writes the key of a position.

    Returns
    -------
    int
        `EXHAUSTED` (no win within the limit), `WON`, `PAUSED`, or which array must grow first.
    """
    at = control[KEY_AT]
    depth = control[DEPTH]
    nodes = control[NODES]
    excess = control[EXCESS]
    pending = control[PENDING] != 0
    control[PENDING] = 0
    reason = EXHAUSTED
    while depth >= 0:
        is_new = pending
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
            left = stack[depth, BUDGET_LEFT] - child(book, stack, depth, move)
            stack[depth + 1, BUDGET_LEFT] = left
            least = bound(book, stack, depth + 1, left)
            if least > left:
                if least != NEVER:
                    excess = min(excess, least - left)
                continue
            write_key(book, stack, depth + 1)
            slot = probe(table, stack, depth + 1, at, VALUES)
            least = table[slot, 0] & VALUES
            if least > left:
                if least != NEVER:
                    excess = min(excess, least - left)
                continue
            is_new = least == 0
            control[USED] += is_new
            store(table, slot, stack, depth + 1, at, left + 1)
        pending = False
        if is_new:
            inner_control[ASKED_BY] = nodes
            inner_control[BUDGET] = control[PAUSE] - nodes - inner_control[NODES]
            verdict = oracle(
                book, stack, depth + 1, inner_stack, inner_moves, inner_table, inner_control
            )
            if verdict in (TABLE_FULL, PAUSED):
                control[PENDING] = 1
                reason = ORACLE_FULL if verdict == TABLE_FULL else PAUSED
                break
            if verdict == DEAD:
                slot = probe(table, stack, depth + 1, at, VALUES)
                store(table, slot, stack, depth + 1, at, NEVER)
                continue
        depth += 1
        stack[depth, END] = UNEXPANDED
    control[DEPTH] = depth
    control[NODES] = nodes
    control[EXCESS] = excess
    return reason
