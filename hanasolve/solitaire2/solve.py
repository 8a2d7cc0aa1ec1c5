"""Decide whether a position can be won, with a solution or a proof by exhaustion."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from hanasolve.cards import DECK_SIZE
from hanasolve.search import depth_first as df
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.result import Status
from hanasolve.search.workspace import Workspace, run_slices
from hanasolve.solitaire2 import arranged, line, quotient
from hanasolve.solitaire2.move import Move
from hanasolve.solitaire2.question import Question
from hanasolve.solitaire2.state import State


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """What was found out about a position, all cards known (*thoughtful*).

    Attributes
    ----------
    status : Status
        Solved, unsolvable (proven by exhaustion) or undecided (a limit was met).
    moves : tuple of Move, or None
        A solution as single moves that replay from the position.
    lower_bound : int or None
        Proven: no solution costs less. None when there is no solution.
    optimal : bool
        Whether the solution is proven to be a cheapest one.
    metric : str or None
        What was to be least (see `shortest.METRICS`), if that was asked.
    first_moves : tuple of Move, or None
        All moves with which a cheapest solution begins, if that was asked; one means it is forced.
    nodes : int
        Positions expanded; the same on every run.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"``, ``"memory"`` or ``"interrupt"``, when it ended the search.
    """

    status: Status
    moves: tuple[Move, ...] | None = None
    lower_bound: int | None = None
    optimal: bool = False
    metric: str | None = None
    first_moves: tuple[Move, ...] | None = None
    nodes: int = 0
    seconds: float = 0.0
    limit: str | None = None

    @property
    def length(self) -> int | None:
        """Number of moves of the solution."""
        return None if self.moves is None else len(self.moves)

    def as_dict(self) -> dict[str, object]:
        """Give the fields as a result file holds them."""
        fields: dict[str, object] = {
            "information": "thoughtful",
            "status": self.status.value,
            "moves": None if self.moves is None else [str(move) for move in self.moves],
            "length": self.length,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "limit": self.limit,
        }
        if self.metric is not None:
            fields["metric"] = self.metric
        if self.first_moves is not None:
            fields["first_moves"] = [str(move) for move in self.first_moves]
        return fields


def solve(
    state: State,
    limits: Limits | None = None,
    *,
    dominance: bool = True,
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Decide whether a position can be won, all cards known.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        What the search may use; without a limit of time or nodes it goes on to the end or until
        the table's memory is full.
    dominance : bool, optional
        Whether provably harmless moves are forced (see `hanasolve.solitaire2.dominance`).
    report : callable, optional
        Called with a `Progress` about twenty times a second.

    Returns
    -------
    Result
        The verdict is exact. A solution is legal but not a shortest one.

    Notes
    -----
    Depth-first search with exact keys. Where face-up cards need no arrangement
    (`hanasolve.solitaire2.quotient`) the search is over positions without it; else over arranged
    ones, dropping those that are lost even without (`hanasolve.solitaire2.arranged`). Time and
    memory grow with the number of positions visited: from fewer than a hundred to many millions.

    Examples
    --------
    >>> result = solve(State.deal(seed=1))
    >>> result.status.value, len(result.moves) == result.length
    ('solved', True)
    """
    return Solver(dominance=dominance).solve(state, limits or Limits(), report)


def lower_bound(state: State) -> int:
    """Give a number of moves that every solution has at least: an admissible bound.

    Each card that is not up needs a move of its own that brings it up. Each card of the stock must
    be drawn once, and a draw brings at most ``draw_count`` of them to the waste.
    """
    position = state.position
    up = sum(map(len, position.foundations))
    return DECK_SIZE - up + -(-len(position.stock) // state.rules.draw_count)


class Solver:
    """Decides positions one after another in the same working arrays.

    Parameters
    ----------
    dominance : bool, optional
        See `solve`.
    ask_quotient : bool, optional
        Whether a search over arranged positions drops what the quotient proves lost.
    merge_arrangements : bool, optional
        Whether the quotient is searched itself where it is exact.
    """

    def __init__(
        self, *, dominance: bool = True, ask_quotient: bool = True, merge_arrangements: bool = True
    ) -> None:
        self._dominance = dominance
        self._ask = ask_quotient
        self._merge = merge_arrangements
        self._quotient = Workspace(quotient.KEY, quotient.WIDEST)
        self._arranged = Workspace(arranged.KEY, arranged.WIDEST)

    def solve(
        self,
        state: State,
        limits: Limits,
        report: Callable[[Progress], None] | None = None,
        *,
        verdict_only: bool = False,
    ) -> Result:
        """Decide a position; see `solve`. For the verdict alone no solution is put together."""
        return self.run(state, limits, Meter(limits, report), verdict_only=verdict_only)

    def run(
        self, state: State, limits: Limits, meter: Meter, *, verdict_only: bool = False
    ) -> Result:
        """Decide a position as a part of a longer work, whose meter goes on."""
        question = self.prepare(state)
        status, limit = self.decide(question, limits, meter)
        moves = None
        if status is Status.SOLVED and not verdict_only:
            moves = self._solution(state, question)
        least = None if status is Status.UNSOLVABLE else lower_bound(state)
        return Result(
            status=status,
            moves=moves,
            lower_bound=least,
            optimal=moves is not None and len(moves) == least,
            nodes=meter.nodes,
            seconds=meter.seconds,
            limit=limit,
        )

    def prepare(self, state: State) -> Question:
        """Write a position down as the searches read it."""
        return Question(state, dominance=self._dominance, ask=self._ask, merge=self._merge)

    def decide(self, question: Question, limits: Limits, meter: Meter) -> tuple[Status, str | None]:
        """Search until the verdict or a limit; gives the verdict and the limit."""
        self._quotient.reset(question.quotient_words)
        if question.in_quotient:
            space = self._quotient
            quotient.enter(
                question.book, question.position, space.stack, space.table, space.control
            )
        else:
            space = self._arranged
            space.reset(question.arranged_words)
            arranged.enter(
                question.book, question.position, space.stack, space.table, space.control
            )
        asked = None if question.in_quotient else self._quotient
        while True:
            reason, limit = run_slices(lambda: self._search(question), space, asked, limits, meter)
            if reason == df.ORACLE_FULL and limit == "memory":
                # The search goes on without asking: slower, but as right as before.
                question.book[arranged.ASK] = False
            elif limit is not None:
                return Status.UNDECIDED, limit
            else:
                return Status.SOLVED if reason == df.WON else Status.UNSOLVABLE, None

    def nodes(self, question: Question) -> int:
        """Positions expanded for a question, those of the quotient included."""
        return self._quotient.nodes + (0 if question.in_quotient else self._arranged.nodes)

    def release(self) -> None:
        """Give the memory of the tables back."""
        self._quotient.release()
        self._arranged.release()

    def _search(self, question: Question) -> int:
        inner = self._quotient
        inner_arrays = inner.stack, inner.moves, inner.table, inner.control
        if question.in_quotient:
            return int(quotient.search(question.book, *inner_arrays))
        outer = self._arranged
        outer_arrays = outer.stack, outer.moves, outer.table, outer.control
        return int(arranged.search(question.book, *outer_arrays, *inner_arrays))

    def _solution(self, state: State, question: Question) -> tuple[Move, ...]:
        if question.in_quotient:
            space = self._quotient
            heads = space.stack[: int(space.control[df.DEPTH]), quotient.HEADS].tolist()
            return line.arrange(state, space.line(), heads)
        return line.expand(state, self._arranged.line())
