"""Replay a record of moves against the rules; nothing of the search is used."""

from __future__ import annotations

from typing import Final

from hanasolve.document import Place
from hanasolve.errors import MoveError
from hanasolve.record import Verdict, broken, holds, read_texts
from hanasolve.solitaire2.state import State

_MOST_MOVES: Final = 10**9
_STEP: Final = "move"


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
    moves = read_texts(record, "moves", state.game)
    for index, move in enumerate(moves):
        try:
            state = state.apply(move)
        except MoveError as error:
            return broken(index, str(error), moves, _STEP)
    if not state.is_won:
        up = sum(map(len, state.position.foundations))
        reason = f"the game is not won: {up} of 48 cards are up"
        return broken(len(moves), reason, moves, _STEP)
    length = record.key("length", None)
    claimed = len(moves) if length.value is None else length.integer(0, _MOST_MOVES)
    if claimed != len(moves):
        reason = f"the record claims {claimed} moves, it has {len(moves)}"
        return broken(len(moves), reason, moves, _STEP)
    return holds(moves, _STEP)
