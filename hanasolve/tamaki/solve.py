"""What a position of a round is worth, all cards known: the driver of all objectives."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hanasolve.errors import HanasolveError, nearest
from hanasolve.search.limits import LimitMetError, Limits, Meter, Report
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import check_seat
from hanasolve.tamaki.result import OBJECTIVES, Result, Value, score
from hanasolve.tamaki.rules import UNIT
from hanasolve.tamaki.searches import EachForItself, Search, TwoSides
from hanasolve.tamaki.state import State

if TYPE_CHECKING:
    from hanasolve.tamaki.cpsat import Fixed

VALUED: Final = ("margin", "paranoid", "maxn")
"""The objectives for which every move has a value."""


def solve(
    state: State,
    limits: Limits | None = None,
    report: Report | None = None,
    *,
    objective: str | None = None,
    seat: int | None = None,
    values: bool = False,
    known: int | None = None,
    fixed: Fixed | None = None,
) -> Result:
    """Find what a position is worth to a seat, and a line of play to the end of the round.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        What the search may use.
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    objective : str, optional
        One of `OBJECTIVES`; by default ``"margin"`` for two seats, else ``"paranoid"``.
    seat : int, optional
        The seat that asks; by default the position's point of view.
    values : bool, optional
        Whether the value of every move is wanted, too; of ``margin``, ``paranoid`` and ``maxn``.
    known : int, optional
        Of ``ceiling``: so many cards on top of the mountain stay where they are; 0 by default.
    fixed : mapping, optional
        Of ``cooperative``, ``yaku`` and ``ceiling``: seats that do not help, each with its next
        turns or a policy; see `hanasolve.tamaki.cpsat.cooperative`.

    Returns
    -------
    Result
        Proven, or proven bounds when a limit ended the search. Where several moves are equally good
        for whoever makes them, the line has the first one in the order of `State.legal_moves`.

    Raises
    ------
    HanasolveError
        For an objective or a seat that there is not, and for what goes with another objective.

    Notes
    -----
    ``margin`` and ``paranoid`` are minimax of two sides by zero-window tests
    (`hanasolve.search.minimax`), ``maxn`` is max-n with exact ties (`hanasolve.search.maxn`), the
    others are models for CP-SAT (`hanasolve.tamaki.cpsat`). All are exact. Time grows exponentially
    with the cards in the hands (measured by ``bench/rounds.py``).
    """
    limits = limits or Limits()
    objective = objective or default_objective(state.players)
    seat = state.position.seat if seat is None else seat
    _check(state, objective, seat, values=values)
    if known is not None and objective != "ceiling":
        raise HanasolveError(f"known cards of the mountain go with ceiling, not with {objective}")
    if fixed and objective in VALUED:
        raise HanasolveError(f"no seat's turns can be fixed for {objective}")
    if objective in VALUED:
        meter = Meter(limits, report)
        kind = _OfEach if objective == "maxn" else _OfTwoSides
        return kind(state, objective, seat, limits, meter).result(values=values)
    from hanasolve.tamaki import cpsat

    if objective == "yaku":
        return dataclasses.replace(cpsat.yaku(state, limits, report, fixed), seat=seat)
    if objective == "ceiling":
        return cpsat.ceiling(state, seat, limits, report, known or 0, fixed)
    return cpsat.cooperative(state, seat, limits, report, fixed)


def default_objective(players: int) -> str:
    """Give what is asked when nothing is said."""
    return "margin" if players == 2 else "paranoid"


def _check(state: State, objective: str, seat: int, *, values: bool) -> None:
    """Refuse what cannot be asked."""
    if objective not in OBJECTIVES:
        hint = nearest(objective, OBJECTIVES) or f"; there is {', '.join(OBJECTIVES)}"
        raise HanasolveError(f"there is no objective {objective[:40]!r}{hint}")
    check_seat(seat, state.players)
    if objective == "margin" and state.players != 2:
        raise HanasolveError(f"margin is for two seats, not {state.players}; ask for paranoid")
    if values and objective not in VALUED:
        raise HanasolveError(f"moves have values for {', '.join(VALUED)} only, not {objective}")


class _Question(abc.ABC):
    """A question about a state, with the search that answers it.

    Values are as the search has them: in units, from the root on; those of ``maxn`` are packed.
    """

    _search: Search

    def __init__(
        self, state: State, objective: str, seat: int, limits: Limits, meter: Meter
    ) -> None:
        self._state = state
        self._objective = objective
        self._seat = seat
        self._meter = meter

    def result(self, *, values: bool) -> Result:
        """Find the value, a line, and if wanted the value of every move."""
        found = Result(objective=self._objective, seat=self._seat)
        limit = None
        root = self._search.root
        try:
            for low, high in self._narrow(0):
                found = dataclasses.replace(
                    found, value=self._points(low), bound=self._points(high)
                )
            found = dataclasses.replace(found, optimal=True, line=self._line(low))
            if values:
                self._search.root = root
                found = dataclasses.replace(found, moves=self._moves(low))
        except LimitMetError as met:
            (limit,) = met.args
        meter = self._meter
        return dataclasses.replace(found, nodes=meter.nodes, seconds=meter.seconds, limit=limit)

    def _line(self, value: int) -> tuple[tuple[int, Move], ...]:
        """Give the line from the root, whose value is known; its score is that value."""
        packed, left = [], value
        while self._search.moves():
            packed.append(self._choose(left))
            left -= self._search.follow(packed[-1])
        played = [*self._state.played(packed)]
        end = played[-1][2] if played else self._state
        if self._score(end) != self._points(value) or not end.is_over:
            raise AssertionError(f"a line scores {self._score(end)}, not {self._points(value)}")
        return tuple((seat, move) for seat, move, _ in played)

    def _moves(self, value: int) -> tuple[tuple[Move, Value], ...]:
        """Give every move at the root with what it leads to, best first for the seat to move."""
        valued = []
        root, mover = self._search.root, self._state.turn
        for move in self._state.legal_moves():
            self._search.root = root
            gain = self._search.follow(move.packed())
            *_, (after, _) = self._narrow(value - gain)
            valued.append((move, self._points(gain + after)))
        valued.sort(key=lambda item: self._liked(item[1], mover), reverse=True)
        return tuple(valued)

    def _score(self, state: State) -> Value:
        """Give what is asked for, if the round ended now."""
        return score(self._objective, self._seat, state.round_scores())

    @abc.abstractmethod
    def _narrow(self, guess: int) -> Iterator[tuple[int, int]]:
        """Give ever narrower bounds of the root's value, until they are equal."""

    @abc.abstractmethod
    def _choose(self, value: int) -> int:
        """Give the move at the root, whose value is known, that the line takes."""

    @abc.abstractmethod
    def _points(self, value: int) -> Value:
        """Give a value of the root as points of the round."""

    @abc.abstractmethod
    def _liked(self, value: Value, mover: int) -> int:
        """Give how much the seat to move likes a value."""


class _OfTwoSides(_Question):
    """``margin`` and ``paranoid``."""

    _search: TwoSides

    def __init__(
        self, state: State, objective: str, seat: int, limits: Limits, meter: Meter
    ) -> None:
        super().__init__(state, objective, seat, limits, meter)
        is_margin = objective == "margin"
        self._search = TwoSides(
            state.position, state.rules, limits, meter, seat=seat, is_margin=is_margin
        )

    def _narrow(self, guess: int) -> Iterator[tuple[int, int]]:
        low, high = self._search.bounds
        yield low, high
        test = guess
        while low < high:
            # Each test lies next to the last answer.
            test = min(max(test, low + 1), high)
            answer = self._search.test(test)
            if answer >= test:
                low, test = answer, answer + 1
            else:
                high, test = answer, answer
            yield low, high

    def _choose(self, value: int) -> int:
        search = self._search
        root, moves, is_first = search.root, search.moves(), search.turn == self._seat
        for move in moves[:-1]:
            after = value - search.follow(move)
            # The first side has at least that, or the other leaves it no more.
            at_least = after if is_first else after + 1
            holds = (search.test(at_least) >= at_least) == is_first
            search.root = root
            if holds:
                return move
        return moves[-1]

    def _points(self, value: int) -> int:
        claimed = self._score(self._state)
        assert isinstance(claimed, int)
        return claimed + UNIT * (self._search.sure + value)

    def _liked(self, value: Value, mover: int) -> int:
        assert isinstance(value, int)
        return value if mover == self._seat else -value


class _OfEach(_Question):
    """``maxn``."""

    _search: EachForItself

    def __init__(
        self, state: State, objective: str, seat: int, limits: Limits, meter: Meter
    ) -> None:
        super().__init__(state, objective, seat, limits, meter)
        self._search = EachForItself(state.position, state.rules, limits, meter)
        self._sure = self._search.unpack(self._search.sure)

    def _narrow(self, guess: int) -> Iterator[tuple[int, int]]:
        value = self._search.value()
        yield value, value

    def _choose(self, value: int) -> int:
        self._search.value()
        return self._search.choice

    def _points(self, value: int) -> tuple[int, ...]:
        gains = zip(self._state.round_scores(), self._sure, self._search.unpack(value), strict=True)
        return tuple(claimed + UNIT * (sure + gain) for claimed, sure, gain in gains)

    def _liked(self, value: Value, mover: int) -> int:
        assert isinstance(value, tuple)
        return value[mover]
