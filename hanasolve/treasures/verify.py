"""Replay a record of a game against the rules; nothing of the search is used."""

from __future__ import annotations

from typing import Final

from hanasolve.document import Place
from hanasolve.errors import MoveError
from hanasolve.record import Verdict, broken, holds, read_texts
from hanasolve.treasures.game import Game
from hanasolve.treasures.state import State

_STEP: Final = "event"


def verify(state: State, record: Place) -> Verdict:
    """Replay a record from a position with all cards known.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : Place
        A parsed record: an object with ``"events"``, a list of texts: the player's decisions, and
        between them what chance did (see `hanasolve.treasures.game`). A ``"game"`` that is given
        must be the state's.

    Returns
    -------
    Verdict

    Raises
    ------
    InstanceError
        When the record is no list of texts at all, or a card of the state is unknown.
    """
    events = read_texts(record, "events", state.game)
    game = Game.start(state)
    for index, event in enumerate(events):
        try:
            game = game.apply(event)
        except MoveError as error:
            return broken(index, str(error), events, _STEP)
    if not game.is_won:
        end = "it is lost" if game.is_over else "it is not over"
        return broken(len(events), f"the game is not won: {end}", events, _STEP)
    return holds(events, _STEP)
