"""Estimates of what a position or the whole game is worth, by games that the adviser plays.

Nobody wins more often than by best play, so games that are played tell with confidence what a
position is worth at least; from above it is what is proven.

*Gains.* What a player wins is what the policy wins, and the sum of what each of the player's
decisions gains: how much more often the policy wins from after it than from before it. The policy
is quick, so both are found by simulation, and the mean of the sums needs far fewer games than that
of the results, as whatever chance does is in neither. (Where the player decides as the policy does
there is nothing to gain.)

Source: S. Kakade and J. Langford, Approximately optimal approximate reinforcement learning (2002),
lemma 6.1, for the sum; M. Zinkevich et al., Optimal unbiased estimators for evaluating agent
performance (2006), for its use.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from hanasolve.analysis.proportions import at_least
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.randomness import seeded
from hanasolve.search.table import Array
from hanasolve.treasures import book
from hanasolve.treasures import kernel as k
from hanasolve.treasures.hint import Adviser
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.solve import Evaluator, HasBelief, Interval, after

CONFIDENCE: Final = 0.99
GAMES: Final = 1_000
SIMULATIONS: Final = 400
PLAYOUTS: Final = 2_000
"""Games of the policy that tell how often it wins from a belief."""
_PLAYOUTS_AT_START: Final = 200_000
_PROOF_NODES: Final = 100_000
"""Beliefs that may be expanded to find what is proven."""
_FEW: Final = 100
"""The mean of fewer gains is not taken to be spread normally."""
_APART: Final = 1 << 40
"""Between the seeds of simulations that decide, and those that tell what was gained."""
_A_GAME: Final = 1 << 10


@dataclasses.dataclass(frozen=True, kw_only=True)
class Played:
    """A game that was played.

    Attributes
    ----------
    won : bool
    gain : float
        How much more often the player's decisions win than the policy's, about; its mean over all
        that chance may do is exact.
    times : tuple of float
        CPU seconds for each decision.
    """

    won: bool
    gain: float
    times: tuple[float, ...]


class Player:
    """Plays one game after another by the adviser, and works out what its decisions gain.

    Parameters
    ----------
    rules : Rules
    simulations : int
        For each decision; 0 plays by the policy alone.
    playouts : int, optional
        For each of two numbers whose difference is a gain; 0 leaves gains out.
    """

    def __init__(self, rules: Rules, simulations: int, playouts: int = PLAYOUTS) -> None:
        self.adviser = Adviser(rules)
        self._book = book.switches(rules)
        self._simulations = simulations
        self._playouts = playouts

    def begin(self, seed: int) -> None:
        """Begin a game in which all that is simulated depends on a seed."""
        self._seed = seed
        self._gain = 0.0
        self._times: list[float] = []

    def decide(self, words: book.Words) -> int:
        """Give the decision for a belief, packed."""
        started = time.process_time()
        if self._simulations:
            limits = Limits(nodes=self._simulations)
            step = self.adviser.advise(words, limits, sample_seed=self._seed).moves[0].move
        else:
            step = self.adviser.liked(words)
        self._times.append(time.process_time() - started)
        if self._playouts and step != self.adviser.liked(words):
            seed = _APART + self._seed * _A_GAME + len(self._times)
            beliefs = words, after(self._book, words, step)
            before, behind = (
                self.adviser.policy_wins(belief, self._playouts, sample_seed=seed * 2 + number)
                for number, belief in enumerate(beliefs)
            )
            self._gain += behind - before
        return step

    def ended(self, *, won: bool) -> Played:
        """Give the game, once it is over."""
        return Played(won=won, gain=self._gain, times=tuple(self._times))
