"""Words that the texts of all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_CARDS_A_LINE: Final = 15


def count(number: int, thing: str) -> str:
    """Give a number of things: ``1 move``, ``2 moves``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def met(limit: str | None) -> str:
    """Say what ended a search."""
    return "interrupted" if limit == "interrupt" else f"the limit of {limit} was met"


def heading(game: str, rules: str, title: str | int | None) -> str:
    """Give the first line of a drawing."""
    return f"{game if title is None else f'{title}: {game}'}, rules: {rules}"


def pile_lines(name: str, codes: Sequence[str], *remarks: str) -> list[str]:
    """Give the lines of a pile of cards, with remarks on their order."""
    if not codes:
        return [f"{name}, empty"]
    rows = range(0, len(codes), _CARDS_A_LINE)
    return [
        ", ".join([name, count(len(codes), "card"), *remarks]) + ":",
        *("  " + " ".join(codes[row : row + _CARDS_A_LINE]) for row in rows),
    ]
