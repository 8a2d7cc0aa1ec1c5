"""What a position is worth: the chance of winning it under best play, exactly."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from hanasolve.search import depth_first as df
from hanasolve.search import expectimax
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.table import Array
from hanasolve.search.workspace import GraphSpace, run_slices
from hanasolve.treasures import book, policy, relaxed, values
from hanasolve.treasures import kernel as k
from hanasolve.treasures.rules import Rules

_DEPTH: Final = 512
"""More steps than a game has: an action takes a card from the hand for good, and nothing but three
blue banners brings any back, three each. So there are at most 56 actions and as many turns, with a
few decisions and draws each, and 54 cards of trials."""
_OUTCOMES: Final = 64
_OPEN: Final = (0.0, 1.0)
_ENDS: Final = {
    expectimax.WON: (1.0, 1.0),
    expectimax.LOST: (0.0, 0.0),
    expectimax.OPEN: _OPEN,
}
_WIDTHS: Final = (0.5, 0.125, 1 / 32, 1 / 128, 0.0)
"""How narrow an interval is made, before it is made narrower."""
_MIB: Final = 1 << 20
_FIRST_NODES: Final = 200_000
_LONGER: Final = 4
_WIDEST: Final = 8
"""Play with more decisions at each point is no better than the search of all."""
_BOUNDS_SHARE: Final = 4
"""One in so many nodes, of those that the exact value may take, goes to a bound."""
_EFFORT: Final = 2_000_000
"""Nodes that the game without months may take to find exact values, in all."""
ROUNDING: Final = _DEPTH * _OUTCOMES * 2.0**-53
"""No value is off by more than this part of it: every number is a sum of products without
cancellation, each operation is off by 2 ** -53 at most, and a chain has at most so many."""


Interval = tuple[float, float]


def is_exact(interval: Interval) -> bool:
    """Whether the ends differ by rounding alone."""
    return interval[1] - interval[0] <= 2 * ROUNDING


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
        Beliefs met; beliefs expanded, and steps made, those of the relaxed game included. They are
        the same on every run that no limit of time or memory ends.
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
    Expectimax over beliefs by intervals (`hanasolve.search.expectimax`) with exact canonical keys
    (`hanasolve.treasures.values`), and upper bounds from the game without months
    (`hanasolve.treasures.relaxed`). The value is found first, then that of every action. Time and
    memory grow exponentially with the unknown cards and with the blue banners that can still be
    played (measured by ``bench/endgames.py``).
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
    bounded : bool, optional
        Whether the game without months (`hanasolve.treasures.relaxed`) is asked for upper bounds.
    monthless : bool, optional
        Whether that game is played in place of the other: its values are upper bounds.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        canonical: bool = True,
        bounded: bool = True,
        monthless: bool = False,
    ) -> None:
        self.book: Array = np.zeros(values.BOOK_SIZE, np.int64)
        self.book[: k.AFTER] = book.switches(rules)
        self.book[values.CANONICAL] = canonical
        self.book[k.MONTHLESS] = monthless
        self._aids = policy.weights()
        self._relaxed = GraphSpace(values.KEY, k.MOST_STEPS, kept=k.WORDS)
        self._relaxed_book = self.book.copy()
        self._relaxed_book[k.MONTHLESS] = True
        self._relaxed_book[values.EFFORT] = _EFFORT if bounded and not monthless else 0
        self._space = GraphSpace(values.KEY, k.MOST_STEPS, oracle=self._relaxed)
        self._restricted = GraphSpace(values.KEY, k.MOST_STEPS, oracle=self._relaxed)

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
            zip(steps, bounds.actions, strict=True), key=lambda item: (-item[1][0], -item[1][1])
        )
        return Result(
            value=bounds.root,
            exact=is_exact(bounds.root),
            actions=tuple(valued),
            states=self.states,
            nodes=meter.nodes,
            transitions=self.transitions,
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
        """Empty all graphs for beliefs that can be reached from this one."""
        meta = words[k.META]
        deck = (meta & k.DECK_COUNT) >> k.DECK_SHIFT
        trial = (meta & k.TRIAL_COUNT) >> k.TRIAL_SHIFT
        live = words[k.HAND] | words[k.POOL] | words[k.SEEN] | words[k.KNOWN]
        blues = (live & int(self.book[k.BLUES])).bit_count()
        # A blue banner brings three cards back; a card is seen at a time, and goes back at most.
        most = deck + trial + 3 * blues + (words[k.SEEN]).bit_count() + 1
        places = -(-min(most, 50) // k.A_WORD)
        trials = k.TRIAL_WORDS if self.book[k.MERGE] or trial > 3 else 1
        for own in (self.book, self._relaxed_book):
            own[values.DECK_KEYS], own[values.TRIAL_KEYS] = places, trials
        cards = relaxed.WORDS if self.book[k.MONTHLESS] else values.SIGN_WORDS
        self._space.reset(1 + cards + places + trials)
        self._restricted.reset(1 + cards + places + trials)
        self._relaxed.reset(1 + relaxed.WORDS + places + trials)

    def value(
        self,
        words: book.Words,
        limits: Limits,
        meter: Meter,
        end: int | None = None,
    ) -> tuple[Interval, str | None]:
        """Narrow the interval of a belief; gives it, and the limit that ended the search if any.

        ``end`` is a limit of the meter's nodes for this search alone.
        """
        space = self._restricted if self.book[values.WIDTH] else self._space
        over = values.enter(self.book, np.array([words], np.int64), space.graph)
        if over != expectimax.GOES_ON:
            return _ENDS[over], None

        interval: Interval = _OPEN
        self._relaxed.control[df.PENDING] = False
        for width in _WIDTHS:
            while (node := values.start(space.graph)) < 0:
                limit = space.grow(df.TABLE_FULL, limits.memory * _MIB, meter)
                if limit is not None:
                    return interval, limit
            search = functools.partial(self._search, space, width)
            _, limit = run_slices(search, space, None, limits, meter, end=end)
            interval = space.bounds(node)
            if limit is not None:
                return interval, limit
        return interval, None

    def _search(self, space: GraphSpace, width: float) -> int:
        """Search on in a graph that may have grown; gives the engine's reason."""
        oracle = values.Oracle(self._relaxed_book, self._aids, self._relaxed.graph)
        return int(values.search(self.book, self._aids, oracle, space.graph, width))

    def restrict(self, width: int) -> None:
        """Let the player have but so many decisions from now on, or all again for 0."""
        self.book[values.WIDTH] = width
        if width:
            self._restricted.reset(self._restricted.table.shape[1])

    @property
    def states(self) -> int:
        """Beliefs in the graph."""
        return int(self._space.control[df.USED]) - expectimax.FIRST_NODE

    @property
    def transitions(self) -> int:
        """Steps made since the graphs were emptied."""
        spaces = self._space, self._restricted, self._relaxed
        return sum(int(space.control[df.TRANSITIONS]) for space in spaces)


class _Bounds:
    """Tightens the interval for the value of a belief, and those of all decisions in it.

    The value is sought, a while; then lower bounds with ever more decisions at each point; then
    again, for longer. Once it is known the decisions follow, as far as they are not.
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
        self._beliefs = [words, *(after(evaluator.book, words, step) for step in steps)]
        self._limits = limits
        self._meter = meter
        self._intervals: list[Interval] = [_OPEN] * len(self._beliefs)

    @property
    def root(self) -> Interval:
        """The interval of the belief itself."""
        return self._intervals[0]

    @property
    def actions(self) -> list[Interval]:
        """Those of its decisions."""
        return self._intervals[1:]

    def tighten(self) -> str | None:
        """Go on until all values are known; gives the limit that kept them from being so."""
        self._evaluator.prepare(self._beliefs[0])
        limit = self._tighten_root()
        for number in range(1, len(self._beliefs)):
            # Once a limit is met this only recalls what is known.
            limit = self._look(number) or limit
        return limit

    def _tighten_root(self) -> str | None:
        most, width = _FIRST_NODES, 1
        while True:
            limit = self._look(0, most)
            if limit is None:
                return None
            while not is_exact(self.root) and width <= _WIDEST:
                if self._restrict(width, most // _BOUNDS_SHARE) is not None:
                    break
                width += 1
            if is_exact(self.root):
                return None
            limit = self._meter.exceeded() or (limit if limit == "memory" else None)
            if limit is not None:
                return limit
            most *= _LONGER

    def _look(self, number: int, most: int | None = None) -> str | None:
        """Narrow an interval within so many nodes; gives the limit that ended it, if any."""
        end = None if most is None else self._meter.nodes + most
        (low, high), limit = self._evaluator.value(
            self._beliefs[number], self._limits, self._meter, end
        )
        self._learn(number, low, high)
        return limit

    def _restrict(self, width: int, most: int) -> str | None:
        """Raise the lower ends by play with so many decisions; gives the limit that ended it."""
        self._evaluator.restrict(width)
        end = self._meter.nodes + most
        first = None
        for number, belief in enumerate(self._beliefs):
            (low, _), limit = self._evaluator.value(belief, self._limits, self._meter, end)
            self._learn(number, low, 1.0)
            first = first or limit
        self._evaluator.restrict(0)
        return first

    def _learn(self, number: int, low: float, high: float) -> None:
        """Take over what a search proved, rounded outward."""
        before = self._intervals[number]
        low = max(before[0], low * (1.0 - ROUNDING))
        high = min(before[1], high * (1.0 + ROUNDING))
        self._intervals[number] = low, high
