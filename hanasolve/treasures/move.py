"""Moves: what the player decides and what chance does, one thing at a time, and their notation.

Decisions: ``red-draw 03b``, ``blue 06b 04c 01a``, ``dispel 01b``, ``avoid 01b``, ``kill 01b``,
``wander 06c``, ``starve 01b 02c``, ``end``; ``keep 06c`` or ``present 01a`` after a red draw,
``penalty blue 06b`` or ``penalty deck`` after the lightning, ``take 03a`` from a trial.

Chance: ``draw 06c``, ``trial 06c`` (a card of the trial comes up), ``pick 06c`` (a blind kill). In
the record of a game ``trial 06c 07d 01b`` also tells the cards of a trial that is formed, and
``shuffle 06c 07d …`` the whole new deck, top first.
"""

from __future__ import annotations

import dataclasses
from typing import Final, Self

from hanasolve.cards import CODES
from hanasolve.errors import MoveError, nearest

RED_DRAW: Final = "red-draw"
BLUE: Final = "blue"
DISPEL: Final = "dispel"
AVOID: Final = "avoid"
KILL: Final = "kill"
WANDER: Final = "wander"
STARVE: Final = "starve"
END: Final = "end"
KEEP: Final = "keep"
PRESENT: Final = "present"
PAY_BLUE: Final = "penalty blue"
PAY_DECK: Final = "penalty deck"
TAKE: Final = "take"
DRAW: Final = "draw"
TRIAL: Final = "trial"
PICK: Final = "pick"
SHUFFLE: Final = "shuffle"

CHANCE: Final = (DRAW, TRIAL, PICK, SHUFFLE)
"""The verbs of what chance does."""

_ONE: Final = (1,)
_COUNTS: Final[dict[str, tuple[int, ...]]] = {
    **dict.fromkeys((RED_DRAW, DISPEL, AVOID, KILL, WANDER, KEEP, PRESENT), _ONE),
    **dict.fromkeys((PAY_BLUE, TAKE, DRAW, PICK), _ONE),
    BLUE: (2, 3, 4),
    STARVE: (2,),
    END: (0,),
    PAY_DECK: (0,),
    TRIAL: (1, 3),
    SHUFFLE: tuple(range(1, len(CODES))),
}
"""For each verb how many cards it can have."""
_CARDS: Final = {code: card for card, code in enumerate(CODES)}
_LONGEST: Final = max(map(len, _COUNTS)) + 4 * len(CODES)


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    """One thing that the player or chance does. Its text is the notation of the rules.

    Attributes
    ----------
    verb : str
        What is done, one of the words of the notation.
    cards : tuple of int
        The cards that it names, in the order of the notation.

    Examples
    --------
    >>> str(Move("starve", (1, 6))), Move.parse("penalty blue 06b").cards
    ('starve 01b 02c', (21,))
    """

    verb: str
    cards: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a move.

        Raises
        ------
        MoveError
            When the text is no move of the notation.
        """
        words = text.split(" ") if len(text) <= _LONGEST else [text]
        size = 2 if words[0] == "penalty" else 1
        verb, codes = " ".join(words[:size]), words[size:]
        if verb not in _COUNTS:
            hint = nearest(verb, _COUNTS) or "; write a verb and its cards, as wander 06c"
            raise MoveError(f"{text[:24]!r} is no move{hint}")
        for code in codes:
            if code not in _CARDS:
                raise MoveError(
                    f"{text[:24]!r} is no move: {code[:8]!r} is no card from 01a to 12d"
                )
        if len(codes) not in _COUNTS[verb] or len(set(codes)) < len(codes):
            raise MoveError(f"{text[:24]!r} is no move: {verb} has {_counted(_COUNTS[verb])}")
        return cls(verb, tuple(_CARDS[code] for code in codes))

    @property
    def is_chance(self) -> bool:
        """Whether chance does it, and not the player."""
        return self.verb in CHANCE

    def __str__(self) -> str:
        return " ".join([self.verb, *(CODES[card] for card in self.cards)])


def _counted(counts: tuple[int, ...]) -> str:
    if counts[-1] == 0:
        return "no card"
    numbers = f"{counts[0]} to {counts[-1]}" if len(counts) > 2 else " or ".join(map(str, counts))
    return f"{numbers} different cards" if counts[-1] > 1 else "one card"
