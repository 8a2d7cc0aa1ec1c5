"""Expectimax by intervals: best-first search that proves bounds until they meet; it knows no game.

The value of a position is the chance of winning it under best play: at a decision the largest of
the values after it, at a point of chance their mean. The positions that were looked at are kept as
a graph without cycles. Each has an interval for its value, ``[0, 1]`` or better at first; whatever
is learned about one narrows those above it. Only what keeps the root's interval open is looked
into: at a decision the step that promises most, at a point of chance the one that adds most to the
width. A step that promises less than another is proven to be worth comes up never, so good upper
bounds, as those of a relaxed game, leave most of the graph out.

The search stays below a position until its interval is closed, or its upper end falls under a
*floor*, the second best promise further up, and goes back no further than it must.

Sources: A. Martelli and U. Montanari, Additive AND/OR graphs (1973), for the best-first order, with
the intervals of H. B. McMahan, M. Likhachev and G. Gordon, Bounded real-time dynamic programming
(2005), and the floors of R. E. Korf, Linear-space best-first search (1993). That bounds cut at
points of chance, too, is the idea of B. W. Ballard, The *-minimax search procedure (1983).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hanasolve.jit import FLOATS, ITEMS, ROWS, engine, float64, inline, tuple_of
from hanasolve.search.depth_first import (
    ASKED,
    CAPACITY,
    DEPTH,
    EDGES,
    EXHAUSTED,
    KEY_AT,
    NODE,
    NODES,
    ORACLE_FULL,
    PAUSE,
    PAUSED,
    ROUND,
    STACK_FULL,
    TABLE_FULL,
    TRANSITIONS,
    USED,
    WANTED,
)
from hanasolve.search.table import Array, Floats, probe, store

KIND: Final = 2
"""Column of a stack row: whether chance is to move."""
VALUES: Final = 1
"""An entry of the table is marked by 1; the number of its node stands beside the table."""

# What `child` gives for a position that is over, stays open, or goes on.
WON: Final = -1
LOST: Final = -2
OPEN: Final = -3
"""Nothing is known of the position, and nothing can be found out."""
GOES_ON: Final = 0

# Nodes that stand for all positions that are over, for those that stay open, and the first of the
# others.
LOST_NODE: Final = 0
WON_NODE: Final = 1
OPEN_NODE: Final = 2
FIRST_NODE: Final = 3

# Columns of `Graph.bounds`, `Graph.spans` and `Graph.edges`.
LOW: Final = 0
HIGH: Final = 1
FIRST: Final = 0
"""The first edge, or one of the two below."""
LAST: Final = 1
"""Behind the last edge."""
CHANCE: Final = 2
ROW: Final = 3
"""Where the position is kept, once it has edges."""
STUCK: Final = 4
"""The last round in which nothing more was found out, although the interval is too wide."""
SPAN_WORDS: Final = 5
TO: Final = 0
STEP: Final = 1
NEW: Final = -1
"""In place of edges: the bound has still to be asked for."""
BOUNDED: Final = -2
"""In place of edges: it has been asked for."""

SLACK: Final = 1.0 / 8.0
"""A step is looked into on until it promises so much less than the second best, in parts of what
that one may be better than what is sure. (Without any slack the search jumps to and fro.)"""
LEAST: Final = 1e-12
"""Floors are lower by this, so that rounding keeps no position from being looked into."""


class Graph(NamedTuple):
    """The arrays that a search works in.

    Attributes
    ----------
    stack, moves, weights : arrays
        Positions on the line that is being looked into, in rows; steps of the last one, and their
        probabilities.
    path, floors : arrays
        The nodes on the line, and for each the upper end below which it is left.
    table, numbers : arrays
        Keys, and which nodes they are.
    bounds, spans : arrays with a row for each node
        Its interval; its edges, whether chance moves there, and where its position is kept.
    rows : array
        Positions that have edges, as far as the game needs them. Two positions
        with one key may be renamings of one another, and steps are named as in the one kept here.
    edges, odds : arrays
        Nodes that steps lead to, with the steps, and their probabilities.
    control : array
        As in `depth_first`.
    """

    stack: Array
    moves: Array
    weights: Floats
    path: Array
    floors: Floats
    table: Array
    numbers: Array
    bounds: Floats
    spans: Array
    rows: Array
    edges: Array
    odds: Floats
    control: Array


GRAPH: Final[Any] = tuple_of(
    Graph,
    *(ROWS, ITEMS, FLOATS, ITEMS, FLOATS, ROWS, ITEMS),
    *(float64[:, ::1], ROWS, ROWS, ROWS, FLOATS, ITEMS),
)


@inline
def node_of(graph: Graph, row: int, high: float) -> int:
    """Give the node of the position in a row of the stack.

    It is a new one if the position is met for the first time, for which there must be room, with
    what is known of its value from above.
    """
    slot = probe(graph.table, graph.stack, row, graph.control[KEY_AT], VALUES)
    if graph.table[slot, 0] != 0:
        return int(graph.numbers[slot])
    node = graph.control[USED]
    graph.control[USED] += 1
    store(graph.table, slot, graph.stack, row, graph.control[KEY_AT], VALUES)
    graph.numbers[slot] = node
    graph.bounds[node, LOW] = 0.0
    graph.bounds[node, HIGH] = high
    graph.spans[node, FIRST] = NEW
    graph.spans[node, STUCK] = 0
    return int(node)


@inline
def has_room(graph: Graph, more: int) -> bool:
    """Whether there is room for so many more nodes and edges; if not, they are asked for."""
    control = graph.control
    nodes, edges = control[USED] + more, control[EDGES] + more
    control[WANTED] = more
    return bool(
        nodes <= min(control[CAPACITY], graph.bounds.shape[0])
        and edges <= graph.edges.shape[0]
        and control[NODES] < graph.rows.shape[0]
    )


@inline
def recall(graph: Graph, node: int, depth: int) -> None:
    """Put a node's position into a row of the stack as it was when its edges were found."""
    if graph.spans[node, FIRST] >= 0:
        for word in range(NODE, graph.rows.shape[1]):
            graph.stack[depth, word] = graph.rows[graph.spans[node, ROW], word]


@inline
def begin(graph: Graph) -> int:
    """Begin at the position in row 0 of the stack; gives its node, or -1 if there is no room."""
    if not has_room(graph, 1):
        return -1
    node = node_of(graph, 0, 1.0)
    graph.control[ROUND] += 1
    recall(graph, node, 0)
    graph.control[DEPTH] = 0
    graph.path[0] = node
    graph.floors[0] = -1.0
    return int(node)


@inline
def no_peek(oracle: Any, graph: Graph, row: int) -> float:
    """Know no bound."""
    return 1.0


@inline
def no_bound(oracle: Any, graph: Graph, row: int, floor: float) -> float:
    """Find no bound."""
    return 1.0


@engine
def open_node(
    book: Array,
    aids: Floats,
    expand: Callable[..., int],
    child: Callable[..., int],
    peek: Callable[..., float],
    oracle: Any,
    graph: Graph,
    depth: int,
) -> bool:
    """Give the node of a row its edges; false when there is no room."""
    stack, control, edges = graph.stack, graph.control, graph.edges
    node, first = graph.path[depth], control[EDGES]
    end = first + expand(book, aids, stack, depth, graph.moves, graph.weights, 0)
    if not has_room(graph, end - first):
        return False
    for i in range(end - first):
        over = child(book, stack, depth, graph.moves[i])
        if over == WON:
            to = WON_NODE
        elif over == LOST:
            to = LOST_NODE
        elif over == OPEN:
            to = OPEN_NODE
        else:
            to = node_of(graph, depth + 1, peek(oracle, graph, depth + 1))
        edges[first + i, TO] = to
        edges[first + i, STEP] = graph.moves[i]
        graph.odds[first + i] = graph.weights[i]
    row = control[NODES]
    for word in range(NODE, graph.rows.shape[1]):
        graph.rows[row, word] = stack[depth, word]
    graph.spans[node, FIRST], graph.spans[node, LAST] = first, end
    graph.spans[node, CHANCE], graph.spans[node, ROW] = stack[depth, KIND], row
    control[EDGES] = end
    control[TRANSITIONS] += end - first
    control[NODES] += 1
    return True


@inline
def narrow(graph: Graph, node: int, floor: float, width: float) -> tuple[int, float]:
    """Narrow a node's interval by those after it.

    Gives the edge to look into next, -1 when nothing is to be found out behind any that is not
    narrow enough, and the floor there.
    """
    bounds, spans, edges, odds = graph.bounds, graph.spans, graph.edges, graph.odds
    round_ = graph.control[ROUND]
    chance = spans[node, CHANCE] != 0
    low, high, promised, second, widest = 0.0, 0.0, 0.0, 0.0, 0.0
    best = -1
    for edge in range(spans[node, FIRST], spans[node, LAST]):
        to = edges[edge, TO]
        gap = bounds[to, HIGH] - bounds[to, LOW]
        is_dead = to == OPEN_NODE or spans[to, STUCK] == round_
        if chance:
            low += odds[edge] * bounds[to, LOW]
            high += odds[edge] * bounds[to, HIGH]
            if gap > width and odds[edge] * gap > widest and not is_dead:
                widest, best = odds[edge] * gap, edge
        else:
            low = max(low, bounds[to, LOW])
            high = max(high, bounds[to, HIGH])
            if is_dead or gap <= width:
                second = max(second, bounds[to, HIGH])
            elif best < 0 or bounds[to, HIGH] > promised:
                second, promised, best = max(second, promised), bounds[to, HIGH], edge
            else:
                second = max(second, bounds[to, HIGH])
    bounds[node, LOW] = max(bounds[node, LOW], low)
    bounds[node, HIGH] = max(min(bounds[node, HIGH], high), bounds[node, LOW])
    if best < 0:
        return best, floor
    if chance:
        promised = bounds[edges[best, TO], HIGH]
        below = (floor - (high - odds[best] * promised)) / odds[best]
    elif promised <= low:
        return -1, floor
    else:
        below = max(floor, second - SLACK * (second - low))
    return best, min(below, promised) - LEAST


@engine
def run(
    book: Array,
    aids: Floats,
    expand: Callable[..., int],
    child: Callable[..., int],
    peek: Callable[..., float],
    bound: Callable[..., float],
    oracle: Any,
    graph: Graph,
    width: float,
) -> int:
    """Search on from where the control array says, until the root's interval is narrow enough.

    Parameters
    ----------
    book, aids : arrays
        What the game's functions need to know.
    expand : compiled function
        ``expand(book, aids, stack, depth, moves, weights, start)`` writes the steps of a position
        into ``moves[start:]``, for one of chance with their probabilities, and whether it is one
        into the column `KIND`; gives their end. A position without any is lost.
    child : compiled function
        ``child(book, stack, depth, move)`` writes the position after a step, with its key, into
        the next row; gives `GOES_ON`, or `WON` or `LOST` if it is over, or `OPEN`.
    peek, bound : compiled functions
        ``peek(oracle, graph, row)`` gives an upper bound for a row of the stack that costs nothing,
        ``bound(oracle, graph, row, floor)`` a better one, that is not worked out further once it is
        below a floor; a negative number when the oracle needs more room first. It adds the nodes
        that it took to ``control[ASKED]``.
    oracle : tuple
        What they work in.
    graph : Graph
        ``graph.floors[0]`` is below 0, or the upper end under which the root is left.
    width : float
        What is narrow enough.

    Returns
    -------
    int
        `EXHAUSTED` when the interval is narrow enough, or below the floor, or nothing more is to be
        found out; `PAUSED`, or what must grow first: `STACK_FULL`, `ORACLE_FULL`, or `TABLE_FULL`
        for any of the other arrays.
    """
    stack, path, floors, control = graph.stack, graph.path, graph.floors, graph.control
    bounds, spans, edges = graph.bounds, graph.spans, graph.edges
    depth = control[DEPTH]
    reason = EXHAUSTED
    while depth >= 0:
        node = path[depth]
        edge, below = -1, 0.0
        # A little less with every step: narrow parts must make a narrow whole, rounding or not.
        enough = width * (1.0 - depth * LEAST)
        if spans[node, FIRST] >= 0:
            edge, below = narrow(graph, node, floors[depth], enough - width * LEAST)
        elif control[NODES] + control[ASKED] >= control[PAUSE]:
            reason = PAUSED
            break
        elif depth + 2 > stack.shape[0]:
            reason = STACK_FULL
            break
        elif spans[node, FIRST] == NEW:
            high = bound(oracle, graph, depth, floors[depth])
            if high < 0.0:
                reason = ORACLE_FULL
                break
            bounds[node, HIGH] = min(bounds[node, HIGH], high)
            if high >= floors[depth]:
                spans[node, FIRST] = BOUNDED
        if bounds[node, HIGH] - bounds[node, LOW] <= enough or bounds[node, HIGH] < floors[depth]:
            depth -= 1
        elif edge >= 0:
            to = edges[edge, TO]
            if spans[to, FIRST] < 0:
                child(book, stack, depth, edges[edge, STEP])
            depth += 1
            recall(graph, to, depth)
            path[depth], floors[depth] = to, below
        elif spans[node, FIRST] >= 0:
            spans[node, STUCK] = control[ROUND]
            depth -= 1
        elif not open_node(book, aids, expand, child, peek, oracle, graph, depth):
            reason = TABLE_FULL
            break
    control[DEPTH] = max(depth, 0)
    return reason
