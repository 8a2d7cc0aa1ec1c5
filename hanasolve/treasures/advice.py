"""How a hint for this game is asked for on the command line, and written."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from hanasolve.search.limits import Limits, Progress
from hanasolve.search.result import Status
from hanasolve.treasures import text
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.hint import Advice, hint
from hanasolve.treasures.state import State

if TYPE_CHECKING:
    from hanasolve.instances import Instance

OPTIONS: Final = ("sample_seed", "thoughtful")
"""What can be asked besides."""


def answer(
    state: State,
    limits: Limits,
    report: Callable[[Progress], None] | None = None,
    *,
    sample_seed: int = 0,
    thoughtful: bool = False,
) -> Advice:
    """Advise on the next decision, by what the player sees unless all cards are to be known."""
    if not thoughtful and not state.is_over:
        state = State(state.position.as_seen(state.rules), state.rules)
    return hint(state, limits, report, sample_seed=sample_seed)


def status(advice: Advice, asked: Collection[str]) -> Status:
    """Say what became of the question: an estimate answers it."""
    return Status.SOLVED


def is_something(advice: Advice) -> bool:
    """Whether an answer is worth to be written although the search was interrupted."""
    return advice.nodes > 0


def as_dict(instance: Instance, advice: Advice) -> dict[str, object]:
    """Give advice by the keys of a result."""
    return {
        "information": "hidden" if advice.unknown else "thoughtful",
        "moves": [
            {
                "move": str(decode_decision(advised.move)),
                "estimate": advised.estimate,
                "stderr": advised.stderr,
                "samples": advised.samples,
            }
            for advised in advice.moves
        ],
        "exact": advice.exact,
        "nodes": advice.nodes,
        "seconds": round(advice.seconds, 6),
        "limit": advice.limit,
    }


def in_words(instance: Instance, advice: Advice) -> str:
    """Put advice into words, with a drawing of the position and all that is advised."""
    position, rules = instance.position, instance.rules
    seen = position.as_seen(rules) if advice.unknown else position
    parts = [in_a_line(instance, advice), text.board(seen, rules)]
    if advice.moves:
        parts.append(text.advised(advice))
    return "\n\n".join(parts)


def in_a_line(instance: Instance, advice: Advice, *, title: str | int | None = None) -> str:
    """Put advice into one line."""
    return text.advice_line(advice, title=title)
