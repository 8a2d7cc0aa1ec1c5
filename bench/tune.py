"""Tune the weights of the policy for Three Treasures: ``python -m bench.tune``.

Policy gradient ascent: games from fresh deals are played by a policy that chooses each decision
with a probability that grows exponentially with its score, and the weights move towards what was
done in games that were won (Williams 1992; steps as in Kingma and Ba, Adam, 2015). The weights are
printed at the end as they stand in ``hanasolve/treasures/weights.py``. The weights there are those
of 60, 500 and 1,200 steps of 20,000 games one after another, 20 minutes in all.
"""

from __future__ import annotations

import argparse
import math
import sys
import textwrap
import time

import numpy as np

from hanasolve.jit import FLOATS, ITEMS, ROWS, float64, int64, jit
from hanasolve.search.randomness import seeded, uniform
from hanasolve.search.table import Array, Floats
from hanasolve.treasures import book, policy
from hanasolve.treasures import kernel as k
from hanasolve.treasures.position import deal_seed
from hanasolve.treasures.rules import Rules

_FIRST_SEED = 10**6
_DEALS = 20_000
_MOST = 512


@jit(
    int64(ITEMS, ROWS, ROWS, FLOATS, FLOATS, ITEMS, int64, int64, float64),
    allocates=True,
)
def ascend(
    switches: Array,
    deals: Array,
    rows: Array,
    aids: Floats,
    gradient: Floats,
    stream: Array,
    first: int,
    games: int,
    baseline: float,
) -> int:
    """Play games, add their part to the gradient of the wins, and give the wins."""
    moves = np.empty(_MOST, np.int64)
    chances = np.empty(_MOST)
    own = np.empty(policy.WIDTH)
    wins = 0
    for game in range(first, first + games):
        rows[0] = deals[game % deals.shape[0]]
        own[:] = 0.0
        while not policy.is_over(switches, rows, 0):
            if rows[0, k.META] & k.PHASE < k.ACT:
                k.play(switches, rows, 0, policy.sample(rows, 0, stream))
                continue
            n = policy.compared(switches, rows, 0, aids, moves)
            if n == 0:
                break
            policy.look(switches, rows, 0, aids)
            most = -1e300
            for i in range(n):
                chances[i] = policy.score(switches, rows, 0, moves[i], aids)
                most = max(most, chances[i])
            total = 0.0
            for i in range(n):
                chances[i] = math.exp(chances[i] - most)
                total += chances[i]
            left = uniform(stream) * total
            chosen = n - 1
            for i in range(n):
                left -= chances[i]
                if left < 0.0:
                    chosen = i
                    break
            for i in range(n):
                part = (i == chosen) - chances[i] / total
                kind = moves[i] & 15
                for f in range(policy.FEATURES):
                    own[kind * policy.FEATURES + f] += part * aids[f]
                sign = policy.gained(kind)
                cards = 2 if kind == k.STARVE else 1
                for number in range(cards):
                    shift = 4 + 6 * number
                    features = policy.card_features(switches, rows, 0, moves[i] >> shift & 63)
                    while sign != 0.0 and features != 0:
                        own[features & 1023] += part * sign
                        features >>= 10
            k.play(switches, rows, 0, moves[chosen])
        won = rows[0, k.META] & k.PHASE == k.WON
        wins += won
        gradient += own * (won - baseline)
    return wins


def main() -> None:
    """Tune, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--games", type=int, default=20_000, help="games a step")
    parser.add_argument("--rate", type=float, default=0.08, help="of the steps")
    parser.add_argument("--fresh", action="store_true", help="begin with no weights at all")
    options = parser.parse_args()
    rules = Rules()
    seeds = range(_FIRST_SEED, _FIRST_SEED + _DEALS)
    seen = (deal_seed(seed, rules).as_seen(rules) for seed in seeds)
    deals = np.array([book.enter(position, rules) for position in seen], np.int64)
    rows = np.zeros((1, deals.shape[1]), np.int64)
    aids = np.zeros(policy.WIDTH) if options.fresh else policy.weights()
    stream = np.array([seeded(0)], np.int64)
    mean, square, share = np.zeros_like(aids), np.zeros_like(aids), 0.0
    for step in range(1, options.steps + 1):
        started, gradient = time.process_time(), np.zeros_like(aids)
        played = (step - 1) * options.games
        wins = ascend(
            *(book.switches(rules), deals, rows, aids, gradient, stream),
            *(played, options.games, share),
        )
        share = wins / options.games
        gradient /= options.games
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = options.rate * min(1.0, 2 * (1 - (step - 1) / options.steps))
        aids += rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
        spent = time.process_time() - started
        print(f"{step}: won {share:.2%}, {spent:.2f} s", file=sys.stderr, flush=True)
    written = ", ".join(f"{weight:.3g}" for weight in aids[policy.FEATURES :])
    print(textwrap.fill(written, 96, initial_indent="    ", subsequent_indent="    "))


if __name__ == "__main__":
    main()
