"""How a hint for this game is asked for on the command line, and written."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from hanasolve.errors import HanasolveError, InstanceError
from hanasolve.search.limits import Limits, Report
from hanasolve.search.result import Status
from hanasolve.tamaki import text
from hanasolve.tamaki.hint import Advice, View, hint

if TYPE_CHECKING:
    from hanasolve.instances import Instance

OPTIONS: Final = ("sample_seed", "thoughtful", "objective")
"""What can be asked besides."""


def state_of(instance: Instance, source: str) -> View:
    """Give what is advised about: a position in which cards may be unknown.

    Raises
    ------
    InstanceError
        When the seat to move does not know its own hand.
    """
    position = instance.position
    try:
        return View(position, instance.rules)
    except HanasolveError as error:
        raise InstanceError(str(error), f"/hands/{position.turn}", source) from None


def answer(
    view: View,
    limits: Limits,
    report: Report | None = None,
    *,
    objective: str | None = None,
    sample_seed: int = 0,
    thoughtful: bool = False,
) -> Advice:
    """Advise the seat to move, by what it sees unless all cards are to be known."""
    if not thoughtful:
        view = View.of(view.position, view.rules)
    return hint(view, limits, report, objective=objective, sample_seed=sample_seed)


def status(advice: Advice, asked: Collection[str]) -> Status:
    """Say what became of the question: an estimate answers it, but there must be one."""
    is_open = not advice.moves and advice.limit is not None
    return Status.UNDECIDED if is_open else Status.SOLVED


def is_something(advice: Advice) -> bool:
    """Whether an answer is worth to be written although the search was interrupted."""
    return advice.samples > 0


def as_dict(instance: Instance, advice: Advice) -> dict[str, object]:
    """Give advice by the keys of a result."""
    return {
        "information": "thoughtful" if advice.exact else "hidden",
        "objective": advice.objective,
        "seat": advice.seat,
        "moves": [
            {
                "move": str(move.option),
                "estimate": move.estimate,
                "stderr": _finite(0.0 if advice.exact else move.stderr),
                "behind": move.behind,
                "behind_stderr": _finite(0.0 if advice.exact else move.behind_stderr),
            }
            for move in advice.moves
        ],
        "exact": advice.exact,
        "samples": advice.samples,
        "nodes": advice.nodes,
        "seconds": round(advice.seconds, 6),
        "limit": advice.limit,
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def in_words(instance: Instance, advice: Advice) -> str:
    """Put advice into words, with a drawing of the position as it is seen."""
    view = View(instance.position, instance.rules)
    seen = view if advice.exact else View.of(view.position, view.rules)
    parts = [in_a_line(instance, advice), text.board(seen.position, seen.rules)]
    if advice.moves:
        parts.append(text.advised(advice))
    return "\n\n".join(parts)


def in_a_line(instance: Instance, advice: Advice, *, title: str | int | None = None) -> str:
    """Put advice into one line."""
    return text.advice_line(advice, title=title)
