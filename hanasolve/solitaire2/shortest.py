"""Find a cheapest solution of a position and prove that there is no cheaper one."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Final

from hanasolve.errors import HanasolveError, nearest
from hanasolve.search import depth_first as df
from hanasolve.search import ida_star
from hanasolve.search.best_first import UNIT
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.result import Status
from hanasolve.search.workspace import BestFirstSpace, Workspace, run_slices
from hanasolve.solitaire2 import arranged, bounds, counted, line, quotient
from hanasolve.solitaire2.move import DRAW, TURN, Move
from hanasolve.solitaire2.question import Question
from hanasolve.solitaire2.solve import Result, Solver
from hanasolve.solitaire2.state import State

METRICS: Final = ("moves", "card-moves", "turns")
"""What can be least: all moves; all but draws and turns; or turns first, and then moves."""

Line = tuple[Move, ...]

_ORACLE_SHARE: Final = 8
"""The oracle's table may take this part of the memory."""
_HEADS_SHARE: Final = 32
"""The heads of a best-first search may take this part of the memory."""
_MIB: Final = 1 << 20
_ROUNDS: Final = (
    *((40, 10_000), (24, 10_000), (16, 20_000), (12, 20_000), (10, 50_000)),
    (UNIT, None),
)
"""Inflations of the bound, in units of 1 / `UNIT`, and the nodes that each may take: better and
better solutions, and at last the proof."""


def shortest(
    state: State,
    limits: Limits | None = None,
    *,
    metric: str = "moves",
    first_moves: bool = False,
    dominance: bool = True,
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Find a cheapest solution, all cards known.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        What the search may use.
    metric : {"moves", "card-moves", "turns"}, optional
        What is to be least: the number of moves; of those that are neither draws nor turns; or the
        number of turns, and of moves among the solutions with fewest turns.
    first_moves : bool, optional
        Whether to find all moves with which a cheapest solution begins: a search as long as the
        proof for every other legal move.
    dominance : bool, optional
        Whether moves are left out that are proven not to be needed (see `counted`).
    report : callable, optional
        Called with a `Progress` about twenty times a second.

    Returns
    -------
    Result
        ``optimal`` when the solution is proven to be a cheapest one. When a limit ends the search
        before, ``moves`` is the best solution so far and ``lower_bound`` holds for every solution;
        for ``turns`` it is a bound on the moves alone.

    Raises
    ------
    HanasolveError
        For a metric that does not exist.

    Notes
    -----
    First the position is decided; then solutions are improved by best-first search with inflated
    bounds, and a cheapest one is found and proven with the bounds as they are
    (`hanasolve.search.best_first`). If that fills the memory, IDA* goes on, which needs less of it
    and more time (`hanasolve.search.ida_star`). Time and memory grow exponentially with the
    distance between the bound at the root and the truth.

    Examples
    --------
    >>> result = shortest(State.deal(seed=213, rules="klondike12"))
    >>> result.optimal, result.length == result.lower_bound
    (True, True)
    """
    search = Shortest(dominance=dominance)
    return search.solve(state, limits or Limits(), report, metric=metric, first_moves=first_moves)


class Shortest:
    """Finds cheapest solutions of one position after another in the same working arrays.

    Parameters
    ----------
    dominance : bool, optional
        See `shortest`.
    ask_quotient : bool, optional
        Whether positions are dropped that the quotient proves lost.
    best_first : bool, optional
        Whether proofs are sought best first, and by IDA* only when the memory is full; else by IDA*
        from the start.
    """

    def __init__(
        self, *, dominance: bool = True, ask_quotient: bool = True, best_first: bool = True
    ) -> None:
        self._dominance = dominance
        self._by_ida = not best_first
        self._ask = ask_quotient
        self._solver = Solver(dominance=dominance)
        self._best_first = BestFirstSpace(arranged.KEY, arranged.WIDEST)
        self._iterations = Workspace(arranged.KEY, arranged.WIDEST, ida_star.VALUES)
        self._quotient = Workspace(quotient.KEY, quotient.WIDEST)

    def solve(
        self,
        state: State,
        limits: Limits,
        report: Callable[[Progress], None] | None = None,
        *,
        metric: str = "moves",
        first_moves: bool = False,
    ) -> Result:
        """Find a cheapest solution; see `shortest`."""
        if metric not in METRICS:
            hint = nearest(metric, METRICS) or f"; there are {', '.join(METRICS)}"
            raise HanasolveError(f"there is no metric {metric!r:.40}{hint}")
        meter = Meter(limits, report)
        for space in (self._best_first, self._iterations, self._quotient):
            space.release()
        first = self._solver.run(state, limits, meter)
        if first.status is Status.UNSOLVABLE:
            return dataclasses.replace(first, metric=metric)
        if first.moves is None:
            return dataclasses.replace(
                first, metric=metric, lower_bound=self._bound(self._prepare(state, metric))
            )
        best, limit = first.moves, None
        if metric == "turns":
            best, limit = self._fewest_turns(state, best, limits, meter)
            state = _with_turns(state, best.count(TURN))
        self._solver.release()
        question = self._prepare(state, metric)
        meter.least = self._bound(question)
        if limit is None:
            best, limit = self._improve(state, question, best, limits, meter)
        least, optimal, firsts = meter.least, limit is None, None
        if optimal and first_moves:
            firsts, limit = self._first_moves(state, best, metric, limits, meter)
        return Result(
            status=Status.SOLVED,
            moves=best,
            lower_bound=least,
            optimal=optimal,
            metric=metric,
            first_moves=firsts,
            nodes=meter.nodes,
            seconds=meter.seconds,
            limit=limit,
        )

    def _fewest_turns(
        self, state: State, best: Line, limits: Limits, meter: Meter
    ) -> tuple[Line, str | None]:
        """Find a solution with the fewest turns; gives the limit that kept it from being proven."""
        for turns in range(best.count(TURN)):
            result = self._solver.run(_with_turns(state, turns), limits, meter)
            if result.limit is not None:
                return best, result.limit
            if result.moves is not None:
                return result.moves, None
        return best, None

    def _bound(self, question: Question) -> int:
        """Bound on the cost of every solution."""
        return int(counted.enter(question.book, question.position, self._best_first.rows))

    def _prepare(self, state: State, metric: str) -> Question:
        question = Question(
            state, dominance=self._dominance, ask=self._ask, merge=False, costs=True
        )
        question.book[bounds.DRAW_COST] = metric != "card-moves"
        return question

    def _improve(
        self, state: State, question: Question, best: Line, limits: Limits, meter: Meter
    ) -> tuple[Line, str | None]:
        """Find cheaper solutions, and prove the last one; gives the limit that stood against it."""
        cost = _cost(question, best)
        for weight, most in _ROUNDS:
            meter.best = cost
            if meter.least is not None and cost <= meter.least:
                break
            moves, limit = self._search(
                state, question, cost, limits, meter, weight=weight, most=most, tell=most is None
            )
            if moves is not None:
                best, cost = moves, _cost(question, moves)
            elif limit is None:
                meter.least = cost
                break
            elif most is None or meter.exceeded() is not None:
                return best, limit
        return best, None

    def _first_moves(
        self, state: State, best: Line, metric: str, limits: Limits, meter: Meter
    ) -> tuple[Line | None, str | None]:
        """Find all moves with which a cheapest solution begins, given one; or the limit met."""
        cost = _cost(self._prepare(state, metric), best)
        known = [state.apply(move) for move in best[:1]]
        firsts = []
        for move in state.legal_moves():
            after = state.apply(move)
            if after in known:
                firsts.append(move)
                continue
            question = self._prepare(after, metric)
            most = cost - _cost(question, (move,))
            moves, limit = self._search(after, question, most + 1, limits, meter)
            if limit is not None:
                return None, limit
            if moves is not None:
                firsts.append(move)
        return tuple(firsts), None

    def _search(
        self,
        state: State,
        question: Question,
        below: int,
        limits: Limits,
        meter: Meter,
        *,
        weight: int = UNIT,
        most: int | None = None,
        tell: bool = False,
    ) -> tuple[Line | None, str | None]:
        """Search for a win of a cost below the one given, best first.

        Gives the moves of a cheapest one, if there is one, and the limit that ended the search.
        ``most`` is a limit of nodes for this search alone. Without both there is no such win.
        ``tell`` keeps ``meter.least`` at what is proven. When the memory is full in a search
        without ``most``, IDA* goes on from the bound that is proven.
        """
        if self._by_ida and most is None:
            least = counted.enter(question.book, question.position, self._iterations.stack)
            return self._deepen(state, question, least, below, limits, meter, tell=tell)
        space, inner = self._best_first, self._quotient
        limit_here = min(below, _most_cost(limits, weight))
        space.reset(question.arranged_words, limit_here, weight)
        inner.reset(question.quotient_words)
        counted.enter(question.book, question.position, space.rows)
        counted.begin_best_first(space.rows, space.offers, space.heads, space.control, weight)

        def search() -> int:
            reason = counted.search_best_first(
                question.book,
                *(space.stack, space.moves, space.rows, space.offers, space.heads),
                *(space.table, space.control),
                *(inner.stack, inner.moves, inner.table, inner.control),
            )
            if tell:
                meter.least = int(space.control[df.LEVEL])
            return int(reason)

        ask = question.book[arranged.ASK]
        end = None if most is None else meter.nodes + most
        reason, limit = self._run(search, space, question, limits, meter, end)
        if reason == df.WON:
            return line.expand(state, space.line()), None
        if limit is None and limit_here < below:
            limit = "memory"
        if limit != "memory" or most is not None:
            return None, limit
        question.book[arranged.ASK] = ask
        least = int(space.control[df.LEVEL])
        space.release()
        return self._deepen(state, question, least, below, limits, meter, tell=tell)

    def _deepen(
        self,
        state: State,
        question: Question,
        least: int,
        below: int,
        limits: Limits,
        meter: Meter,
        *,
        tell: bool,
    ) -> tuple[Line | None, str | None]:
        """Search as in `_search`, by IDA*, which needs less memory; ``least`` is proven already."""
        space, inner = self._iterations, self._quotient
        space.reset(question.arranged_words)
        inner.reset(question.quotient_words)

        def search() -> int:
            return int(
                counted.search_iteration(
                    question.book,
                    *(space.stack, space.moves, space.table, space.control),
                    *(inner.stack, inner.moves, inner.table, inner.control),
                )
            )

        while least < below:
            if tell:
                meter.least = least
            counted.enter(question.book, question.position, space.stack)
            counted.begin_iteration(question.book, space.stack, space.table, space.control, least)
            reason, limit = self._run(search, space, question, limits, meter, None)
            if reason == df.WON:
                return line.expand(state, space.line()), None
            if limit is not None:
                return None, limit
            least += int(space.control[df.EXCESS])
        if tell:
            meter.least = below
        return None, None

    def _run(
        self,
        search: Callable[[], int],
        space: Workspace,
        question: Question,
        limits: Limits,
        meter: Meter,
        end: int | None,
    ) -> tuple[int, str | None]:
        """Search to the end; gives the reason for it, and the limit that was met."""
        while True:
            reason, limit = run_slices(
                search, space, self._quotient, limits, meter, oracle_share=_ORACLE_SHARE, end=end
            )
            if reason != df.ORACLE_FULL or limit != "memory":
                return reason, limit
            # The search goes on without asking: slower, but as right as before.
            question.book[arranged.ASK] = False


def _with_turns(state: State, turns: int) -> State:
    """Give the same position under a limit of so many more turns of the waste."""
    position = dataclasses.replace(state.position, turns=0)
    return State(position, dataclasses.replace(state.rules, max_passes=turns + 1))


def _most_cost(limits: Limits, weight: int) -> int:
    """Cost up to which wins are sought best first, so that the heads are a small part of memory."""
    words = limits.memory * _MIB // _HEADS_SHARE // 8
    return min(math.isqrt(words * UNIT // weight), ida_star.VALUES // 2)


def _cost(question: Question, moves: Line) -> int:
    if question.book[bounds.DRAW_COST]:
        return len(moves)
    return sum(move not in (DRAW, TURN) for move in moves)
