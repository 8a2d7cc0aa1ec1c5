"""Replay a record of moves against the rules; nothing of the search is used."""

from __future__ import annotations

import dataclasses
from typing import Final

from hanasolve.document import Place
from hanasolve.errors import MoveError
from hanasolve.solitaire2.state import State

_MOST_MOVES: Final = 10**9


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a record holds.

    Attributes
    ----------
    valid : bool
        Every move is legal and the last one wins.
    failed_at : int or None
        Index, from 0, of the first move that is not legal; the number of moves when all are but
        the game is not won.
    reason : str or None
        Why it does not hold.
    length : int
        Moves of the record.
    """

    valid: bool
    failed_at: int | None
    reason: str | None
    length: int


def verify(state: State, record: Place) -> Verdict:
    """Replay a record from a position.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : Place
        A parsed record: an object with ``"moves"``, a list of moves as text. A ``"length"`` that is
        given must be their number, and a ``"game"`` the state's.

    Returns
    -------
    Verdict

    Raises
    ------
    InstanceError
        When the record is no list of texts at all.
    """
    game = record.mapping().key("game", state.game)
    if game.value != state.game:
        raise game.error(f"this is a record of another game; the instance is {state.game}")
    moves = [place.text() for place in record.key("moves").items()]
    for index, move in enumerate(moves):
        try:
            state = state.apply(move)
        except MoveError as error:
            return _broken(index, str(error), moves)
    if not state.is_won:
        up = sum(map(len, state.position.foundations))
        return _broken(len(moves), f"the game is not won: {up} of 48 cards are up", moves)
    length = record.key("length", None)
    claimed = len(moves) if length.value is None else length.integer(0, _MOST_MOVES)
    if claimed != len(moves):
        return _broken(len(moves), f"the record claims {claimed} moves, it has {len(moves)}", moves)
    return Verdict(valid=True, failed_at=None, reason=None, length=len(moves))


def _broken(index: int, reason: str, moves: list[str]) -> Verdict:
    return Verdict(valid=False, failed_at=index, reason=reason, length=len(moves))
