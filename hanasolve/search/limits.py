"""What a search may use, and a record of what it used."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from typing import Final

from hanasolve.errors import HanasolveError

DEFAULT_MEMORY: Final = 2048
"""MiB for search tables when no limit is given; fixed, so that results do not depend on the
machine."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """What a search may use before it must stop; None is no limit.

    Attributes
    ----------
    time : float, optional
        Seconds on the wall clock. Where a search stops on time is not repeatable; on nodes it is.
    nodes : int, optional
        Positions expanded, or what else the search says it counts.
    memory : int
        MiB of search tables, at most.
    stop : callable, optional
        Asked about twenty times a second; once it gives true the search stops as at a limit, named
        ``"interrupt"``.

    Raises
    ------
    HanasolveError
        For a limit that is negative or no number.
    """

    time: float | None = None
    nodes: int | None = None
    memory: int = DEFAULT_MEMORY
    stop: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not _is_duration(self.time):
            raise HanasolveError(f"a time limit is a number of seconds from 0, not {self.time!r}")
        if self.nodes is not None and (type(self.nodes) is not int or self.nodes < 0):
            raise HanasolveError(f"a node limit is an integer from 0, not {self.nodes!r}")
        if type(self.memory) is not int or self.memory < 1:
            raise HanasolveError(f"a memory limit is an integer from 1 (MiB), not {self.memory!r}")


def _is_duration(value: object) -> bool:
    return type(value) in (int, float) and value >= 0 and math.isfinite(value)  # type: ignore[operator, arg-type]


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a search has come.

    Attributes
    ----------
    nodes : int
        Positions expanded so far.
    seconds : float
        Since the search began.
    best : int or None
        Cost of the best solution so far, where a cheapest one is sought.
    least : int or None
        Proven: no solution costs less.
    """

    nodes: int
    seconds: float
    best: int | None = None
    least: int | None = None


Report = Callable[[Progress], None]
"""Is told how far a search has come, about twenty times a second."""


class LimitMetError(Exception):
    """A limit ended a search before its answer; the limit's name is the only argument."""


class Meter:
    """Hands out slices of work so that limits hold, and reports progress between them.

    Parameters
    ----------
    limits : Limits
    report : callable, optional
        Called with a `Progress` after every slice.

    Attributes
    ----------
    best, least : int or None
        What is known of the cheapest solution, for the reports; the search sets them.
    """

    _SLICE_SECONDS: Final = 0.05
    _FIRST_SLICE: Final = 2_000

    def __init__(self, limits: Limits, report: Report | None = None) -> None:
        self._limits = limits
        self._report = report
        self._started = self._slice_started = time.perf_counter()
        self._slice = self._FIRST_SLICE
        self.nodes = 0
        self.best: int | None = None
        self.least: int | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._started

    def begin(self) -> None:
        """Begin another search: how fast the one before was says nothing of it."""
        self._slice = self._FIRST_SLICE

    def next_slice(self) -> int:
        """Nodes that may be expanded before `account` is called again; 0 when a limit is met."""
        if self.exceeded() is not None:
            return 0
        self._slice_started = time.perf_counter()
        if self._limits.nodes is None:
            return self._slice
        return min(self._slice, self._limits.nodes - self.nodes)

    def account(self, nodes: int) -> None:
        """Record the nodes of a slice, and size the next one to take about a twentieth second."""
        self.nodes += nodes
        now = time.perf_counter()
        if nodes >= self._FIRST_SLICE:
            speed = nodes / max(now - self._slice_started, 1e-6)
            # While its tables are small a search is faster than later on.
            slice_ = min(int(speed * self._SLICE_SECONDS), 2 * self._slice)
            self._slice = max(slice_, self._FIRST_SLICE)
        if self._report is not None:
            self._report(Progress(self.nodes, now - self._started, self.best, self.least))

    def exceeded(self) -> str | None:
        """Name of the limit met: ``"interrupt"``, ``"nodes"`` or ``"time"``; None for none."""
        if self._limits.stop is not None and self._limits.stop():
            return "interrupt"
        if self._limits.nodes is not None and self.nodes >= self._limits.nodes:
            return "nodes"
        if self._limits.time is not None and self.seconds >= self._limits.time:
            return "time"
        return None
