"""Best-first search (A*) with an exact transposition table; it knows no game.

Positions are expanded in the order of f = what they have cost + an admissible bound on what is
still to come. So f never falls, it is at any time a proven lower bound on every win, and the first
win to be expanded is a cheapest one. Among equal f the position that has cost most comes first, and
of these the one found last: so of the last f, whose positions are the most, few are expanded.

With an inflated bound, f = cost + weight * bound, a win is found sooner and need not be a cheapest
one; f is then no bound. Positions that cannot lead to a win of less than the limit are left out by
the bound as it is, so when all are done there is none.

*Rows.* A position that was expanded is kept as a row: where it came from, the move, what it has
cost, and the game's own words. One that may be expanded is kept only as an *offer*, the row before
it and the move; it is made again when its turn comes, and only then looked up in the table.

*Table.* The value of an entry is 1 more than the least cost at which the position was expanded. An
offer that is no cheaper is dropped. A cheaper one, which a bound that is not consistent can bring,
is expanded again. One that the oracle finds lost gets the value 1, and never comes again.

Sources: P. Hart, N. Nilsson and B. Raphael, A formal basis for the heuristic determination of
minimum cost paths (1968); I. Pohl, Heuristic search viewed as path finding in a graph (1970).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.depth_first import (
    ASKED_BY,
    BUDGET,
    CAPACITY,
    EXHAUSTED,
    FREE,
    KEY_AT,
    LEVEL,
    MOVES_FULL,
    NODE,
    NODES,
    OFFERS,
    ORACLE_FULL,
    PAUSE,
    PAUSED,
    ROWS,
    STACK_FULL,
    TABLE_FULL,
    USED,
    WEIGHT,
    WIDEST,
    WON,
    WON_NODE,
)
from hanasolve.search.ida_star import VALUES
from hanasolve.search.table import DEAD, Array, probe, store

# Columns of a row, before the game's own words.
BEFORE: Final = 0
MOVE: Final = 1
COST: Final = 2

# Columns of an offer.
WHAT: Final = 0
"""The move, and above `MOVE_BITS` the number of the row before."""
NEXT: Final = 1
OFFER_WORDS: Final = 2
MOVE_BITS: Final = 32
UNIT: Final = 8
"""The weight of a bound that is not inflated."""
NO_MOVE: Final = (1 << MOVE_BITS) - 1
"""Of the root, which is offered as row 0 itself; every move is less."""


@inline
def offer(offers: Array, heads: Array, control: Array, f: int, cost: int, what: int) -> None:
    """Enter an offer on the list for its f and cost."""
    at = control[FREE]
    if at >= 0:
        control[FREE] = offers[at, NEXT]
    else:
        at = control[OFFERS]
        control[OFFERS] += 1
    offers[at, WHAT] = what
    offers[at, NEXT] = heads[f, cost + 1]
    heads[f, cost + 1] = at
    heads[f, 0] = max(heads[f, 0], cost + 1)


@inline
def take(offers: Array, heads: Array, control: Array, f: int) -> int:
    """Take the last offer of the highest cost for an f; -1 when there is none."""
    cost = heads[f, 0]
    while cost > 0 and heads[f, cost] < 0:
        cost -= 1
    heads[f, 0] = cost
    if cost <= 0:
        return -1
    at = heads[f, cost]
    heads[f, cost] = offers[at, NEXT]
    offers[at, NEXT] = control[FREE]
    control[FREE] = at
    return int(offers[at, WHAT])


@inline
def begin(rows: Array, offers: Array, heads: Array, control: Array, weight: int) -> None:
    """Begin a search at the root, row 0, with an inflation of the bound, in units of 1 / `UNIT`."""
    control[WEIGHT] = weight
    control[LEVEL] = 0
    control[ROWS] = 1
    control[OFFERS] = 0
    control[FREE] = -1
    rows[0, BEFORE] = 0
    rows[0, MOVE] = NO_MOVE
    rows[0, COST] = 0
    offer(offers, heads, control, 0, 0, NO_MOVE)


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
    rows: Array,
    offers: Array,
    heads: Array,
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
    book, expand, child, bound, write_key, oracle, inner_… :
        As `ida_star.run` takes them.
    stack, moves : arrays
        For three positions and the moves of one.
    rows, offers : arrays
        As above: `NODE` columns and the game's words, `OFFER_WORDS` columns.
    heads : array
        For every f the highest cost offered, and then for every cost less than the limit the last
        offer; all -1 at first. Its columns are 1 more than the limit, and its rows the largest
        weighted f.
    table, control : arrays
        As `ida_star.run` takes them.

    Returns
    -------
    int
        `EXHAUSTED` (no win costs less than the limit), `WON` (the last row is one),
        `PAUSED`, or which array must grow first: `STACK_FULL` for the rows, `MOVES_FULL` for the
        offers.
    """
    at = control[KEY_AT]
    nodes = control[NODES]
    weight = control[WEIGHT]
    limit = heads.shape[1] - 1
    f = control[LEVEL]
    reason = EXHAUSTED
    while f < heads.shape[0]:
        if nodes + inner_control[NODES] >= control[PAUSE]:
            reason = PAUSED
            break
        if control[ROWS] == rows.shape[0]:
            reason = STACK_FULL
            break
        if control[OFFERS] + control[WIDEST] > offers.shape[0]:
            reason = MOVES_FULL
            break
        if control[USED] >= control[CAPACITY]:
            reason = TABLE_FULL
            break
        what = take(offers, heads, control, f)
        if what < 0:
            f += 1
            continue
        # The position goes to row 1 of the stack, the one before it to row 0.
        before, move = what >> MOVE_BITS, what & NO_MOVE
        cost = rows[before, COST]
        first = 1 if move == NO_MOVE else 0
        for k in range(NODE, at):
            stack[first, k] = rows[before, k]
        if move != NO_MOVE:
            cost += child(book, stack, 0, move)
        write_key(book, stack, 1)
        slot = probe(table, stack, 1, at, VALUES)
        known = table[slot, 0] & VALUES
        if known != 0 and known <= cost + 1:
            continue
        if known == 0:
            inner_control[ASKED_BY] = nodes
            inner_control[BUDGET] = control[PAUSE] - nodes - inner_control[NODES]
            verdict = oracle(book, stack, 1, inner_stack, inner_moves, inner_table, inner_control)
            if verdict in (TABLE_FULL, PAUSED):
                offer(offers, heads, control, f, cost, what)
                reason = ORACLE_FULL if verdict == TABLE_FULL else PAUSED
                break
            control[USED] += 1
            if verdict == DEAD:
                store(table, slot, stack, 1, at, 1)
                continue
        store(table, slot, stack, 1, at, cost + 1)
        row = control[ROWS]
        control[ROWS] += 1
        rows[row, BEFORE] = before
        rows[row, MOVE] = move
        rows[row, COST] = cost
        for k in range(NODE, at):
            rows[row, k] = stack[1, k]
        end = expand(book, stack, 1, moves, 0)
        nodes += 1
        if end == WON_NODE:
            reason = WON
            break
        # The likeliest move is offered last, to come first.
        for i in range(end - 1, -1, -1):
            after = cost + child(book, stack, 1, moves[i])
            least = bound(book, stack, 2, limit - 1 - after)
            if after + least < limit:
                offered_f = max(f, after + least * weight // UNIT)
                offer(offers, heads, control, offered_f, after, row << MOVE_BITS | moves[i])
    control[LEVEL] = f
    control[NODES] = nodes
    return reason
