"""Records of games: what all games share in reading and judging them."""

from __future__ import annotations

import dataclasses

from hanasolve.document import Place


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a record holds.

    Attributes
    ----------
    valid : bool
        Every step is as the rules have it, and the last one wins.
    failed_at : int or None
        Index, from 0, of the first step that is not; the number of steps when all are but the game
        is not won.
    reason : str or None
        Why it does not hold.
    length : int
        Steps of the record.
    step : str
        What the game calls a step: ``"move"`` or ``"event"``.
    """

    valid: bool
    failed_at: int | None
    reason: str | None
    length: int
    step: str


def read_steps(record: Place, key: str, game: str) -> list[str]:
    """Read the steps of a record, a list of texts; a ``"game"`` that is given must be this one.

    Raises
    ------
    InstanceError
        When the record is no list of texts at all, or one of another game.
    """
    named = record.mapping().key("game", game)
    if named.value != game:
        raise named.error(f"this is a record of another game; the instance is {game}")
    return [place.text() for place in record.key(key).items()]


def holds(steps: list[str], step: str) -> Verdict:
    """Give the verdict on a record that holds."""
    return Verdict(valid=True, failed_at=None, reason=None, length=len(steps), step=step)


def broken(index: int, reason: str, steps: list[str], step: str) -> Verdict:
    """Give the verdict on a record that fails at a step, or at its end."""
    return Verdict(valid=False, failed_at=index, reason=reason, length=len(steps), step=step)
