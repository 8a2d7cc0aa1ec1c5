"""Advice for a player: what each decision is worth, exactly near the end, else by simulation."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Final

import numpy as np

from hanasolve.search import tree_search as ts
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.randomness import seeded
from hanasolve.search.table import Array, Floats
from hanasolve.treasures import book, policy, simulate, values
from hanasolve.treasures import kernel as k
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.solve import Evaluator, HasBelief, is_exact

SIMULATIONS: Final = 20_000
"""Simulations when no limit is given: well under a second."""
EXACT_UNKNOWN: Final = 8
EXACT_NODES: Final = 10_000
"""With so few unknown cards the values are worked out exactly, if so many nodes are enough."""
_MOST_NODES: Final = 1 << 18
_A_SLICE: Final = 1_000
_ROWS: Final = 3
_BYTES: Final = 8
_MIB: Final = 1 << 20
_A_NODE: Final = _BYTES * (2 * (simulate.KEY_WORDS + 1) + ts.NODE_WORDS + 4 * ts.MOST_OFFERED)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advised:
    """A decision and what is thought of it.

    Attributes
    ----------
    move : int
        The step, packed.
    estimate : float
        Chance of winning after it: exact, or the mean of simulations in which play after it gets
        better as they go on.
    stderr : float
        Standard error of that mean; 0 when the estimate is exact. As early simulations play worse
        the mean tends to be too low by more than that.
    samples : int
        Simulations that began with it; 0 when the estimate is exact.
    """

    move: int
    estimate: float
    stderr: float
    samples: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advice:
    """What is advised.

    Attributes
    ----------
    moves : tuple of Advised
        Best first; none where the player does not decide. Of decisions that only rename cards of
        one another one is there; those that no simulation tried are not, nor, behind a best one
        that is known exactly, those whose values were not worked out.
    exact : bool
        Whether the estimates are exact values, and the first is the best.
    unknown : int
        Cards whose place the player did not know.
    nodes : int
        Simulations made, or beliefs expanded.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"`` or ``"interrupt"``, when it ended the simulations early.
    """

    moves: tuple[Advised, ...]
    exact: bool
    unknown: int
    nodes: int = 0
    seconds: float = 0.0
    limit: str | None = None


def hint(
    state: HasBelief,
    limits: Limits | None = None,
    report: Callable[[Progress], None] | None = None,
    *,
    sample_seed: int = 0,
) -> Advice:
    """Advise on the next decision, by nothing but what the state says is known.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        ``nodes`` are simulations; `SIMULATIONS` without any limit of time or nodes.
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    sample_seed : int, optional
        Of the simulations: the same seed and limit of nodes give the same advice.

    Returns
    -------
    Advice
        Exact values near the end of a game, else estimates.
    """
    return Adviser(state.rules).advise(state.words, limits, report, sample_seed=sample_seed)


class Adviser:
    """Advises on one decision after another under the same rules, in the same arrays.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self._evaluator = Evaluator(rules)
        self._book: Array = np.zeros(values.BOOK_SIZE, np.int64)
        self._book[: k.AFTER] = book.switches(rules)
        self._book[values.CANONICAL] = True
        self._aids = policy.weights()
        self._rows: Array = np.zeros((_ROWS, simulate.WIDTH), np.int64)
        self._scratch: Array = np.empty(k.MOST_STEPS, np.int64)
        self._path: Array = np.empty(2 * ts.LONGEST, np.int64)
        self._control: Array = np.zeros(ts.CONTROL_SIZE, np.int64)
        self._size = 0

    def advise(
        self,
        words: book.Words,
        limits: Limits | None = None,
        report: Callable[[Progress], None] | None = None,
        *,
        sample_seed: int = 0,
    ) -> Advice:
        """Advise on the decision that a belief asks for; as `hint`."""
        limits = limits or Limits()
        if limits.time is None and limits.nodes is None:
            limits = dataclasses.replace(limits, nodes=SIMULATIONS)
        meter = Meter(limits, report)
        phase, unknown = words[k.META] & k.PHASE, words[k.POOL].bit_count()
        if phase < k.ACT or phase >= k.WON:
            return Advice(moves=(), exact=True, unknown=unknown)
        if unknown <= EXACT_UNKNOWN:
            exact = self._evaluator.evaluate(
                words, dataclasses.replace(limits, nodes=EXACT_NODES), report
            )
            if exact.exact:
                moves = [
                    Advised(move=move, estimate=(low + high) / 2, stderr=0.0, samples=0)
                    for move, (low, high) in exact.actions
                    if is_exact((low, high))
                ]
                return Advice(
                    moves=tuple(moves),
                    exact=True,
                    unknown=unknown,
                    nodes=exact.nodes,
                    seconds=meter.seconds,
                )
        limit = self._simulate(words, limits, meter, sample_seed)
        return Advice(
            moves=self._ranked(),
            exact=False,
            unknown=unknown,
            nodes=meter.nodes,
            seconds=meter.seconds,
            limit=limit,
        )

    def liked(self, words: book.Words) -> int:
        """Give the decision that the policy makes at once, without any simulation."""
        self._rows[0, : k.WORDS] = words
        return int(policy.decide(self._book, self._rows, self._aids, self._scratch))

    def policy_wins(self, words: book.Words, games: int, *, sample_seed: int) -> float:
        """Give the part of so many games that the policy wins from a belief, also one of chance."""
        self._rows[0, : k.WORDS] = words
        stream = np.array([seeded(sample_seed)], np.int64)
        wins = policy.playouts(self._book, self._rows, self._aids, stream, self._scratch, games)
        return float(wins) / games

    def let_chance(self, words: book.Words, stream: Array) -> book.Words:
        """Let chance move until a decision is due or the game is over; gives the belief."""
        self._rows[0, : k.WORDS] = words
        policy.let_chance(self._book, self._rows, stream)
        return tuple(self._rows[0, : k.WORDS].tolist())

    def _simulate(
        self, words: book.Words, limits: Limits, meter: Meter, sample_seed: int
    ) -> str | None:
        """Simulate from a belief until a limit is met; gives the limit unless it is of nodes."""
        wanted = _MOST_NODES if limits.nodes is None else min(limits.nodes + 1, _MOST_NODES)
        self._make_room(max(1, min(wanted, limits.memory * _MIB // _A_NODE)))
        self._rows[0, : k.WORDS] = words
        control = self._control
        control[:] = 0
        control[ts.STREAM] = seeded(sample_seed)
        control[ts.KEY_AT] = values.KEY
        # One simulation at least, to have something to say.
        while (allowed := meter.next_slice()) > 0 or control[ts.SIMULATIONS] == 0:
            control[ts.UNTIL] += max(1, min(allowed, _A_SLICE))
            before = int(control[ts.SIMULATIONS])
            simulate.simulate(
                *(self._book, self._aids, self._rows, self._scratch, self._table, self._numbers),
                *(self._nodes, self._moves, self._visits, self._priors, self._sums),
                *(self._path, control),
            )
            meter.account(int(control[ts.SIMULATIONS]) - before)
        limit = meter.exceeded()
        return None if limit == "nodes" else limit

    def _make_room(self, nodes: int) -> None:
        """Provide an empty tree for so many nodes."""
        if self._size != nodes:
            self._size = nodes
            slots = 2 << nodes.bit_length()
            self._table: Array = np.zeros((slots, simulate.KEY_WORDS), np.int64)
            self._numbers: Array = np.empty(slots, np.int64)
            self._nodes: Array = np.empty((nodes, ts.NODE_WORDS), np.int64)
            edges = nodes * ts.MOST_OFFERED + 1
            self._moves: Array = np.empty(edges, np.int64)
            self._visits: Array = np.empty(edges, np.int64)
            self._priors: Floats = np.empty(edges)
            self._sums: Floats = np.empty(edges)
        else:
            self._table.fill(0)

    def _ranked(self) -> tuple[Advised, ...]:
        """Give the decisions at the root, those tried most first."""
        advised = []
        for edge in range(int(self._nodes[0, ts.COUNT])):
            samples = int(self._visits[edge])
            if samples == 0:
                continue
            mean = float(self._sums[edge]) / samples
            # Of a mean of 0 or 1 too no more is known than that many samples tell.
            smoothed = (float(self._sums[edge]) + 1) / (samples + 2)
            stderr = math.sqrt(smoothed * (1 - smoothed) / (samples + 2))
            advised.append(
                Advised(move=int(self._moves[edge]), estimate=mean, stderr=stderr, samples=samples)
            )
        return tuple(sorted(advised, key=lambda item: (-item.samples, -item.estimate)))
