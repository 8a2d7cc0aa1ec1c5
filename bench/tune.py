"""Tune the weights of the policy for Three Treasures: ``python -m bench.tune [--steps N]``.

Policy gradient ascent: games from fresh deals are played by a policy that chooses each decision
with a probability that grows with its score, and the weights move to what was done in games that
were won. The weights are printed as they stand in ``hanasolve/treasures/weights.py``.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from hanasolve.jit import FLOATS, ITEMS, ROWS, float64, int64, jit
from hanasolve.search.randomness import uniform
from hanasolve.treasures import book, policy
from hanasolve.treasures import kernel as k
from hanasolve.treasures.position import Position, deal_seed
from hanasolve.treasures.rules import Rules


def view(position: Position) -> Position:
    import dataclasses

    from hanasolve.treasures.rules import MOON

    unknown = tuple(sorted(c for c in position.deck[:-1]))
    return dataclasses.replace(position, deck=("?",) * len(unknown) + (MOON,), unknown=unknown)


@jit(int64(ITEMS, ROWS, ROWS, FLOATS, FLOATS, ITEMS, int64, int64, float64), allocates=True)
def ascend(book, deals, rows, weights, gradient, stream, first, games, baseline):
    moves = np.empty(512, np.int64)
    scores = np.empty(512)
    own = np.empty(policy.WIDTH)
    wins = 0
    for game in range(first, first + games):
        rows[0] = deals[game % deals.shape[0]]
        own[:] = 0.0
        won = False
        while True:
            if policy.is_over(book, rows, 0):
                won = rows[0, k.META] & k.PHASE == k.WON
                break
            if rows[0, k.META] & k.PHASE < k.ACT:
                k.play(book, rows, 0, policy.sample(rows, 0, stream))
                continue
            n = policy.compared(book, rows, 0, weights, moves)
            if n == 0:
                break
            if n == 1:
                k.play(book, rows, 0, moves[0])
                continue
            policy.look(book, rows, 0, weights)
            top = -1e300
            for i in range(n):
                scores[i] = policy.score(book, rows, 0, moves[i], weights)
                top = max(top, scores[i])
            total = 0.0
            for i in range(n):
                scores[i] = math.exp(scores[i] - top)
                total += scores[i]
            u = uniform(stream) * total
            chosen = n - 1
            for i in range(n):
                u -= scores[i]
                if u < 0.0:
                    chosen = i
                    break
            for i in range(n):
                part = (i == chosen) - scores[i] / total
                kind, card = moves[i] & 15, moves[i] >> 4 & 63
                for f in range(policy.FEATURES):
                    own[kind * policy.FEATURES + f] += part * weights[f]
                sign = policy.gained(kind)
                if sign != 0.0:
                    features = policy.card_features(book, rows, 0, card)
                    while features != 0:
                        own[features & 1023] += part * sign
                        features >>= 10
                if kind == k.STARVE:
                    other = moves[i] >> 10 & 63
                    features = policy.card_features(book, rows, 0, other)
                    while features != 0:
                        own[features & 1023] -= part
                        features >>= 10
            k.play(book, rows, 0, moves[chosen])
        wins += won
        gradient += own * (won - baseline)
    return wins


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--games", type=int, default=20000)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--start")
    parser.add_argument("--out", default="/tmp/weights.npy")
    o = parser.parse_args()
    rules = Rules()
    deals = np.array(
        [book.enter(view(deal_seed(s, rules)), rules) for s in range(10**6, 10**6 + 20000)]
    )
    sw = book.switches(rules)
    weights = np.load(o.start) if o.start else np.zeros(policy.WIDTH)
    stream = np.array([88172645463325252], np.int64)
    rows = np.zeros((2, deals.shape[1]), np.int64)
    m, v, base, first = np.zeros_like(weights), np.zeros_like(weights), 0.05, 0
    for step in range(1, o.steps + 1):
        t = time.process_time()
        g = np.zeros_like(weights)
        wins = ascend(sw, deals, rows, weights, g, stream, first, o.games, base)
        first += o.games
        g /= o.games
        base = wins / o.games
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        rate = o.rate * min(1.0, 2 * (1 - (step - 1) / o.steps))
        weights += rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.99**step)) + 1e-6)
        if step % 10 == 0 or step < 4:
            print(step, f"{base:.4f}", f"{time.process_time() - t:.2f} s", flush=True)
            np.save(o.out, weights)
    moves = np.empty(512, np.int64)
    tot = 0
    for d in deals[:10000]:
        rows[0] = d
        tot += policy.count_wins(sw, rows, weights, stream, moves, 5)
    print("greedy", tot / 50000)


if __name__ == "__main__":
    main()
