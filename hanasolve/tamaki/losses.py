"""What the turns of a record lost: each against the best of the seat that made it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from hanasolve.document import Place
from hanasolve.errors import HanasolveError, MoveError
from hanasolve.search.limits import Limits, Progress
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.result import Loss, Result
from hanasolve.tamaki.solve import VALUED, default_objective, solve
from hanasolve.tamaki.state import State
from hanasolve.tamaki.verify import read_line, turn


def losses(
    state: State,
    record: Place,
    limits: Limits,
    report: Callable[[Progress], None] | None = None,
    *,
    objective: str | None = None,
    seat: int | None = None,
    values: bool = False,
) -> Result:
    """Solve a position, and find what each turn of a record from there lost.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : Place
        As `hanasolve.tamaki.verify.verify` takes it; it may end before the round does.
    limits, report, objective, seat, values
        As in `hanasolve.tamaki.solve.solve`; the limits are for all of it together.

    Returns
    -------
    Result
        With `Result.losses`, of as many turns as the limits let.

    Raises
    ------
    HanasolveError
        For what cannot be asked.
    InstanceError
        When the record is none, or has a turn that is not legal.
    """
    objective = objective or default_objective(state.players)
    if objective not in VALUED:
        raise HanasolveError(f"turns lose by {', '.join(VALUED)} only, not by {objective}")
    turns = _replayed(state, record)
    found = solve(state, limits, report, objective=objective, seat=seat, values=values)
    lost: list[Loss] = []
    for before, seat, move in turns:
        worth = []
        for there in (before, before.apply(move)):
            left = _left(limits, found)
            asked = solve(there, left, report, objective=objective, seat=seat)
            found = dataclasses.replace(
                found,
                nodes=found.nodes + asked.nodes,
                seconds=found.seconds + asked.seconds,
                limit=found.limit or asked.limit,
            )
            worth.append(_own(asked))
        if found.limit is not None:
            break
        best, kept = worth
        lost.append(Loss(seat=seat, move=move, best=best, lost=best - kept))
    return dataclasses.replace(found, losses=tuple(lost))


def _replayed(state: State, record: Place) -> list[tuple[State, int, Move]]:
    """Give every turn of a record with the state before it."""
    turns = []
    for index, (seat, move) in enumerate(read_line(record, state.game)):
        try:
            turns.append((state, seat, move))
            state = turn(state, seat, move)
        except MoveError as error:
            raise record.key("line").at(index, None).error(str(error)) from None
    return turns


def _left(limits: Limits, used: Result) -> Limits:
    """Give what is left of limits."""
    return dataclasses.replace(
        limits,
        time=None if limits.time is None else max(limits.time - used.seconds, 0),
        nodes=None if limits.nodes is None else max(limits.nodes - used.nodes, 0),
    )


def _own(result: Result) -> int:
    """Give what the seat that asks gets; 0 if a limit left that open."""
    value = result.value
    if isinstance(value, tuple):
        return value[result.seat]
    return value or 0
