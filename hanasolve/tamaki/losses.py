"""What was lost in the turns of a record: points, each seat by its own best, or yaku."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from hanasolve.document import Place
from hanasolve.errors import HanasolveError, MoveError
from hanasolve.search.limits import Limits, Report
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.result import Loss, LostYaku, Result
from hanasolve.tamaki.solve import VALUED, default_objective, solve
from hanasolve.tamaki.state import State
from hanasolve.tamaki.verify import read_line, turn

Turn = tuple[State, int, Move]
"""The state before a turn, the seat that makes it, and what it does."""

_BY_POINTS: Final = (*VALUED, "cooperative")


def losses(
    state: State,
    record: Place,
    limits: Limits,
    report: Report | None = None,
    *,
    objective: str | None = None,
    seat: int | None = None,
    values: bool = False,
    known: int | None = None,
) -> Result:
    """Solve a position, and find what the turns of a record from there lost.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : Place
        As `hanasolve.tamaki.verify.verify` takes it; it may end before the round does.
    limits, report, objective, seat, values, known
        As in `hanasolve.tamaki.solve.solve`; the limits are for all of it together.

    Returns
    -------
    Result
        With `Result.losses`, of as many turns as the limits let; of ``yaku`` with
        `Result.lost_yaku`, unless a limit was met.

    Raises
    ------
    HanasolveError
        For what cannot be asked.
    InstanceError
        When the record is none, or has a turn that is not legal.
    """
    objective = objective or default_objective(state.players)
    if objective not in (*_BY_POINTS, "yaku"):
        those = f"{', '.join(_BY_POINTS)} and yaku"
        raise HanasolveError(f"turns lose by {those} only, not by {objective}")
    turns = _replayed(state, record)
    found = solve(state, limits, report, objective=objective, seat=seat, values=values, known=known)
    find = _lost_yaku if objective == "yaku" else _lost_points
    return find(turns, found, limits, report)


def recorded(state: State, record: Place, seats: Sequence[int]) -> dict[int, list[Move]]:
    """Give the turns that some seats make in a record, as `hanasolve.tamaki.cpsat.Fixed`.

    Raises
    ------
    InstanceError
        When the record is none, or has a turn that is not legal.
    """
    turns = _replayed(state, record)
    return {one: [move for _, seat, move in turns if seat == one] for one in seats}


def _lost_points(turns: list[Turn], found: Result, limits: Limits, report: Report | None) -> Result:
    """Compare what each turn led to with the best of the seat that made it."""
    lost: list[Loss] = []
    for before, seat, move in turns:
        worth = []
        for there in (before, before.apply(move)):
            found, asked = _ask(there, seat, found, limits, report)
            worth.append(_own(asked))
        if found.limit is not None:
            break
        best, kept = worth
        lost.append(Loss(seat=seat, move=move, best=best, lost=best - kept))
    return dataclasses.replace(found, losses=tuple(lost))


def _lost_yaku(turns: list[Turn], found: Result, limits: Limits, report: Report | None) -> Result:
    """Find the turn that put each yaku out of reach."""
    lost: list[LostYaku] = []
    before = found.yaku
    for number, (state, seat, move) in enumerate(turns, 1):
        found, asked = _ask(state.apply(move), seat, found, limits, report)
        if before is None or asked.yaku is None:
            return found
        lost += [
            LostYaku(seat=one, yaku=name, turn=number, by=seat, move=move)
            for one, (could, can) in enumerate(zip(before, asked.yaku, strict=True))
            for name in could
            if could[name] and not can[name]
        ]
        before = asked.yaku
    return dataclasses.replace(found, lost_yaku=tuple(lost))


def _ask(
    state: State, seat: int, found: Result, limits: Limits, report: Report | None
) -> tuple[Result, Result]:
    """Solve a state with what is left of the limits; what that took is added to what was found."""
    left = dataclasses.replace(
        limits,
        time=None if limits.time is None else max(limits.time - found.seconds, 0),
        nodes=None if limits.nodes is None else max(limits.nodes - found.nodes, 0),
    )
    asked = solve(state, left, report, objective=found.objective, seat=seat)
    found = dataclasses.replace(
        found,
        nodes=found.nodes + asked.nodes,
        seconds=found.seconds + asked.seconds,
        limit=found.limit or asked.limit,
    )
    return found, asked


def _replayed(state: State, record: Place) -> list[Turn]:
    """Give every turn of a record with the state before it."""
    turns = []
    for index, (seat, move) in enumerate(read_line(record, state.game)):
        try:
            turns.append((state, seat, move))
            state = turn(state, seat, move)
        except MoveError as error:
            raise record.key("line").at(index, None).error(str(error)) from None
    return turns


def _own(result: Result) -> int:
    """Give what the seat that asks gets; 0 if a limit left that open."""
    value = result.value
    if isinstance(value, tuple):
        return value[result.seat]
    return value or 0
