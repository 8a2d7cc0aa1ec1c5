"""What a position is worth: the chance of winning it under best play, exactly."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Final

import numpy as np

from hanasolve.search import depth_first as df
from hanasolve.search import expectimax
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.table import Array
from hanasolve.search.workspace import ExpectimaxSpace, run_slices
from hanasolve.treasures import book, values
from hanasolve.treasures import kernel as k
from hanasolve.treasures.position import Position
from hanasolve.treasures.rules import Rules

_DEPTH: Final = 512
"""More steps than a game has: an action takes a card from the hand for good, and nothing but three
blue banners brings any back, three each. So there are at most 56 actions and as many turns, with a
few decisions and draws each, and 54 cards of trials."""
_OUTCOMES: Final = 64
ROUNDING: Final = _DEPTH * _OUTCOMES * 2.0**-53
"""No value is off by more than this part of it: every number is a sum of products without
cancellation, each operation is off by 2 ** -53 at most, and a chain has at most so many."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """What a position is worth.

    Attributes
    ----------
    value : (float, float)
        The probability of winning lies between them.
    exact : bool
        Whether they differ by rounding alone.
    states, nodes, transitions : int
        Beliefs in the table, beliefs expanded, and steps made; the same on every run.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"`` or ``"memory"``, when it ended the search.
    """

    value: tuple[float, float]
    exact: bool
    states: int = 0
    nodes: int = 0
    transitions: int = 0
    seconds: float = 0.0
    limit: str | None = None


def evaluate(
    position: Position,
    rules: Rules | None = None,
    limits: Limits | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Result:
    """Work out the probability of winning under best play, by what the position says is known.

    Parameters
    ----------
    position : Position
    rules : Rules, optional
        The base game by default.
    limits : Limits, optional
        What the search may use.
    report : callable, optional
        Called with a `Progress` about twenty times a second.

    Returns
    -------
    Result
        Exact, or (0, 1) when a limit ended the search: parts of it prove nothing.

    Notes
    -----
    Expectimax over beliefs (`hanasolve.search.expectimax`) with exact canonical keys
    (`hanasolve.treasures.values`). Time and memory grow exponentially with the unknown cards.
    """
    limits, rules = limits or Limits(), rules or Rules()
    evaluator, meter = Evaluator(rules), Meter(limits, report)
    words = book.enter(position, rules)
    evaluator.prepare(words)
    value, limit = evaluator.value(words, limits, meter)
    interval = (0.0, 1.0)
    if value is not None:
        interval = value * (1.0 - ROUNDING), min(1.0, value * (1.0 + ROUNDING))
    return Result(
        value=interval,
        exact=value is not None,
        states=evaluator.states,
        nodes=evaluator.nodes,
        transitions=evaluator.transitions,
        seconds=meter.seconds,
        limit=limit,
    )


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
        self, words: book.Words, limits: Limits, meter: Meter
    ) -> tuple[float | None, str | None]:
        """Give the value of a belief, and the limit if one kept it from being found."""
        space = self._space
        position = np.array([words], np.int64)
        over = values.enter(self.book, position, space.stack, space.control)
        if over != expectimax.GOES_ON:
            return float(over == expectimax.WON), None

        def search() -> int:
            return int(
                values.search(
                    self.book,
                    *(space.stack, space.moves, space.weights, space.totals),
                    *(space.table, space.values, space.control),
                )
            )

        _, limit = run_slices(search, space, None, limits, meter)
        return (None, limit) if limit is not None else (float(space.totals[0]), None)
