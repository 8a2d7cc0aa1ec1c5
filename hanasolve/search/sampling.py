"""Deals that agree with what a player sees, and averages over them.

What is hidden is filled in at random, again and again, each time so that the rules allow it; every
option of the player is then valued in each deal with all its cards known. The average overrates
options that need different play in different deals ("strategy fusion"), because in each deal the
player is taken to know everything from then on: it is an estimate of what an option is worth, and
no bound. Source: D. Whitehouse, E. Powley and P. Cowling, Determinization and information set Monte
Carlo tree search for the card game Dou Di Zhu (2011); I. Frank and D. Basin, Search in games with
incomplete information (1998), for strategy fusion.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Final, Generic, TypeVar

from hanasolve.errors import HanasolveError

W = TypeVar("W")
K = TypeVar("K", bound=Hashable)

CLOSE: Final = 2.0
"""Standard errors of a difference within which two options count as equally good."""
_MOST_TRIES: Final = 10_000


def worlds(draw: Callable[[], W | None]) -> Iterator[W]:
    """Draw deals uniformly from those that are allowed, by rejection; without end.

    Parameters
    ----------
    draw : callable
        Gives one of all fillings, each with the same probability; None for one that the rules do
        not allow.

    Raises
    ------
    HanasolveError
        When 10,000 in a row are not allowed.
    """
    tries = 0
    while tries < _MOST_TRIES:
        world = draw()
        tries += 1
        if world is not None:
            yield world
            tries = 0
    raise HanasolveError("no filling of the unknown cards was found that the rules allow")


@dataclasses.dataclass(frozen=True, slots=True)
class Average(Generic[K]):
    """An option's average over the deals that were drawn.

    Attributes
    ----------
    option
    estimate, stderr : float
        The mean, and its standard error; infinite after one deal.
    behind, behind_stderr : float
        How far it lies behind the best option, both in the same deals, and the standard error.
    """

    option: K
    estimate: float
    stderr: float
    behind: float
    behind_stderr: float

    @property
    def is_close(self) -> bool:
        """Whether the deals do not tell it from the best."""
        return self.behind <= CLOSE * self.behind_stderr


class Averages(Generic[K]):
    """Values of the same options in one deal after another.

    Attributes
    ----------
    samples : int
        Deals so far.
    """

    def __init__(self) -> None:
        self._values: dict[K, list[float]] = {}
        self.samples = 0

    def add(self, values: Mapping[K, float]) -> None:
        """Add what each option is worth in another deal."""
        self.samples += 1
        for option, value in values.items():
            self._values.setdefault(option, []).append(value)

    def ranking(self) -> tuple[Average[K], ...]:
        """Give the options, best first; equal ones in the order in which they were named."""
        if not self._values:
            return ()
        means = {option: math.fsum(v) / self.samples for option, v in self._values.items()}
        order = sorted(means, key=lambda option: -means[option])
        best = self._values[order[0]]
        return tuple(
            Average(
                option,
                means[option],
                _stderr(self._values[option]),
                means[order[0]] - means[option],
                _stderr([a - b for a, b in zip(best, self._values[option], strict=True)]),
            )
            for option in order
        )


def _stderr(values: list[float]) -> float:
    n = len(values)
    if n < 2:
        return math.inf
    mean = math.fsum(values) / n
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
