"""Moves: what a player does at a time, their notation, and how the kernel packs them.

A packed move is ``kind | source << 4 | target << 8 | count << 12``, columns and piles from 0.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from hanasolve.errors import MoveError

# Kinds of packed moves.
DRAW_CARDS: Final = 0
TURN_WASTE: Final = 1
WASTE_UP: Final = 2
WASTE_COLUMN: Final = 3
COLUMN_UP: Final = 4
COLUMN_COLUMN: Final = 5
PILE_COLUMN: Final = 6

FIRST_PILE: Final = 15
"""The target of a card going up to the lowest-numbered pile that takes it."""

_KINDS: Final = {
    ("stock", ""): DRAW_CARDS,
    ("waste", ""): TURN_WASTE,
    ("waste", "pile"): WASTE_UP,
    ("waste", "column"): WASTE_COLUMN,
    ("column", "pile"): COLUMN_UP,
    ("column", "column"): COLUMN_COLUMN,
    ("pile", "column"): PILE_COLUMN,
}
_NAMES: Final = {kind: names for names, kind in _KINDS.items()}
_TEXT: Final = re.compile(
    r"draw|turn|(?P<up>[W1-6])-F(?P<pile>[1-4])?|W-(?P<waste>[1-6])"
    r"|(?P<source>[1-6])-(?P<column>[1-6])x(?P<count>[1-9]|1[0-2])"
    r"|F(?P<back>[1-4])-(?P<onto>[1-6])"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """One move: what a player does at a time. Its text is the notation of the rules.

    Attributes
    ----------
    source : {"stock", "waste", "column", "pile"}
        Where the cards come from; "stock" alone is a draw, "waste" without a target a turn.
    target : {"", "pile", "column"}
        Where they go.
    source_number, target_number : int
        Column 1 to 6 or pile 1 to 4; a target pile 0 is the lowest-numbered one that takes the
        card.
    count : int
        Cards moved, when a run moves between columns; else 0.

    Examples
    --------
    >>> str(Move.parse("2-4x3")), Move.parse("W-F").target
    ('2-4x3', 'pile')
    """

    source: str
    target: str = ""
    source_number: int = 0
    target_number: int = 0
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move: ``draw``, ``turn``, ``W-F``, ``3-F2``, ``W-5``, ``2-4x3``, ``F1-6``.

        Raises
        ------
        MoveError
            When the text is no move of the notation.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise MoveError(f"{text[:24]!r} is no move; write draw, turn, W-F, 3-F, W-5 or 2-4x3")
        part = {name: value for name, value in match.groupdict().items() if value is not None}
        if "up" in part:
            pile = int(part.get("pile", 0))
            if part["up"] == "W":
                return cls("waste", "pile", target_number=pile)
            return cls("column", "pile", int(part["up"]), pile)
        if "waste" in part:
            return cls("waste", "column", target_number=int(part["waste"]))
        if "source" in part:
            numbers = int(part["source"]), int(part["column"])
            return cls("column", "column", *numbers, count=int(part["count"]))
        if "back" in part:
            return cls("pile", "column", int(part["back"]), int(part["onto"]))
        return DRAW if text == "draw" else TURN

    def __str__(self) -> str:
        if not self.target:
            return "draw" if self.source == "stock" else "turn"
        if self.source == "pile":
            return f"F{self.source_number}-{self.target_number}"
        start = "W" if self.source == "waste" else str(self.source_number)
        if self.target == "pile":
            return f"{start}-F{self.target_number or ''}"
        return f"{start}-{self.target_number}" + (f"x{self.count}" if self.count else "")


DRAW: Final = Move("stock")
TURN: Final = Move("waste")


def encode_move(move: Move) -> int:
    """Pack a move as the kernel reads it."""
    source = max(move.source_number - 1, 0)
    target = move.target_number - 1
    if target < 0:
        target = FIRST_PILE if move.target == "pile" else 0
    return _KINDS[move.source, move.target] | source << 4 | target << 8 | move.count << 12


def decode_move(packed: int) -> Move:
    """Give the move that the kernel packed."""
    source, target = _NAMES[packed & 15]
    number = packed >> 8 & 15
    return Move(
        source,
        target,
        (packed >> 4 & 15) + 1 if source in ("column", "pile") else 0,
        number + 1 if target and number != FIRST_PILE else 0,
        packed >> 12 & 15,
    )
