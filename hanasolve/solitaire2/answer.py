"""What the command line asks of this game, and how the answers are written."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from hanasolve.search.limits import Limits, Progress
from hanasolve.search.result import Status
from hanasolve.solitaire2 import text
from hanasolve.solitaire2.state import State

if TYPE_CHECKING:
    from hanasolve.instances import Instance
    from hanasolve.solitaire2.shortest import Shortest
    from hanasolve.solitaire2.solve import Result, Solver

OPTIONS: Final = ("verdict_only", "optimal", "metric", "first_moves")
"""What can be asked besides a solution."""


def answer(
    state: State,
    limits: Limits,
    report: Callable[[Progress], None] | None = None,
    *,
    verdict_only: bool = False,
    optimal: bool = False,
    metric: str = "moves",
    first_moves: bool = False,
) -> Result:
    """Decide a position, or find a cheapest solution."""
    if optimal:
        return _shortest().solve(state, limits, report, metric=metric, first_moves=first_moves)
    return _solver().solve(state, limits, report, verdict_only=verdict_only)


def status(result: Result, asked: Collection[str]) -> Status:
    """Say what became of the question; a solution that may not be a cheapest one leaves it open."""
    if "optimal" in asked and result.moves is not None and not result.optimal:
        return Status.UNDECIDED
    return result.status


def is_something(result: Result) -> bool:
    """Whether an answer is worth to be written although the search was interrupted."""
    return result.moves is not None


def as_dict(instance: Instance, result: Result) -> dict[str, object]:
    """Give an answer by the keys of this game's results."""
    return result.as_dict()


def in_words(instance: Instance, result: Result) -> str:
    """Put an answer into words, with board and solution."""
    parts = [text.verdict(result), text.board(instance.position, instance.rules)]
    if result.moves is not None:
        parts.append(text.solution(instance.position, instance.rules, result.moves))
    return "\n\n".join(parts)


def in_a_line(instance: Instance, result: Result, *, title: str | int | None = None) -> str:
    """Put an answer into one line."""
    return text.verdict(result, title=title)


# One solver of a kind in a process: its arrays serve one instance after another.


@functools.cache
def _solver() -> Solver:
    from hanasolve.solitaire2.solve import Solver

    return Solver()


@functools.cache
def _shortest() -> Shortest:
    from hanasolve.solitaire2.shortest import Shortest

    return Shortest()
