"""How often Three Treasures is won by the library's own advice: ``python -m bench.play``.

Whole games from fresh deals are played with the real deck. At every decision the adviser is asked,
who knows what a player knows, and the move that it puts first is made. ``--simulations 0`` plays by
the policy alone. The output is Markdown; tables that were kept are in ``bench/README.md``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time

from bench.decide import where_and_when
from hanasolve.analysis.proportions import wilson
from hanasolve.search.limits import Limits
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.game import deal_game, play
from hanasolve.treasures.hint import Adviser
from hanasolve.treasures.move import Move
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State


def main() -> None:
    """Play the games and print a row for each number of simulations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("simulations", nargs="*", type=int, help="a decision; default 0 2000")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print(f"{where_and_when()}\n")
    last = options.first + options.games - 1
    print(f"Default rules, seeds {options.first} to {last}; 95 % intervals.\n")
    print("| simulations | won | interval | decisions | ms each | slowest |")
    print("|---|---|---|---|---|---|")
    for simulations in options.simulations or [0, 2000]:
        jobs = [(simulations, options.first + i) for i in range(options.games)]
        with multiprocessing.Pool(options.workers) as pool:
            results = pool.starmap(played, jobs, chunksize=10)
        print(row(simulations, results), flush=True)


def row(simulations: int, results: list[tuple[bool, int, float, float]]) -> str:
    """Give the row of a number of simulations."""
    wins, games = sum(won for won, *_ in results), len(results)
    low, high = wilson(wins, games)
    decisions = sum(count for _, count, _, _ in results)
    spent = sum(seconds for *_, seconds, _ in results)
    slowest = max(slow for *_, slow in results)
    return (
        f"| {simulations:,} | {wins / games:.1%} | {low:.1%} to {high:.1%} | {decisions:,}"
        f" | {1e3 * spent / decisions:.2f} | {slowest:.2f} s |"
    )


_advisers: dict[Rules, Adviser] = {}


def played(simulations: int, seed: int) -> tuple[bool, int, float, float]:
    """Play a game; gives whether it was won, decisions, and CPU seconds: in all, and the most."""
    rules = Rules()
    adviser = _advisers.setdefault(rules, Adviser(rules))
    times: list[float] = []

    def decide(view: State) -> Move:
        started = time.process_time()
        if simulations:
            limits = Limits(nodes=simulations)
            step = adviser.advise(view.words, limits, sample_seed=seed).moves[0].move
        else:
            step = adviser.liked(view.words)
        times.append(time.process_time() - started)
        return decode_decision(step)

    game, uniform = deal_game(seed, rules)
    game, _ = play(game, decide, uniform)
    return game.is_won, len(times), sum(times), max(times)


if __name__ == "__main__":
    main()
