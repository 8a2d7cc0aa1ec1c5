"""Replay a record of a round against the rules; nothing of the search is used."""

from __future__ import annotations

import dataclasses
from typing import Final

from hanasolve.document import Place, read_card
from hanasolve.errors import MoveError
from hanasolve.record import Verdict, broken, holds, read_steps
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.result import OBJECTIVES, Value, score
from hanasolve.tamaki.rules import MOST_PLAYERS
from hanasolve.tamaki.state import State

Line = list[tuple[int, Move]]

_STEP: Final = "turn"
_MOST: Final = 10**6


def verify(state: State, record: Place) -> Verdict:
    """Replay a record from a position to the end of the round.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : Place
        A parsed record: an object with ``"line"``, a list of turns as results have them. A
        ``"game"`` that is given must be the state's. If it claims a ``"value"`` (with
        ``"objective"`` and ``"seat"``), the line must score it; a ``"mountain"`` is the order in
        which the cards are drawn, and must have the state's.

    Returns
    -------
    Verdict

    Raises
    ------
    InstanceError
        When the record is no list of turns at all, or its mountain is another one.
    """
    line = read_line(record, state.game)
    turns = [str(move) for _, move in line]
    state = _in_order(state, record)
    for index, (seat, move) in enumerate(line):
        try:
            state = turn(state, seat, move)
        except MoveError as error:
            return broken(index, str(error), turns, _STEP)
    if not state.is_over:
        return broken(len(line), "the round is not over", turns, _STEP)
    claimed, scored = _claimed(record, state)
    if claimed != scored:
        reason = f"the record claims {claimed}, the line scores {scored}"
        return broken(len(line), reason, turns, _STEP)
    return holds(turns, _STEP, end="the round is over")


def read_line(record: Place, game: str) -> Line:
    """Read the turns of a record, each with its seat.

    Raises
    ------
    InstanceError
    """
    return [
        (entry.key("seat").integer(0, MOST_PLAYERS - 1), _read_move(entry))
        for entry in read_steps(record, "line", game)
    ]


def turn(state: State, seat: int, move: Move) -> State:
    """Give the state after a seat's turn.

    Raises
    ------
    MoveError
        When it is not that seat's turn, or the move is not legal.
    """
    after = state.apply(move)
    if seat != state.turn:
        raise MoveError(f"seat {state.turn} is to move, not {seat}")
    return after


def _read_move(entry: Place) -> Move:
    play, draw = (
        None if (card := entry.key(name)).value is None else read_card(card)
        for name in ("play", "draw")
    )
    capture, draw_capture = (
        tuple(read_card(card) for card in entry.key(name).items())
        for name in ("capture", "draw_capture")
    )
    return Move(play, capture, draw, draw_capture)


def _in_order(state: State, record: Place) -> State:
    """Give the state with the mountain in the order of the record, if that has one."""
    mountain = record.key("mountain", None)
    if mountain.value is None:
        return state
    order = tuple(read_card(card) for card in mountain.items())
    if {*order} != {*state.position.mountain} or len(order) != len(state.position.mountain):
        raise mountain.error("these are not the cards of the instance's mountain")
    return State(dataclasses.replace(state.position, mountain=order), state.rules)


def _claimed(record: Place, state: State) -> tuple[Value | None, Value | None]:
    """Give the value that a record claims, if it does, and the one that its end scores."""
    value = record.key("value", None)
    if value.value is None:
        return None, None
    objective = record.key("objective").choice(OBJECTIVES)
    seat = record.key("seat").integer(0, state.players - 1)
    scored = score(objective, seat, state.round_scores())
    if isinstance(scored, tuple):
        return tuple(one.integer(-_MOST, _MOST) for one in value.items(state.players)), scored
    return value.integer(-_MOST, _MOST), scored
