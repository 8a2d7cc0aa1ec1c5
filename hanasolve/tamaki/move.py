"""Moves: a whole turn with its choices, and its notation.

``play 05c take 05a, draw 07b take 07a``: a card of the hand is played and what it captures is told,
then the card that the mountain gives and what that captures. Nothing is told of a card that stays
on the table, nor of a draw from an empty mountain; once the hands are empty there is only a draw.

A packed move is ``play | take << 6 | draw_take << 12``: the card played, and of what each card
captures the least, `NO_CARD` for none. Which card is drawn the position knows.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from hanasolve.cards import CODES
from hanasolve.errors import MoveError

NO_CARD: Final = 63

_CODE: Final = r"(?:0[1-9]|1[0-2])[a-d]"
_TEXT: Final = re.compile(
    rf"(?:play (?P<play>{_CODE})(?: take (?P<capture>{_CODE}(?: {_CODE}){{0,2}}))?)?"
    rf"(?P<comma>, )?"
    rf"(?:draw (?P<draw>{_CODE})(?: take (?P<draw_capture>{_CODE}(?: {_CODE}){{0,2}}))?)?"
)
_CARDS: Final = {code: card for card, code in enumerate(CODES)}


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """One turn of a seat. Its text is the notation of this module.

    Attributes
    ----------
    play : int or None
        The card of the hand; None when the hands are empty and only the mountain is played out.
    capture : tuple of int
        The table cards that it captures, in id order.
    draw : int or None
        The card that the mountain gives; None when it is empty.
    draw_capture : tuple of int
        The table cards that it captures, in id order.

    Examples
    --------
    >>> str(Move(18, (16,), 25, (24,)))
    'play 05c take 05a, draw 07b take 07a'
    >>> Move.parse("play 01a take 01b 01c 01d").capture
    (1, 2, 3)
    """

    play: int | None
    capture: tuple[int, ...] = ()
    draw: int | None = None
    draw_capture: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move.

        Raises
        ------
        MoveError
            When the text is no move of the notation.
        """
        match = _TEXT.fullmatch(text)
        parts = dict.fromkeys(_TEXT.groupindex) if match is None else match.groupdict()
        both = parts["play"] is not None and parts["draw"] is not None
        if (parts["play"] or parts["draw"]) is None or both != (parts["comma"] is not None):
            raise MoveError(f"{text[:24]!r} is no move; write play 05c take 05a, draw 07b take 07a")
        capture, draw_capture = (
            tuple(_CARDS[code] for code in (parts[name] or "").split())
            for name in ("capture", "draw_capture")
        )
        for taken in (capture, draw_capture):
            if list(taken) != sorted(set(taken)):
                raise MoveError(f"{text[:24]!r} is no move; captured cards stand in id order")
        play, draw = (
            None if (name := parts[part]) is None else _CARDS[name] for part in ("play", "draw")
        )
        return cls(play, capture, draw, draw_capture)

    def __str__(self) -> str:
        parts = []
        for verb, card, taken in (
            ("play", self.play, self.capture),
            ("draw", self.draw, self.draw_capture),
        ):
            if card is not None:
                take = f" take {' '.join(CODES[c] for c in taken)}" if taken else ""
                parts.append(f"{verb} {CODES[card]}{take}")
        return ", ".join(parts)

    def as_dict(self, seat: int) -> dict[str, object]:
        """Give the move as an entry of a line, with the seat that makes it."""
        play, draw = (None if card is None else CODES[card] for card in (self.play, self.draw))
        return {
            "seat": seat,
            "play": play,
            "capture": [CODES[card] for card in self.capture],
            "draw": draw,
            "draw_capture": [CODES[card] for card in self.draw_capture],
        }

    def packed(self) -> int:
        """Pack the move as the kernel reads it."""
        play = NO_CARD if self.play is None else self.play
        take, draw_take = (min(c, default=NO_CARD) for c in (self.capture, self.draw_capture))
        return play | take << 6 | draw_take << 12
