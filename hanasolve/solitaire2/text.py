"""The game in text for a person: the board, the verdict, and a solution in words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hanasolve.cards import CODES, name
from hanasolve.solitaire2.move import DRAW, TURN, Move
from hanasolve.solitaire2.position import Card, Position
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State
from hanasolve.words import count, heading, met, pile_lines

if TYPE_CHECKING:
    from hanasolve.solitaire2.solve import Result

_CELL: Final = 7

_OPTIMAL: Final = {
    None: "a shortest solution",
    "moves": "a shortest solution",
    "card-moves": "as few as can be without draws and turns",
    "turns": "with fewest turns, and then fewest moves",
}
"""What is said of a solution proven to be a cheapest one, for each metric."""


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
        Columns are drawn downwards, their last card lowest; face-down cards stand in brackets.
    """
    tops = [CODES[pile[-1]] if pile else "--" for pile in position.foundations]
    lines = [
        heading("Hanafuda Solitaire #2", rules.name(), title),
        "",
        "  ".join(f"F{number} {top}" for number, top in enumerate(tops, 1)),
        *_pile("waste", position.waste, "its last card can be played"),
        *_pile("stock", position.stock, "its first card is drawn next"),
    ]
    lines += ["", "".join(f"{f' {column}':{_CELL}}" for column in range(1, 7)).rstrip()]
    columns = [
        [*(f"[{_code(card)}]" for card in down), *(f" {CODES[card]}" for card in up)]
        for down, up in zip(position.down, position.up, strict=True)
    ]
    for row in itertools.zip_longest(*columns, fillvalue=""):
        lines.append("".join(f"{cell:{_CELL}}" for cell in row).rstrip())
    return "\n".join(lines)


def verdict(result: Result, *, title: str | int | None = None) -> str:
    """Say in a line what was found out."""
    found = result.status.value
    if result.moves is not None:
        found += f": {count(len(result.moves), 'move')}, {_how_good(result)}"
    elif result.limit is not None:
        found += f": {met(result.limit)}"
    label = "" if title is None else f"{title}: "
    return (
        f"{label}{found} (all cards known; {count(result.nodes, 'node')}, {result.seconds:.3f} s)"
    )


def _how_good(result: Result) -> str:
    """Say what is proven of a solution's cost."""
    if result.optimal:
        firsts = result.first_moves
        if not firsts:
            return _OPTIMAL[result.metric]
        forced = "forced to begin with" if len(firsts) == 1 else "others as good begin with"
        return f"{_OPTIMAL[result.metric]}, {forced} {', '.join(map(str, firsts))}"
    if result.metric is None:
        return "not proven to be the fewest"
    kind = "card moves" if result.metric == "card-moves" else "moves"
    return f"at least {result.lower_bound} {kind} are needed; {met(result.limit)}"


def solution(position: Position, rules: Rules, moves: Sequence[Move]) -> str:
    """Put a solution into words, a line a move; draws and turns before a play share a line."""
    state = State(position, rules)
    lines: list[str] = []
    drawing: list[str] = []
    for number, move in enumerate(moves, 1):
        before, state = state.position, state.apply(move)
        if move in (DRAW, TURN):
            drawing.append(str(move))
            continue
        if drawing:
            steps = (f"{step} x{len(list(same))}" for step, same in itertools.groupby(drawing))
            first, last = number - len(drawing), number - 1
            numbers = f"{last}" if first == last else f"{first}-{last}"
            lines.append(
                f"{numbers:>9}  {', '.join(steps)}: {CODES[before.waste[-1]]} is the waste top"
            )
            drawing = []
        lines.append(f"{number:>9}  {move!s:7} {_words(move, before, state.position)}")
    return "\n".join(lines)


def _words(move: Move, before: Position, after: Position) -> str:
    """Say what a move of cards does: what goes where, and what it turns up."""
    if move.source == "waste":
        cards, place = before.waste[-1:], "the waste"
    elif move.source == "pile":
        cards, place = before.foundations[move.source_number - 1][-1:], f"F{move.source_number}"
    else:
        run = before.up[move.source_number - 1]
        cards, place = run[len(run) - (move.count or 1) :], f"column {move.source_number}"
    if move.target == "pile":
        pile = next(n for n, pile in enumerate(after.foundations, 1) if pile[-1:] == cards)
        where = f"to F{pile}"
    else:
        onto = before.up[move.target_number - 1][-1:]
        where = f"onto {_codes(onto)}" if onto else "to an empty column"
        where += f" in column {move.target_number}"
    what = f"{_codes(cards)} ({name(cards[0])})" if len(cards) == 1 else _codes(cards)
    words = f"{what} from {place} {where}"
    column = move.source_number - 1
    if move.source == "column" and len(after.down[column]) < len(before.down[column]):
        words += f"; turns up {_codes(after.up[column])}"
    return words


def _pile(which: str, cards: Sequence[Card], remark: str) -> list[str]:
    """Give the lines of waste or stock."""
    if cards and set(cards) == {None}:
        return [f"{which}, {count(len(cards), 'card')} face down"]
    return pile_lines(which, [_code(card) for card in cards], remark)


def _codes(cards: Sequence[Card]) -> str:
    return " ".join(map(_code, cards))


def _code(card: Card) -> str:
    return "???" if card is None else CODES[card]
