"""Estimates of what a position or the whole game is worth, by games that the adviser plays.

Nobody wins more often than by best play, so games that are played tell with confidence what a
position is worth at least; from above it is what is proven.

*Gains.* What a player wins is what the policy wins, and the sum of what each of the player's
decisions gains: how much more often the policy wins from after it than from before it. The policy
is quick, so both are found by simulation, and the mean of the sums needs far fewer games than that
of the results, as whatever chance does is in neither. (Where the player decides as the policy does
there is nothing to gain.)

Beliefs that restricted places cannot tell (*vague*, `hanasolve.treasures.kernel.shuffle_in`) are
played on as if they could; there are few.

Source: S. Kakade and J. Langford, Approximately optimal approximate reinforcement learning (2002),
lemma 6.1, for the sum; M. Zinkevich et al., Optimal unbiased estimators for evaluating agent
performance (2006), for its use.
"""

from __future__ import annotations

import dataclasses
import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from hanasolve.analysis.proportions import at_least
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.randomness import seeded
from hanasolve.treasures import book
from hanasolve.treasures import kernel as k
from hanasolve.treasures.hint import Adviser
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.solve import Evaluator, HasBelief, Interval, after

CONFIDENCE: Final = 0.99
GAMES: Final = 200
SIMULATIONS: Final = 400
PLAYOUTS: Final = 2_000
"""Games of the policy that tell how often it wins from a belief."""
_BEGINNINGS: Final = 100
"""So many times as many tell how often it wins from where all games begin."""
_PROOF_NODES: Final = 100_000
"""Beliefs that may be expanded to find what is proven."""
_FEW: Final = 100
"""The mean of fewer gains is not taken to be spread normally."""
_NOTHING: Final = -1
"""What the policy gives where there is no decision."""
# What random numbers are for.
_DECISION: Final = 0
_CHANCE: Final = 1
_BEFORE: Final = 2
_BEHIND: Final = 3
_BEGINNING: Final = 4


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
    """

    def __init__(self, rules: Rules, simulations: int) -> None:
        self.adviser = Adviser(rules)
        self._book = book.switches(rules)
        self._simulations = simulations

    def begin(self, seed: int) -> None:
        """Begin a game in which all that is simulated depends on a seed."""
        self._seed = seed
        self._gain = 0.0
        self._times: list[float] = []

    def decide(self, words: book.Words) -> int:
        """Give the decision for a belief, packed."""
        started = time.process_time()
        liked = self.adviser.liked(words)
        step = liked
        if self._simulations:
            limits = Limits(nodes=self._simulations)
            seed = mixed(self._seed, _DECISION)
            step = self.adviser.advise(words, limits, sample_seed=seed).moves[0].move
        self._times.append(time.process_time() - started)
        if step != liked:
            behind = after(self._book, words, step)
            self._gain += self._policy_wins(behind, _BEHIND) - self._policy_wins(words, _BEFORE)
        return step

    def ended(self, *, won: bool) -> Played:
        """Give the game, once it is over."""
        return Played(won=won, gain=self._gain, times=tuple(self._times))

    def play(self, start: book.Words, meter: Meter) -> Played | None:
        """Play a game from a belief to its end; gives None when a limit ends it."""
        stream = np.array([mixed(self._seed, _CHANCE)], np.int64)
        words = self.adviser.let_chance(start, stream)
        # Where there is nothing to decide, in the middle of the game, it is lost.
        while words[k.META] & k.PHASE < k.WON and self.adviser.liked(words) != _NOTHING:
            if meter.exceeded() is not None:
                return None
            step = self.decide(words)
            meter.account(max(1, self._simulations))
            words = self.adviser.let_chance(after(self._book, words, step), stream)
        return self.ended(won=words[k.META] & k.PHASE == k.WON)

    def _policy_wins(self, words: book.Words, purpose: int) -> float:
        """Give the part of games that the policy wins from a belief, about."""
        seed = mixed(self._seed, purpose, len(self._times))
        return self.adviser.policy_wins(words, PLAYOUTS, sample_seed=seed)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a position is worth, by games played from it.

    Attributes
    ----------
    ends : (float, float)
        The value lies between them with the confidence, at least about; the upper one is proven.
        Both are when no game was played.
    confidence : float
    games, won : int
        Games played, and won.
    mean, stderr : float
        How often the player wins, about: by the games that the policy wins and what is gained over
        them; and the standard error of that.
    unknown : int
        Cards whose place the player did not know.
    nodes : int
        Simulations that decided, and beliefs expanded for the proof.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"`` or ``"interrupt"``, when it ended the games early.
    """

    ends: Interval
    confidence: float
    games: int
    won: int
    mean: float
    stderr: float
    unknown: int
    nodes: int = 0
    seconds: float = 0.0
    limit: str | None = None


def estimate(
    state: HasBelief,
    limits: Limits | None = None,
    report: Callable[[Progress], None] | None = None,
    *,
    games: int = GAMES,
    simulations: int = SIMULATIONS,
    sample_seed: int = 0,
) -> Estimate:
    """Estimate what a position is worth, by nothing but what the state says is known.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        ``nodes`` are the simulations that decide, and the beliefs expanded to prove bounds. A game
        that a limit ends is left out; as long ones are left out more often, an estimate by very few
        games is a little off.
    report : callable, optional
        Called with a `Progress` after every decision.
    games : int, optional
        To be played.
    simulations : int, optional
        For each decision, as in `hanasolve.treasures.hint`; 0 plays by the policy alone.
    sample_seed : int, optional
        The same seed and limit of nodes give the same estimate.

    Returns
    -------
    Estimate
        Proven and equal ends when the value was found on the way.
    """
    limits = limits or Limits()
    meter = Meter(limits, report)
    rules, start = state.rules, state.words
    most = _PROOF_NODES if limits.nodes is None else min(limits.nodes, _PROOF_NODES)
    proof = Evaluator(rules).evaluate(start, dataclasses.replace(limits, nodes=most))
    meter.account(proof.nodes)
    played: list[Played] = []
    shares: list[float] = []
    if not proof.exact:
        player = Player(rules, simulations)
        for number in range(_BEGINNINGS):
            if meter.exceeded() is not None:
                break
            seed = mixed(sample_seed, _BEGINNING, number)
            shares.append(player.adviser.policy_wins(start, PLAYOUTS, sample_seed=seed))
        for number in range(games):
            player.begin(mixed(sample_seed, number))
            game = player.play(start, meter)
            if game is None:
                break
            played.append(game)
    low, mean, stderr = told(played, shares)
    return Estimate(
        ends=(min(max(low, proof.value[0]), proof.value[1]), proof.value[1]),
        confidence=CONFIDENCE,
        games=len(played),
        won=sum(game.won for game in played),
        mean=mean,
        stderr=stderr,
        unknown=start[k.POOL].bit_count(),
        nodes=meter.nodes,
        seconds=meter.seconds,
        limit=meter.exceeded() if len(played) < games and not proof.exact else None,
    )


def told(played: Sequence[Played], shares: Sequence[float]) -> tuple[float, float, float]:
    """Give what games tell: a lower limit, the mean, and its standard error.

    Parameters
    ----------
    played : sequence of Played
    shares : sequence of float
        Of the games from where they began, the part that the policy won; independent, with one
        mean.

    Returns
    -------
    (float, float, float)
        The limit has the confidence `CONFIDENCE`: about, by the spread of the gains, or for few
        games exactly, by those won alone.
    """
    won, n = sum(game.won for game in played), len(played)
    low = at_least(won, n, CONFIDENCE)
    if n < 2 or len(shares) < 2:
        return low, won / n if n else 0.5, 0.5
    gains = [game.gain for game in played]
    mean = min(max(statistics.mean(shares) + statistics.mean(gains), 0.0), 1.0)
    stderr = math.sqrt(statistics.variance(gains) / n + statistics.variance(shares) / len(shares))
    if n < _FEW:
        return low, mean, stderr
    # So many games of the policy cannot tell more, even if it wins them all.
    most = (1 - CONFIDENCE) ** (1 / (len(shares) * PLAYOUTS))
    low = mean - statistics.NormalDist().inv_cdf(CONFIDENCE) * stderr
    return max(0.0, min(low, most)), mean, stderr


def mixed(*parts: int) -> int:
    """Give a seed that depends on all of some numbers."""
    seed = 0
    for part in parts:
        seed = seeded(seed + part)
    return seed
