"""The game in text for a person: the position, what it is worth, and the actions by value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hanasolve.cards import CODES, name
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.move import Move
from hanasolve.treasures.position import Card, Position
from hanasolve.treasures.rules import Rules
from hanasolve.words import count, heading, met, pile_lines

if TYPE_CHECKING:
    from hanasolve.treasures.estimate import Estimate
    from hanasolve.treasures.hint import Advice, Advised
    from hanasolve.treasures.solve import Interval, Result

_ROUNDING: Final = 1e-9
"""A difference that nobody wants to read."""
_DUE: Final = {
    "start": "the start draw is due",
    "act": "the first action of the turn is due",
    "acted": "a red draw was made, and more actions may follow",
}


def board(position: Position, rules: Rules, *, title: str | int | None = None) -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
    rules : Rules
        Named in the first line.
    title : str or int, optional
        Put before them.

    Returns
    -------
    str
        Unknown cards stand as in files, and what they can be below.
    """
    top = position.present[-1]
    below = len(position.present) - 1
    over = f", on {count(below, 'other card')}" if below else ""
    lines = [
        heading("Three Treasures", rules.name(), title),
        _DUE[position.phase],
        "",
        f"present {CODES[top]} ({name(top)}, {rules.kind_of(top)}){over}",
        f"trial   {_codes(position.trial)}",
        f"hand    {_codes(position.hand)}",
        f"victory {_codes(position.victory)}",
        *pile_lines("discard", [CODES[card] for card in position.discard], "in the order of ids"),
        *pile_lines("deck", list(map(_code, position.deck)), "its first card is drawn next"),
    ]
    if position.unknown:
        lines += pile_lines("unknown", [CODES[card] for card in position.unknown], "behind the ?")
    for mark, cards in position.barred:
        lines.append(f"{mark} is none of {_codes(cards)}")
    return "\n".join(lines)


def verdict(position: Position, result: Result, *, title: str | int | None = None) -> str:
    """Say in a line what a position is worth."""
    found = f"value {_interval(result.value)}"
    if result.limit is not None:
        found += f": {met(result.limit)}"
    known = "what the player knows" if position.is_hidden else "all cards known"
    return _line(title, found, known, count(result.nodes, "node"), result.seconds)


def estimate_line(found: Estimate, *, title: str | int | None = None) -> str:
    """Say in a line what a position is worth by games played from it."""
    if found.games:
        says = f"estimate {_interval(found.ends)} at {found.confidence:.0%}"
        says += f", won {found.won} of {count(found.games, 'game')}"
    else:
        says = f"no game was played, proven {_interval(found.ends)}"
    if found.limit is not None:
        says += f"; {met(found.limit)}"
    known = "what the player sees" if found.unknown else "all cards known"
    return _line(title, says, known, count(found.nodes, "node"), found.seconds)


def ranking(actions: Sequence[tuple[Move, Interval]]) -> str:
    """List actions with what they are worth, in the order given."""
    return "\n".join(f"{_interval(value):>19}  {action}" for action, value in actions)


def advice_line(advice: Advice, *, title: str | int | None = None) -> str:
    """Say in a line what is advised."""
    if not advice.moves:
        label = "" if title is None else f"{title}: "
        return f"{label}there is nothing to decide here"
    best = advice.moves[0]
    known = "what the player sees" if advice.unknown else "all cards known"
    work = count(advice.nodes, "node" if advice.exact else "simulation")
    found = f"{decode_decision(best.move)}: {_estimate(best)}"
    if advice.limit is not None:
        found += f"; {met(advice.limit)}"
    return _line(title, found, known, work, advice.seconds)


def advised(advice: Advice) -> str:
    """List the moves with what is thought of them, and say which are as good as the first."""
    lines = [
        f"{_estimate(move):>32}  {decode_decision(move.move)}"
        + (f"  ({count(move.samples, 'sample')})" if move.samples else "")
        for move in advice.moves
    ]
    first = advice.moves[0]
    close = [
        move
        for move in advice.moves[1:]
        if first.estimate - move.estimate <= 2 * math.hypot(first.stderr, move.stderr)
    ]
    if close and not advice.exact:
        names = ", ".join(str(decode_decision(move.move)) for move in close)
        lines.append(f"no worse than the first, as far as the samples tell: {names}")
    return "\n".join(lines)


def _line(title: str | int | None, says: str, known: str, work: str, seconds: float) -> str:
    """Put a finding into a line, with what it rests on."""
    label = "" if title is None else f"{title}: "
    return f"{label}{says} ({known}; {work}, {seconds:.3f} s)"


def _estimate(move: Advised) -> str:
    if move.samples == 0:
        return f"value {move.estimate:.6f}"
    return f"estimate {move.estimate:.3f} ± {move.stderr:.3f}"


def _interval(value: Interval) -> str:
    low, high = value
    if high - low < _ROUNDING:
        return f"{(low + high) / 2:.6f}"
    return f"{low:.6f}..{high:.6f}"


def _codes(cards: Sequence[Card]) -> str:
    return " ".join(map(_code, cards)) or "--"


def _code(card: Card) -> str:
    return CODES[card] if isinstance(card, int) else card
