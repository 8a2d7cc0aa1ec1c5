"""When cards land, as a model of CP-SAT.

*Model.* Of each month one of its patterns is chosen (see `hanasolve.tamaki.arrivals`). A pattern
asks for an order of cards. When a card lands is written with a literal for each place in its pile:
"among the first n". Against a card whose time is known, an order is one of these literals; two
cards whose times are both free have a literal of their own. At each time at most one card of a pile
lands. Cards that no pattern asks about fill the places that are left, so they need no variables.

*Size.* 70 to 320 variables and 110 to 570 constraints for a fresh deal, 900 to 2,700 and 1,300 to
5,300 when the order of the mountain is free.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ortools.sat.python import cp_model

from hanasolve.search.limits import Limits, Meter
from hanasolve.tamaki.arrivals import END, SEAT, Arrivals, Condition, Pattern

if TYPE_CHECKING:
    from ortools.sat.python.cp_model_helper import LinearExpr, Literal

NODES: Final = 1e6
"""Nodes in a unit of CP-SAT's deterministic time."""
_POLL: Final = 0.05
"""Seconds between two looks at ``limits.stop``."""


def total(terms: Iterable[LinearExpr]) -> LinearExpr:
    """Add up terms of a model; 0 for none."""
    return cp_model.LinearExpr.sum(*terms)


class Schedule:
    """A model that chooses a pattern of each of some months, and when their cards land.

    Parameters
    ----------
    arrivals : Arrivals
    seat : int
        The seat that asks.
    months : sequence of sequences of Pattern
        For each of some months the patterns from which one is chosen.

    Attributes
    ----------
    model : CpModel
        To which an objective and more constraints may be added.
    choices : list of lists of literals
        Which pattern is chosen.
    """

    def __init__(self, arrivals: Arrivals, seat: int, months: Sequence[Sequence[Pattern]]) -> None:
        self._arrivals = arrivals
        self._seat = seat
        self._months = months
        self.model = cp_model.CpModel()
        self._yes = self.model.new_constant(1)
        self._chains: dict[int, list[cp_model.IntVar]] = {}
        self._orders: dict[Condition, cp_model.IntVar] = {}
        self._implied: set[Condition] = set()
        self._draws: dict[tuple[int, int], cp_model.IntVar] = {}
        self.choices = [self._choose(patterns) for patterns in months]
        self._solver = cp_model.CpSolver()

    def _choose(self, patterns: Sequence[Pattern]) -> list[cp_model.IntVar]:
        """Choose one pattern of a month."""
        choices = [self._yes] if len(patterns) == 1 else [self.literal() for _ in patterns]
        if len(patterns) != 1:
            self.model.add_exactly_one(choices)
        for pattern, choice in zip(patterns, choices, strict=True):
            for condition in sorted(pattern.conditions):
                self.model.add_implication(choice, self._holds(condition))
        return choices

    def literal(self) -> cp_model.IntVar:
        """Give a new literal."""
        return self.model.new_bool_var("")

    def _among_first(self, card: int, count: int) -> Literal:
        """Give the literal that a card is one of the first to land of its pile."""
        pile = self._arrivals.pile_of[card]
        if count == 0:
            return ~self._yes
        if count == len(pile.times) and pile.is_emptied:
            return self._yes
        if card not in self._chains:
            chain = [self.literal() for _ in range(len(pile.times) - pile.is_emptied)]
            self._chains[card] = chain
            for one, two in itertools.pairwise(chain):
                self.model.add_implication(one, two)
        return self._chains[card][count - 1]

    def _holds(self, condition: Condition) -> Literal:
        """Give a literal that implies a condition."""
        one, two = condition
        if two == SEAT:
            return self.drawn_by(one, self._seat)
        if END in condition:
            card = one if two == END else two
            lands = self._among_first(card, len(self._arrivals.pile_of[card].times))
            return lands if two == END else ~lands
        first, second = self._arrivals.pile_of[one], self._arrivals.pile_of[two]
        if len(second.cards) == 1:
            return self._among_first(one, first.before(second.times[0]))
        if len(first.cards) == 1:
            return ~self._among_first(two, second.before(first.times[0]))
        order = self._orders.setdefault((min(condition), max(condition)), self.literal())
        implies = order if one < two else ~order
        if condition not in self._implied:
            self._implied.add(condition)
            places = [first.before(time) for time in second.times]
            for n, place in enumerate(places):
                if place == len(first.cards):
                    break
                if n + 1 == len(places) or places[n + 1] != place:
                    # If the second is among the first n + 1, the first is so among `place`.
                    late = ~self._among_first(two, n + 1)
                    self.model.add_bool_or(~implies, late, self._among_first(one, place))
        return implies

    def drawn_by(self, card: int, seat: int) -> Literal:
        """Give the literal that a seat plays or draws a card."""
        pile = self._arrivals.pile_of[card]
        if pile.seat is not None:
            return self._yes if pile.seat == seat else ~self._yes
        if (card, seat) not in self._draws:
            drawn = self._draws[card, seat] = self.literal()
            places = [n for n, other in enumerate(pile.seats) if other == seat]
            after = total(self._among_first(card, n + 1) for n in places)
            self.model.add(after - total(self._among_first(card, n) for n in places) == drawn)
        return self._draws[card, seat]

    def _fill_places(self) -> None:
        """Let at most one card land at a time, and leave no place that cannot be filled."""
        for pile in self._arrivals.piles:
            told = [card for card in pile.cards if card in self._chains]
            places = range(1, len(pile.times) + 1)
            if len(told) > 1:
                for n in places:
                    now = total(self._among_first(card, n) for card in told)
                    before = total(self._among_first(card, n - 1) for card in told)
                    self.model.add(now - before <= 1)
            empty = len(places) - (len(pile.cards) - len(told))
            if empty > 0 and not pile.is_emptied:
                landing = total(self._among_first(card, len(places)) for card in told)
                self.model.add(landing >= empty)

    def solve(self, limits: Limits, meter: Meter) -> tuple[bool | None, str | None]:
        """Solve the model, which is complete by then.

        Parameters
        ----------
        limits : Limits
        meter : Meter
            Whose limits these are; nodes and time are accounted to it.

        Returns
        -------
        bool or None
            Whether there is a solution; None when that is not known.
        str or None
            The limit that left something open, by name.
        """
        self._fill_places()
        limit = meter.exceeded()
        if limit is not None:
            return None, limit
        parameters = self._solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = 0
        parameters.cp_model_presolve = False
        parameters.catch_sigint_signal = False
        if limits.nodes is not None:
            parameters.max_deterministic_time = (limits.nodes - meter.nodes) / NODES
        if limits.time is not None:
            parameters.max_time_in_seconds = max(limits.time - meter.seconds, 1e-3)
        status = self._run(limits, meter)
        meter.account(round(self._solver.deterministic_time * NODES))
        if status == cp_model.MODEL_INVALID:
            raise AssertionError(self.model.validate())
        if status in (cp_model.INFEASIBLE, cp_model.OPTIMAL):
            return status == cp_model.OPTIMAL, None
        limit = meter.exceeded() or ("time" if limits.nodes is None else "nodes")
        return True if status == cp_model.FEASIBLE else None, limit

    def _run(self, limits: Limits, meter: Meter) -> cp_model.CpSolverStatus:
        """Run the solver, looking at ``limits.stop`` meanwhile."""
        found: list[cp_model.CpSolverStatus] = []
        # Only the main thread hears of an interrupt, and it must not be inside the solver then.
        work = threading.Thread(target=lambda: found.append(self._solver.solve(self.model)))
        work.start()
        try:
            while work.is_alive():
                work.join(_POLL)
                meter.account(0)
                if limits.stop is not None and limits.stop():
                    self._solver.stop_search()
        finally:
            self._solver.stop_search()
            work.join()
        return found[0]

    @property
    def bound(self) -> float:
        """What the objective cannot be more than."""
        return self._solver.best_objective_bound

    def chosen(self) -> list[Pattern]:
        """Give the pattern of each month, in a solution."""
        return [
            next(one for one, choice in zip(patterns, choices, strict=True) if self._is(choice))
            for patterns, choices in zip(self._months, self.choices, strict=True)
        ]

    def times(self) -> dict[int, int]:
        """Give the time at which each card lands, in a solution."""
        times: dict[int, int] = {}
        for pile in self._arrivals.piles:
            free = [*pile.times]
            for card in pile.cards:
                if card in self._chains:
                    place = sum(not self._is(literal) for literal in self._chains[card])
                    if place < len(pile.times):
                        times[card] = pile.times[place]
                        free.remove(times[card])
            others = [card for card in pile.cards if card not in self._chains]
            times.update(zip(others, free, strict=False))
        return times

    def _is(self, literal: cp_model.IntVar) -> bool:
        return bool(self._solver.boolean_value(literal))
