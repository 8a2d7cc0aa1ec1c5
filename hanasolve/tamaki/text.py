"""The game in text for a person: the table, what was found out, and lines of play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hanasolve.cards import CODES, name
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Card, Position
from hanasolve.tamaki.rules import POINTS, YAKU, Rules
from hanasolve.tamaki.state import State
from hanasolve.words import count, heading, met, pile_lines

if TYPE_CHECKING:
    from hanasolve.tamaki.hint import Advice
    from hanasolve.tamaki.result import Loss, Result, Value

_ASKED: Final = {
    "margin": "margin of seat {}",
    "paranoid": "what seat {} can be sure of",
    "maxn": "scores when each seat looks after itself",
    "cooperative": "most of seat {} if all help",
    "yaku": "yaku within reach",
    "ceiling": "most of seat {} if all help, in any order of the mountain",
}
_WORDS_OF_YAKU: Final = {yaku: yaku.replace("_", "-") for yaku in YAKU}
_GAP: Final = "  "


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
        Unknown cards stand as ``?``. Captured cards stand in id order.
    """
    lines = [
        heading("Hanafuda by Tamaki", rules.name(), title),
        f"seat {position.turn} of {position.players} is to move; seen by seat {position.seat}",
        "",
        f"table   {_codes(position.table)}",
        *pile_lines(
            "mountain", list(map(_code, position.mountain)), "its first card is drawn next"
        ),
    ]
    for seat, (hand, claim) in enumerate(zip(position.hands, position.claims, strict=True)):
        lines += ["", f"seat {seat}  hand {_codes(hand)}"]
        if position.scores[seat]:
            lines[-1] += f", {position.scores[seat]} points from earlier rounds"
        lines += pile_lines("  captured", list(map(_code, claim))) if claim else []
    return "\n".join(lines)


def verdict(result: Result, *, title: str | int | None = None) -> str:
    """Say in a line what was found out."""
    says = _ASKED[result.objective].format(result.seat)
    if result.value is not None and result.bound is not None:
        says += f": {_value(result.value)}"
        if not result.optimal:
            says += f" to {_value(result.bound)}"
    elif result.bound is not None:
        says += f": at most {_value(result.bound)}"
    if result.limit is not None:
        says += f"; {met(result.limit)}"
    label = "" if title is None else f"{title}: "
    work = count(result.nodes, "node")
    return f"{label}{says} (all cards known; {work}, {result.seconds:.3f} s)"


def line_of_play(state: State, line: Sequence[tuple[int, Move]]) -> str:
    """Tell a line, a row a turn: the cards as a table, and then in words."""
    rows = [("turn", "seat", "plays", "takes", "draws", "takes", "points", "in words")]
    for number, (seat, move) in enumerate(line, 1):
        before, state = state, state.apply(move)
        gained = state.card_points()[seat] - before.card_points()[seat]
        complete = [yaku for yaku in state.yaku()[seat] if yaku not in before.yaku()[seat]]
        words = _landing("", move.play, move.capture) + _landing(
            "draws ", move.draw, move.draw_capture
        )
        words += [f"completes {_WORDS_OF_YAKU[yaku]}" for yaku in complete]
        rows.append(
            (
                str(number),
                str(seat),
                _codes([] if move.play is None else [move.play]),
                _codes(move.capture),
                _codes([] if move.draw is None else [move.draw]),
                _codes(move.draw_capture),
                str(gained),
                "; ".join(words),
            )
        )
    return _table(rows)


def scores(state: State) -> str:
    """Tell the scores of a round, by cards and by yaku."""
    rows = [("seat", "cards", "for yaku", "score", "yaku")]
    parts = zip(state.card_points(), state.round_scores(), state.yaku(), strict=True)
    for seat, (cards, score, held) in enumerate(parts):
        named = ", ".join(_WORDS_OF_YAKU[yaku] for yaku in held)
        rows.append((str(seat), str(cards), f"{score - cards:+}", str(score), named or "--"))
    return _table(rows)


def ranking(moves: Iterable[tuple[Move, Value]]) -> str:
    """List moves with what they lead to, in the order given."""
    return "\n".join(f"{_value(value):>9}{_GAP}{move}" for move, value in moves)


def yaku_table(result: Result) -> str:
    """Tell which yaku each seat can complete, how many together, and why not the others."""
    rows = [("seat", *_WORDS_OF_YAKU.values(), "most")]
    for seat, (reach, most) in enumerate(zip(result.yaku or (), result.most or (), strict=True)):
        can = ("yes" if reach[yaku] else "no" for yaku in YAKU)
        rows.append((str(seat), *can, str(most)))
    reasons = [
        f"seat {reason.seat}, {_WORDS_OF_YAKU[reason.yaku]}: {reason.text}"
        for reason in result.reasons
    ]
    lost = [
        f"seat {lost.seat}, {_WORDS_OF_YAKU[lost.yaku]}: lost in turn {lost.turn},"
        f" by seat {lost.by}: {lost.move}"
        for lost in result.lost_yaku or ()
    ]
    return "\n".join([_table(rows), *reasons, *lost])


def loss_table(losses: Sequence[Loss]) -> str:
    """Tell of each turn of a record what it lost."""
    rows = [("turn", "seat", "best", "lost", "played")]
    for number, loss in enumerate(losses, 1):
        rows.append(
            (str(number), str(loss.seat), str(loss.best), str(loss.lost or "--"), str(loss.move))
        )
    return _table(rows)


def advice_line(advice: Advice, *, title: str | int | None = None) -> str:
    """Say in a line what is advised."""
    label = "" if title is None else f"{title}: "
    if not advice.moves:
        says = "the round is over" if advice.limit is None else met(advice.limit)
        return f"{label}{says}; there is nothing to advise"
    best = advice.moves[0]
    says = f"{best.option}: {_points(best.estimate, best.stderr, exact=advice.exact)}"
    if advice.limit is not None:
        says += f"; {met(advice.limit)}"
    known = "all cards known" if advice.exact else "what the player sees"
    work = count(advice.nodes, "node") if advice.exact else count(advice.samples, "deal")
    return f"{label}{says} ({known}; {work}, {advice.seconds:.3f} s)"


def advised(advice: Advice) -> str:
    """List what can be done: what it gives, how far behind the best it is, and what it captures."""
    sought = _ASKED[advice.objective].format(advice.seat)
    rows = [(sought, "behind", "move", "in words")]
    for move in advice.moves:
        turn = move.option
        captured = (*turn.capture, *turn.draw_capture)
        landed = [card for card in (turn.play, turn.draw) if card is not None] if captured else []
        words = _landing("", turn.play, turn.capture)
        words += _landing("draws ", turn.draw, turn.draw_capture)
        if captured and turn.draw is None:
            words.append(f"{sum(POINTS[card] for card in (*landed, *captured))} points")
        rows.append(
            (
                _points(move.estimate, move.stderr, exact=advice.exact),
                _points(move.behind, move.behind_stderr, exact=advice.exact),
                str(turn),
                "; ".join(words),
            )
        )
    lines = [_table(rows)]
    if not advice.exact and len(advice.moves) > 1:
        close = [str(move.option) for move in advice.moves[1:] if move.is_close]
        if len(close) == len(advice.moves) - 1:
            lines.append("all are equally good, as far as the deals tell")
        elif close:
            lines.append(f"no worse than the first, as far as the deals tell: {'; '.join(close)}")
    return "\n".join(lines)


def _points(mean: float, stderr: float, *, exact: bool) -> str:
    return f"{mean:g}" if exact else f"{mean:.1f} ± {stderr:.1f}"


def _landing(verb: str, card: int | None, taken: Sequence[int]) -> list[str]:
    """Say in words how a card lands."""
    if card is None:
        return []
    if not taken:
        return [f"{verb}{name(card)} stays"]
    return [f"{verb}{name(card)} takes {', '.join(map(name, taken))}"]


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Align columns to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = (map(str.ljust, row, widths) for row in rows)
    return "\n".join(_GAP.join(row).rstrip() for row in cells)


def _value(value: Value) -> str:
    return str(value) if isinstance(value, int) else " ".join(map(str, value))


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(map(_code, cards)) or "--"


def _code(card: Card) -> str:
    return "?" if card is None else CODES[card]
