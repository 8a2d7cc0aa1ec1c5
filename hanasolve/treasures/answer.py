"""What the command line asks of this game, and how the answers are written."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from hanasolve.search.limits import Limits, Progress
from hanasolve.search.result import Status
from hanasolve.treasures import text
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.solve import Result, solve
from hanasolve.treasures.state import State

if TYPE_CHECKING:
    from hanasolve.instances import Instance

OPTIONS: Final = ("drn",)
"""What can be asked besides the value: `hanasolve.report.drn`."""


def answer(
    state: State, limits: Limits, report: Callable[[Progress], None] | None = None
) -> Result:
    """Work out what a position is worth."""
    return solve(state, limits, report)


def status(result: Result, asked: Collection[str]) -> Status:
    """Say what became of the question: it is open as long as the interval is not closed."""
    return Status.SOLVED if result.exact else Status.UNDECIDED


def is_something(result: Result) -> bool:
    """Whether an answer is worth to be written although the search was interrupted."""
    return result.value != (0.0, 1.0)


def as_dict(instance: Instance, result: Result) -> dict[str, object]:
    """Give an answer by the keys of this game's results."""
    return {
        "information": "hidden" if instance.position.is_hidden else "thoughtful",
        "value": list(result.value),
        "exact": result.exact,
        "best": None if result.best is None else str(decode_decision(result.best)),
        "actions": [
            {"action": str(decode_decision(action)), "value": list(value)}
            for action, value in result.actions
        ],
        "states": result.states,
        "nodes": result.nodes,
        "transitions": result.transitions,
        "seconds": round(result.seconds, 6),
        "limit": result.limit,
    }


def in_words(instance: Instance, result: Result) -> str:
    """Put an answer into words, with a drawing of the position and what every action is worth."""
    parts = [in_a_line(instance, result), text.board(instance.position, instance.rules)]
    if result.actions:
        parts.append(
            text.ranking([(decode_decision(step), value) for step, value in result.actions])
        )
    return "\n\n".join(parts)


def in_a_line(instance: Instance, result: Result, *, title: str | int | None = None) -> str:
    """Put an answer into one line."""
    return text.verdict(instance.position, result, title=title)
