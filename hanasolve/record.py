"""Records of games: what all games share in reading and judging them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sized

from hanasolve.document import Place


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a record holds.

    Attributes
    ----------
    valid : bool
        Every step is as the rules have it, and the last one wins, or ends the round.
    failed_at : int or None
        Index, from 0, of the first step that is not; the number of steps when all are but the game
        is not won, or not over.
    reason : str or None
        Why it does not hold.
    length : int
        Steps of the record.
    step : str
        What the game calls a step: ``"move"``, ``"event"`` or ``"turn"``.
    end : str
        What the last step of a record that holds comes to.
    """

    valid: bool
    failed_at: int | None
    reason: str | None
    length: int
    step: str
    end: str = "the game is won"


def read_steps(record: Place, key: str, game: str) -> list[Place]:
    """Give the steps of a record, a list; a ``"game"`` that is given must be this one.

    Raises
    ------
    InstanceError
        When the record has no list at all, or is one of another game.
    """
    named = record.mapping().key("game", game)
    if named.value != game:
        raise named.error(f"this is a record of another game; the instance is {game}")
    return [*record.key(key).items()]


def read_texts(record: Place, key: str, game: str) -> list[str]:
    """Give them where they are texts."""
    return [place.text() for place in read_steps(record, key, game)]


def holds(steps: Sized, step: str, *, end: str = "the game is won") -> Verdict:
    """Give the verdict on a record that holds."""
    return Verdict(valid=True, failed_at=None, reason=None, length=len(steps), step=step, end=end)


def broken(index: int, reason: str, steps: Sized, step: str) -> Verdict:
    """Give the verdict on a record that fails at a step, or at its end."""
    return Verdict(valid=False, failed_at=index, reason=reason, length=len(steps), step=step)
