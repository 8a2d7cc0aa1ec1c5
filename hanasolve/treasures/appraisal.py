"""How an estimate of this game is asked for on the command line, and written."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from hanasolve.search.limits import Limits, Progress
from hanasolve.search.result import Status
from hanasolve.treasures import text
from hanasolve.treasures.estimate import GAMES, SIMULATIONS, Estimate, estimate
from hanasolve.treasures.state import State

if TYPE_CHECKING:
    from hanasolve.instances import Instance

OPTIONS: Final = ("games", "simulations", "sample_seed", "thoughtful")
"""What can be asked besides."""


def answer(
    state: State,
    limits: Limits,
    report: Callable[[Progress], None] | None = None,
    *,
    games: int | None = None,
    simulations: int | None = None,
    sample_seed: int = 0,
    thoughtful: bool = False,
) -> Estimate:
    """Estimate what a position is worth, by what the player sees unless all is to be known."""
    if not thoughtful and not state.is_over:
        state = State(state.position.as_seen(state.rules), state.rules)
    return estimate(
        state,
        limits,
        report,
        games=GAMES if games is None else games,
        simulations=SIMULATIONS if simulations is None else simulations,
        sample_seed=sample_seed,
    )


def status(found: Estimate, asked: Collection[str]) -> Status:
    """Say what became of the question: it is open when no game was played."""
    return Status.SOLVED if is_something(found) else Status.UNDECIDED


def is_something(found: Estimate) -> bool:
    """Whether an answer is worth to be written although it was interrupted."""
    return found.ends != (0.0, 1.0)


def as_dict(instance: Instance, found: Estimate) -> dict[str, object]:
    """Give an estimate by the keys of a result."""
    return {
        "information": "hidden" if found.unknown else "thoughtful",
        "estimate": list(found.ends),
        "confidence": found.confidence,
        "games": found.games,
        "won": found.won,
        "mean": found.mean,
        "stderr": found.stderr,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "limit": found.limit,
    }


def in_words(instance: Instance, found: Estimate) -> str:
    """Put an estimate into words, with a drawing of the position."""
    position, rules = instance.position, instance.rules
    seen = position.as_seen(rules) if found.unknown else position
    return f"{in_a_line(instance, found)}\n\n{text.board(seen, rules)}"


def in_a_line(instance: Instance, found: Estimate, *, title: str | int | None = None) -> str:
    """Put an estimate into one line."""
    return text.estimate_line(found, title=title)
