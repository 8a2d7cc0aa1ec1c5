"""The arrays that one search works in, and how they grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from hanasolve.search import best_first as bf
from hanasolve.search import depth_first as df
from hanasolve.search import expectimax as em
from hanasolve.search.ida_star import VALUES
from hanasolve.search.limits import Limits, Meter
from hanasolve.search.table import STATUS, Array, rehash, rehash_valued

_FIRST_SLOTS: Final = 1024
_FIRST_ROWS: Final = 192
_BYTES: Final = 8
_MIB: Final = 1 << 20
_MANY: Final = 1 << 20
"""Arrays of so many rows and more grow by an eighth, smaller ones are doubled."""
_SLOTS_AT_ONCE: Final = 1 << 18


class Workspace:
    """What a depth-first search works in, reused from one search to the next.

    Parameters
    ----------
    key_at : int
        Column of a stack row where the key begins.
    widest : int
        The most moves that a position can have.
    values : int, optional
        Bits of a table entry that hold its value.

    Attributes
    ----------
    stack, moves, table, control : arrays
        As `depth_first.run` takes them.
    """

    def __init__(self, key_at: int, widest: int, values: int = STATUS) -> None:
        self.control: Array = np.zeros(2 * df.CONTROL_SIZE, np.int64)
        self.control[df.KEY_AT] = key_at
        self.control[df.WIDEST] = widest
        self.moves: Array = np.empty(_FIRST_ROWS * 64 + widest, np.int64)
        self._first_table: Array = np.zeros((_FIRST_SLOTS, 1), np.int64)
        self.table = self._first_table
        self.stack: Array = np.zeros((_FIRST_ROWS, key_at + 1), np.int64)
        self._key_at = key_at
        self._values = values

    def reset(self, words: int) -> None:
        """Empty the table for a new search whose keys have so many words."""
        if self._first_table.shape[1] != words:
            self._first_table = np.zeros((_FIRST_SLOTS, words), np.int64)
            self.stack = np.zeros((_FIRST_ROWS, self._key_at + words), np.int64)
        elif self.control[df.USED]:
            self._first_table.fill(0)
        self.table = self._first_table
        control = self.control
        control[df.NODES] = control[df.USED] = control[df.PENDING] = control[df.UNTIL] = 0
        control[df.ASKED] = control[df.LOST] = 0
        control[df.CAPACITY] = _FIRST_SLOTS // 2

    @property
    def nodes(self) -> int:
        """Positions expanded since the last reset."""
        return int(self.control[df.NODES])

    @property
    def nbytes(self) -> int:
        """Size of the arrays that can become large: of the table."""
        return int(self.table.nbytes)

    def grow(self, reason: int, most_bytes: int, meter: Meter) -> str | None:
        """Make room in the array that is full, as the engine's reason says.

        Parameters
        ----------
        reason : int
        most_bytes : int
            What all arrays may take together, even while one is copied.
        meter : Meter

        Returns
        -------
        str or None
            The limit that stands against it; see `grow_table`.
        """
        if reason == df.TABLE_FULL:
            return self.grow_table(most_bytes - self.nbytes + self.table.nbytes, meter)
        if reason == df.STACK_FULL:
            self.stack = np.concatenate([self.stack, np.zeros_like(self.stack)])
        else:
            self.moves = np.concatenate([self.moves, np.empty_like(self.moves)])
        return None

    def grow_table(self, most_bytes: int, meter: Meter) -> str | None:
        """Make room in the table, never using more bytes than allowed, even while it is copied.

        Half full it is doubled. Where that would be too much it is filled to seven eighths.

        Parameters
        ----------
        most_bytes : int
            What the old and the new table may take together.
        meter : Meter
            Asked now and then, since copying a large table takes seconds.

        Returns
        -------
        str or None
            The limit that stands against it: ``"memory"``, or the one that the meter names.
        """
        slots, words = self.table.shape
        if 3 * slots * words * _BYTES <= most_bytes:
            larger = np.zeros((2 * slots, words), np.int64)
            for start in range(0, slots, _SLOTS_AT_ONCE):
                rehash(self.table, larger, start, start + _SLOTS_AT_ONCE, self._values)
                limit = meter.exceeded()
                if limit is not None:
                    return limit
            self.table = larger
            self.control[df.CAPACITY] = slots
            return None
        return self.fill()

    def fill(self) -> str | None:
        """Let the table be filled to seven eighths, if it is not yet; else the limit is met."""
        full = self.table.shape[0] // 8 * 7
        if self.control[df.CAPACITY] < full:
            self.control[df.CAPACITY] = full
            return None
        return "memory"

    def release(self) -> None:
        """Give the memory back; the next search begins with a reset."""
        self.table = self._first_table

    def line(self) -> list[int]:
        """Moves that lead from the root to the position where the search stands."""
        depth = int(self.control[df.DEPTH])
        taken = self.stack[:depth, df.NEXT] - 1
        moves: list[int] = self.moves[taken].tolist()
        return moves


class BestFirstSpace(Workspace):
    """What a best-first search works in besides.

    Attributes
    ----------
    rows, offers, heads : arrays
        As `best_first.run` takes them.
    """

    def __init__(self, key_at: int, widest: int) -> None:
        super().__init__(key_at, widest, VALUES)
        self.rows: Array
        self.offers: Array
        self.heads: Array
        self.release()

    def reset(self, words: int, limit: int = 0, weight: int = bf.UNIT) -> None:
        """Empty everything for a new search, for wins that cost less than a limit."""
        super().reset(words)
        self.heads = np.full((limit * weight // bf.UNIT, limit + 1), -1, np.int64)

    @property
    def nbytes(self) -> int:
        """Size of the arrays that can become large: of all but stack and moves."""
        return int(sum(a.nbytes for a in (self.table, self.rows, self.offers, self.heads)))

    def grow(self, reason: int, most_bytes: int, meter: Meter) -> str | None:
        """Make room in the array that is full; see `Workspace.grow`."""
        left = most_bytes - self.nbytes
        if reason == df.STACK_FULL:
            limit = _lengthen(self.rows, left)
        elif reason == df.MOVES_FULL:
            limit = _lengthen(self.offers, left)
        else:
            limit = super().grow(reason, most_bytes, meter)
        return limit

    def release(self) -> None:
        """Give the memory back; the next search begins with a reset."""
        super().release()
        self.rows = np.empty((_FIRST_SLOTS, self._key_at), np.int64)
        self.offers = np.empty((4 * _FIRST_SLOTS, bf.OFFER_WORDS), np.int64)
        self.heads = np.empty((0, 1), np.int64)

    def line(self) -> list[int]:
        """Moves that lead from the root to the last row."""
        row = int(self.control[df.ROWS]) - 1
        moves = []
        while row > 0:
            moves.append(int(self.rows[row, bf.MOVE]))
            row = int(self.rows[row, bf.BEFORE])
        return [move for move in reversed(moves) if move != bf.NO_MOVE]


class GraphSpace(Workspace):
    """What a search by expectimax works in, and the oracle that it asks.

    Parameters
    ----------
    key_at, widest : int
        As of a `Workspace`.
    kept : int, optional
        Columns of a stack row, from the first, that a position is told by; by default all before
        the key.
    oracle : GraphSpace, optional
        What the oracle works in; it grows as this does, and its memory is counted here.

    Attributes
    ----------
    graph : Graph
        As `expectimax.run` takes it.
    """

    def __init__(
        self,
        key_at: int,
        widest: int,
        *,
        kept: int | None = None,
        oracle: GraphSpace | None = None,
    ) -> None:
        super().__init__(key_at, widest, em.VALUES)
        self._kept = key_at if kept is None else kept
        self.moves = np.empty(widest, np.int64)
        self._oracle = oracle
        self.graph: em.Graph
        self.release()

    def reset(self, words: int) -> None:
        """Empty the graph for a new search whose keys have so many words."""
        super().reset(words)
        control = self.control
        control[df.TRANSITIONS] = control[df.EDGES] = control[df.ROUND] = 0
        control[df.USED] = em.FIRST_NODE
        # More room than the last search wanted is kept, but for the table.
        numbers = np.empty(self.table.shape[0], np.int64)
        self.graph = self.graph._replace(stack=self.stack, table=self.table, numbers=numbers)
        self.graph.bounds[em.LOST_NODE] = 0.0
        self.graph.bounds[em.WON_NODE] = 1.0
        self.graph.bounds[em.OPEN_NODE] = 0.0, 1.0
        self.graph.spans[: em.FIRST_NODE] = 0

    @property
    def nodes(self) -> int:
        """Positions expanded since the last reset, those of the oracle included."""
        return int(self.control[df.NODES] + self.control[df.ASKED])

    @property
    def nbytes(self) -> int:
        """Size of the arrays that can become large, those of the oracle included."""
        graph = self.graph
        arrays = [graph.table, graph.numbers, graph.spans, graph.rows, graph.edges]
        own = sum(array.nbytes for array in arrays) + graph.bounds.nbytes + graph.odds.nbytes
        return own + (self._oracle.nbytes if self._oracle else 0)

    def bounds(self, node: int) -> tuple[float, float]:
        """Give the interval of a node."""
        low, high = self.graph.bounds[node].tolist()
        return low, high

    def grow(self, reason: int, most_bytes: int, meter: Meter) -> str | None:
        """Make room in the arrays that are full; see `Workspace.grow`."""
        if reason == df.ORACLE_FULL:
            assert self._oracle is not None
            if self._oracle.control[df.REASON] == df.PAUSED:
                return None
            others = self.nbytes - self._oracle.nbytes
            return self._oracle.grow(
                int(self._oracle.control[df.REASON]), most_bytes - others, meter
            )
        if reason == df.STACK_FULL:
            super().grow(reason, most_bytes, meter)
            path, floors = np.resize(self.graph.path, rows := len(self.stack)), self.graph.floors
            floors = np.resize(floors, rows)
            self.graph = self.graph._replace(stack=self.stack, path=path, floors=floors)
            return None
        return self._widen(most_bytes, meter)

    def _widen(self, most_bytes: int, meter: Meter) -> str | None:
        """Make room for the nodes and edges that are wanted, and for as many again or an eighth."""
        graph, control = self.graph, self.control
        wanted = int(control[df.WANTED])
        used, edges = int(control[df.USED]), int(control[df.EDGES])
        for arrays, count in (
            ((graph.bounds, graph.spans), used + wanted),
            ((graph.edges, graph.odds), edges + wanted),
            ((graph.rows,), int(control[df.NODES]) + 1),
        ):
            for array in arrays:
                if count > array.shape[0]:
                    rows = count + (count // 8 if count > _MANY else count)
                    if (
                        self.nbytes + array.nbytes // array.shape[0] * (rows - array.shape[0])
                        > most_bytes
                    ):
                        return "memory"
                    array.resize((rows, *array.shape[1:]), refcheck=False)
        while used + wanted > control[df.CAPACITY]:
            limit = self._double(most_bytes - self.nbytes, meter)
            if limit is not None:
                return limit
        return None

    def _double(self, most_bytes: int, meter: Meter) -> str | None:
        """Double the table, or fill it further where so many more bytes are not to be had."""
        table, numbers = self.graph.table, self.graph.numbers
        slots, words = table.shape
        if 2 * slots * (words + 1) * _BYTES > most_bytes:
            return self.fill()
        larger, beside = np.zeros((2 * slots, words), np.int64), np.empty(2 * slots, np.int64)
        for start in range(0, slots, _SLOTS_AT_ONCE):
            old = table, numbers
            rehash_valued(*old, larger, beside, start, start + _SLOTS_AT_ONCE, em.VALUES)
            limit = meter.exceeded()
            if limit is not None:
                return limit
        self.table = larger
        self.control[df.CAPACITY] = slots
        self.graph = self.graph._replace(table=larger, numbers=beside)
        return None

    def release(self) -> None:
        """Give the memory back; the next search begins with a reset."""
        super().release()
        self.graph = em.Graph(
            stack=self.stack,
            moves=self.moves,
            weights=np.empty(self.moves.size),
            path=np.empty(_FIRST_ROWS, np.int64),
            floors=np.empty(_FIRST_ROWS),
            table=self.table,
            numbers=np.empty(_FIRST_SLOTS, np.int64),
            bounds=np.empty((_FIRST_SLOTS, 2)),
            spans=np.empty((_FIRST_SLOTS, em.SPAN_WORDS), np.int64),
            rows=np.empty((_FIRST_SLOTS, self._kept), np.int64),
            edges=np.empty((4 * _FIRST_SLOTS, 2), np.int64),
            odds=np.empty(4 * _FIRST_SLOTS),
            control=self.control,
        )


def _lengthen(array: Array, most_bytes: int) -> str | None:
    """Make an array an eighth longer, where it lies; gives the limit that stands against it.

    Such an array is most of the memory: copied to another place, as a longer one, it would cost
    twice as much, and most of the time would go into fresh memory.
    """
    rows, words = array.shape
    more = rows // 8
    if more * words * _BYTES > most_bytes:
        return "memory"
    array.resize((rows + more, words), refcheck=False)
    return None


def run_slices(
    search: Callable[[], int],
    space: Workspace,
    oracle: Workspace | None,
    limits: Limits,
    meter: Meter,
    *,
    oracle_share: int = 1,
    end: int | None = None,
) -> tuple[int, str | None]:
    """Let a search go on slice by slice, growing what is full, until it ends or meets a limit.

    Parameters
    ----------
    search : callable
        Searches on until the next pause; gives the engine's reason for its return.
    space, oracle : Workspace
        What it works in, and the oracle that it asks, if it has one with a table of its own.
    limits : Limits
    meter : Meter
    oracle_share : int, optional
        The oracle's table may take this part of the memory, one in so many.
    end : int, optional
        A limit of the meter's nodes for this search alone.

    Returns
    -------
    reason : int
        Of the engine. `ORACLE_FULL` with ``"memory"``: the search can go on without its oracle.
    limit : str or None
        The limit that ended it; None when it came to its end.
    """
    memory = limits.memory * _MIB
    meter.begin()
    while True:
        allowed = meter.next_slice()
        if allowed == 0:
            return df.PAUSED, meter.exceeded()
        if end is not None:
            allowed = min(allowed, end - meter.nodes)
            if allowed <= 0:
                return df.PAUSED, "nodes"
        before = space.nodes + (oracle.nodes if oracle else 0)
        space.control[df.PAUSE] = before + allowed
        reason = search()
        meter.account(space.nodes + (oracle.nodes if oracle else 0) - before)
        limit = None
        if reason in (df.WON, df.EXHAUSTED):
            return reason, None
        if reason == df.ORACLE_FULL and oracle:
            limit = oracle.grow_table(min(memory // oracle_share, memory - space.nbytes), meter)
        elif reason != df.PAUSED:
            limit = space.grow(reason, memory - (oracle.nbytes if oracle else 0), meter)
        if limit is not None:
            return reason, limit
