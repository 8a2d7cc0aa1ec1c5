"""What a position is worth: the chance of winning it under best play, exactly."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from hanasolve.search import depth_first as df
from hanasolve.search import expectimax
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.table import Array
from hanasolve.search.workspace import ExpectimaxSpace, run_slices
from hanasolve.treasures import book, policy, values
from hanasolve.treasures import kernel as k
from hanasolve.treasures.rules import Rules

_DEPTH: Final = 512
"""More steps than a game has: an action takes a card from the hand for good, and nothing but three
blue banners brings any back, three each. So there are at most 56 actions and as many turns, with a
few decisions and draws each, and 54 cards of trials."""
_OUTCOMES: Final = 64
_OPEN: Final = (0.0, 1.0)
_FIRST_NODES: Final = 200_000
_LONGER: Final = 4
_BOUNDS_SHARE: Final = 4
"""One in so many nodes, of those that the exact value may take, goes to a bound."""
ROUNDING: Final = _DEPTH * _OUTCOMES * 2.0**-53
"""No value is off by more than this part of it: every number is a sum of products without
cancellation, each operation is off by 2 ** -53 at most, and a chain has at most so many."""


Interval = tuple[float, float]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """What a position is worth.

    Attributes
    ----------
    value : (float, float)
        The probability of winning lies between them.
    exact : bool
        Whether they differ by rounding alone. They differ more when a limit ended the search, and
        in the rare case that what the player knows cannot be told by restricted places; see
        `hanasolve.treasures.kernel.shuffle_in`.
    actions : tuple of (int, (float, float))
        Where the player decides: every legal step, packed, and what it is worth; best first.
    states, nodes, transitions : int
        Beliefs in the table, at most; beliefs expanded, and steps made, in all. They are the same
        on every run.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"`` or ``"memory"``, when it ended the search.
    """

    value: Interval
    exact: bool
    actions: tuple[tuple[int, Interval], ...] = ()
    states: int = 0
    nodes: int = 0
    transitions: int = 0
    seconds: float = 0.0
    limit: str | None = None

    @property
    def best(self) -> int | None:
        """The best step; None where the player does not decide."""
        return self.actions[0][0] if self.actions else None


def solve(
    state: HasBelief,
    limits: Limits | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Work out the probability of winning under best play, by what the player knows.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        What the search may use.
    report : callable, optional
        Called with a `Progress` about twenty times a second.

    Returns
    -------
    Result
        Exact, or a proven interval when a limit ended the search; the longer it goes on, the
        narrower.

    Notes
    -----
    Expectimax over beliefs (`hanasolve.search.expectimax`) with exact canonical keys
    (`hanasolve.treasures.values`, where the bounds are described, too). Time and memory grow
    exponentially with the unknown cards.
    """
    return Evaluator(state.rules).evaluate(state.words, limits, report)


def legal(own_book: Array, words: book.Words) -> list[int]:
    """Give the steps that are open to the player in a belief, packed; none where chance moves."""
    out = np.empty(k.MOST_STEPS, np.int64)
    count = k.legal(own_book, np.array([words], np.int64), out)
    steps: list[int] = out[:count].tolist()
    return steps


def after(own_book: Array, words: book.Words, step: int) -> book.Words:
    """Give the belief after a step."""
    line = np.array([words], np.int64)
    k.apply(own_book, line, step)
    return tuple(line[0].tolist())


class HasBelief(Protocol):
    """What is asked of a state."""

    @property
    def rules(self) -> Rules:
        """The rules."""

    @property
    def words(self) -> book.Words:
        """The packed belief."""


class Evaluator:
    """Works out values of beliefs under some rules, in the same working arrays.

    Parameters
    ----------
    rules : Rules
    canonical : bool, optional
        Whether months that play the same part share their values.
    """

    def __init__(self, rules: Rules, *, canonical: bool = True) -> None:
        self.book: Array = np.zeros(values.BOOK_SIZE, np.int64)
        self.book[: k.AFTER] = book.switches(rules)
        self.book[values.CANONICAL] = canonical
        self._aids = policy.weights()
        self._space = ExpectimaxSpace(values.KEY, k.MOST_STEPS)

    @property
    def states(self) -> int:
        """Beliefs in the table."""
        return int(self._space.control[df.USED])

    @property
    def nodes(self) -> int:
        """Beliefs expanded."""
        return self._space.nodes

    @property
    def transitions(self) -> int:
        """Steps made."""
        return int(self._space.control[df.TRANSITIONS])

    def evaluate(
        self,
        words: book.Words,
        limits: Limits | None = None,
        report: Callable[[Progress], None] | None = None,
    ) -> Result:
        """Work out what a belief is worth, and every decision in it; as `solve`."""
        limits = limits or Limits()
        meter = Meter(limits, report)
        steps = self._liked_first(words, legal(self.book, words))
        bounds = _Bounds(self, words, steps, limits, meter)
        limit = bounds.tighten()
        valued = sorted(
            zip(steps, bounds.intervals, strict=False), key=lambda item: (-item[1][0], -item[1][1])
        )
        low = max(low for low, _ in bounds.intervals)
        high = max(high for _, high in bounds.intervals)
        return Result(
            value=(low, high),
            exact=high - low <= 2 * ROUNDING,
            actions=tuple(valued),
            states=bounds.states,
            nodes=meter.nodes,
            transitions=bounds.transitions,
            seconds=meter.seconds,
            limit=limit,
        )

    def _liked_first(self, words: book.Words, steps: list[int]) -> list[int]:
        """Sort decisions by what the policy thinks of them."""
        scores = np.empty(len(steps))
        line = np.array([words], np.int64)
        policy.rate(self.book, line, self._aids, np.array(steps, np.int64), scores)
        liked: list[int] = np.array(steps)[np.argsort(-scores, kind="stable")].tolist()
        return liked

    def prepare(self, words: book.Words) -> None:
        """Empty the tables for beliefs that can be reached from this one."""
        meta = words[k.META]
        deck = (meta & k.DECK_COUNT) >> k.DECK_SHIFT
        trial = (meta & k.TRIAL_COUNT) >> k.TRIAL_SHIFT
        live = words[k.HAND] | words[k.POOL] | words[k.SEEN] | words[k.KNOWN]
        blues = (live & int(self.book[k.BLUES])).bit_count()
        # A blue banner brings three cards back; a card is seen at a time, and goes back at most.
        most = deck + trial + 3 * blues + (words[k.SEEN]).bit_count() + 1
        self.book[values.DECK_KEYS] = -(-min(most, 50) // k.A_WORD)
        self.book[values.TRIAL_KEYS] = k.TRIAL_WORDS if self.book[k.MERGE] or trial > 3 else 1
        keys = 1 + values.SIGN_WORDS + self.book[values.DECK_KEYS] + self.book[values.TRIAL_KEYS]
        self._space.reset(int(keys))

    def value(
        self, words: book.Words, limits: Limits, meter: Meter, end: int | None = None
    ) -> tuple[float | None, str | None]:
        """Give the value of a belief, and the limit if one kept it from being found.

        ``end`` is a limit of the meter's nodes for this search alone.
        """
        space = self._space
        position = np.array([words], np.int64)
        over = values.enter(self.book, position, space.stack, space.control)
        if over != expectimax.GOES_ON:
            return float(over == expectimax.WON), None

        def search() -> int:
            return int(
                values.search(
                    *(self.book, self._aids, space.stack, space.moves, space.weights),
                    *(space.totals, space.table, space.values, space.control),
                )
            )

        _, limit = run_slices(search, space, None, limits, meter, end=end)
        return (None, limit) if limit is not None else (float(space.totals[0]), None)


class _Bounds:
    """Tightens intervals for the values of all decisions in a belief, or of the belief itself.

    Exact values are tried for, a while; then lower bounds with ever more decisions at each point,
    and upper bounds with ever more turns looked at; then again, for longer.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        words: book.Words,
        steps: list[int],
        limits: Limits,
        meter: Meter,
    ) -> None:
        self._evaluator = evaluator
        self._root = words
        self._beliefs = [after(evaluator.book, words, step) for step in steps] or [words]
        self._limits = limits
        self._meter = meter
        self.intervals: list[Interval] = [_OPEN] * len(self._beliefs)
        self.states = self.transitions = 0

    def tighten(self) -> str | None:
        """Go on until the best value is exact; gives the limit that kept it from being so."""
        most, width, turns = _FIRST_NODES, 1, 1
        while True:
            limit = self._narrow(most)
            if limit is None and self._evaluator.book[values.HAS_VAGUE]:
                limit = self._narrow(most, hopeful=True)
            if limit is None:
                return None
            while not self._is_closed():
                if self._narrow(most // _BOUNDS_SHARE, width=width) is not None:
                    break
                width += 1
            while not self._is_closed():
                if self._narrow(most // _BOUNDS_SHARE, turns=turns) is not None:
                    break
                turns += 1
            if self._is_closed():
                return None
            limit = self._meter.exceeded() or (limit if limit == "memory" else None)
            if limit is not None:
                return limit
            most *= _LONGER

    def _narrow(
        self, most: int, *, width: int = 0, turns: int = 0, hopeful: bool = False
    ) -> str | None:
        """Narrow the intervals by the values of a game so restricted, or exactly.

        ``hopeful`` are values for which beliefs of which nothing exact can be said count as won.

        Gives the limit that kept it from being done for all of them: of so many nodes, or another.
        """
        evaluator, book = self._evaluator, self._evaluator.book
        hopeful = hopeful or turns > 0
        book[values.WIDTH], book[values.TURNS], book[values.VAGUE_WINS] = width, turns, hopeful
        book[values.HAS_VAGUE] = 0
        evaluator.prepare(self._root)
        end = self._meter.nodes + most
        limit = None
        for number, belief in enumerate(self._beliefs):
            value, limit = evaluator.value(belief, self._limits, self._meter, end)
            if value is None:
                break
            low, high = self.intervals[number]
            if turns == 0 and (not hopeful or not book[values.HAS_VAGUE]):
                low = max(low, value * (1.0 - ROUNDING))
            if width == 0 and (hopeful or not book[values.HAS_VAGUE]):
                high = min(high, value * (1.0 + ROUNDING))
            self.intervals[number] = low, high
        book[values.WIDTH] = book[values.TURNS] = book[values.VAGUE_WINS] = 0
        self.states = max(self.states, evaluator.states)
        self.transitions += evaluator.transitions
        return limit

    def _is_closed(self) -> bool:
        """Whether the best value is known but for rounding."""
        low = max(low for low, _ in self.intervals)
        high = max(high for _, high in self.intervals)
        return high - low <= 2 * ROUNDING
