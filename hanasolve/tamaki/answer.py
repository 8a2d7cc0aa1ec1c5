"""What the command line asks of this game, and how the answers are written."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from hanasolve.cards import CODES
from hanasolve.search.limits import Limits, Report
from hanasolve.search.result import Status
from hanasolve.tamaki import text
from hanasolve.tamaki.losses import losses, recorded
from hanasolve.tamaki.result import Result, Value
from hanasolve.tamaki.solve import solve
from hanasolve.tamaki.state import State

if TYPE_CHECKING:
    from hanasolve.document import Place
    from hanasolve.instances import Instance

OPTIONS: Final = ("objective", "seat", "values", "record", "known", "fixed")
"""What can be asked."""


def answer(
    state: State,
    limits: Limits,
    report: Report | None = None,
    *,
    objective: str | None = None,
    seat: int | None = None,
    values: bool = False,
    record: Place | None = None,
    known: int | None = None,
    fixed: Sequence[int] = (),
) -> Result:
    """Find what a position is worth; of a record also what each of its turns lost.

    With ``fixed`` the record says instead what those seats do.
    """
    asked: dict[str, Any] = {"objective": objective, "seat": seat, "values": values, "known": known}
    if record is not None and not fixed:
        return losses(state, record, limits, report, **asked)
    turns = recorded(state, record, fixed) if record is not None else {}
    return solve(state, limits, report, **asked, fixed=turns)


def status(result: Result, asked: Collection[str]) -> Status:
    """Say what became of the question: a limit leaves it open, unless all was found before."""
    return Status.SOLVED if result.optimal and result.limit is None else Status.UNDECIDED


def is_something(result: Result) -> bool:
    """Whether an answer is worth to be written although the search was interrupted."""
    return result.value is not None or result.yaku is not None


def as_dict(instance: Instance, result: Result) -> dict[str, object]:
    """Give an answer by the keys of this game's results."""
    found: dict[str, object] = {
        "information": "thoughtful",
        "objective": result.objective,
        "seat": result.seat,
        "value": _value(result.value),
        "bound": _value(result.bound),
        "status": "optimal" if result.optimal else "feasible",
        "line": [move.as_dict(seat) for seat, move in result.line],
    }
    if result.mountain is not None:
        found["mountain"] = [CODES[card] for card in result.mountain]
    if result.moves:
        found["moves"] = [
            {**move.as_dict(instance.position.turn), "value": _value(value)}
            for move, value in result.moves
        ]
    if result.losses is not None:
        found["losses"] = [
            {**loss.move.as_dict(loss.seat), "best": loss.best, "lost": loss.lost}
            for loss in result.losses
        ]
    if result.lost_yaku is not None:
        found["lost"] = [
            {"seat": lost.seat, "yaku": lost.yaku, "turn": lost.turn, "by": lost.by}
            for lost in result.lost_yaku
        ]
    if result.yaku is not None:
        found["yaku"] = [{"seat": seat, **reach} for seat, reach in enumerate(result.yaku)]
        found["most"] = list(result.most or ())
        found["reasons"] = [
            {**vars(reason), "cards": [CODES[card] for card in reason.cards]}
            for reason in result.reasons
        ]
    return {
        **found,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "limit": result.limit,
    }


def in_words(instance: Instance, result: Result) -> str:
    """Put an answer into words, with a drawing of the position and a line of play."""
    parts = [in_a_line(instance, result), text.board(instance.position, instance.rules)]
    if result.moves:
        parts.append(text.ranking(result.moves))
    if result.losses is not None:
        parts.append(text.loss_table(result.losses))
    elif result.yaku is not None:
        parts.append(text.yaku_table(result))
    elif result.line or result.optimal:
        position = instance.position
        if result.mountain is not None:
            position = dataclasses.replace(position, mountain=result.mountain)
        end = state = State(position, instance.rules)
        for _, move in result.line:
            end = end.apply(move)
        parts += [text.line_of_play(state, result.line), text.scores(end)]
    return "\n\n".join(parts)


def in_a_line(instance: Instance, result: Result, *, title: str | int | None = None) -> str:
    """Put an answer into one line."""
    return text.verdict(result, title=title)


def _value(value: Value | None) -> object:
    return list(value) if isinstance(value, tuple) else value
