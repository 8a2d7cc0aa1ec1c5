"""How long exact values of Three Treasures take: ``python -m bench.endgames``.

The policy plays fresh deals, and a game is stopped at the first decision of a turn at which so many
cards are unknown; everything else has been seen. The value of that position is then worked out. The
positions are told apart by the blue banners that can still be played, since each brings cards back
from the discard pile in hundreds of ways. CPU time in one warm process. The output is Markdown; a
table that was kept is in ``bench/README.md``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator

import numpy as np

from bench.decide import where_and_when
from hanasolve.search.limits import Limits, Meter
from hanasolve.treasures import book
from hanasolve.treasures import kernel as k
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.game import deal_game
from hanasolve.treasures.hint import Adviser
from hanasolve.treasures.rules import BLUE_BANNERS, Rules
from hanasolve.treasures.solve import Evaluator

WAYS = {
    "all": {},
    "months not renamed": {"canonical": False},
    "no relaxed game": {"bounded": False},
    "neither": {"canonical": False, "bounded": False},
}
"""Switches of the search."""


def main() -> None:
    """Print a row for each number of unknown cards, of live blue banners, and way to search."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("unknown", nargs="*", type=int, help="default 4 6 8 10 12")
    parser.add_argument("--positions", type=int, default=40, help="for each number")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each position")
    parser.add_argument("--memory", type=int, default=4096, help="MiB")
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=["all"])
    options = parser.parse_args()
    limits = Limits(time=options.seconds, memory=options.memory)
    print(f"{where_and_when()}\n")
    print(f"{options.positions} positions each; at most {options.seconds:g} s and")
    print(f"{options.memory} MiB for one.\n")
    print("| unknown | blue banners | hand | search | solved | median | mean | states | steps/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for unknown in options.unknown or [4, 6, 8, 10, 12]:
        positions = sorted(reached(unknown, options.positions), key=blues)
        for way in options.ways:
            evaluator = Evaluator(Rules(), **WAYS[way])
            results = [(blues(words), *solved(evaluator, words, limits)) for words in positions]
            for number in sorted({banners for banners, *_ in results}):
                same = [words for words in positions if blues(words) == number]
                print(row(unknown, number, way, same, [r for r in results if r[0] == number]))
            print(row(unknown, None, way, positions, results), flush=True)


def reached(unknown: int, count: int) -> Iterator[book.Words]:
    """Give positions that the policy reaches with so many unknown cards, by growing seeds."""
    adviser = Adviser(Rules())
    seed = 0
    while count:
        game, uniform = deal_game(seed, Rules())
        seed += 1
        while not game.is_over:
            event = game.chance(uniform)
            left = len(book.unknown(game.view.words))
            if event is None and left <= unknown:
                if left == unknown and game.view.phase == "act":
                    count -= 1
                    yield game.view.words
                if left < unknown or game.view.phase == "act":
                    break
            game = game.apply(event or decode_decision(adviser.liked(game.view.words)))


def blues(words: book.Words) -> int:
    """Count the blue banners that can still be played."""
    live = words[k.HAND] | words[k.POOL] | words[k.KNOWN] | words[k.SEEN]
    return (live & book.as_set(BLUE_BANNERS)).bit_count()


def solved(evaluator: Evaluator, words: book.Words, limits: Limits) -> tuple[bool, float, int, int]:
    """Solve a position; gives whether it was, CPU seconds, states in the graph, and steps."""
    started = time.process_time()
    evaluator.prepare(words)
    _, limit = evaluator.value(words, limits, Meter(limits))
    spent = time.process_time() - started
    return limit is None, spent, evaluator.states, evaluator.transitions


def row(
    unknown: int,
    banners: int | None,
    way: str,
    positions: list[book.Words],
    results: list[tuple[int, bool, float, int, int]],
) -> str:
    """Give a row; a median that a limit hides is left out."""
    done = sum(known for _, known, *_ in results)
    times = [spent for _, _, spent, *_ in results]
    typical = statistics.median(states for *_, states, _ in results)
    hand = np.mean([words[k.HAND].bit_count() for words in positions])
    speed = sum(steps for *_, steps in results) / sum(times)
    median = f"{1e3 * statistics.median(times):,.1f} ms" if 2 * done > len(results) else "open"
    return (
        f"| {unknown} | {'any' if banners is None else banners} | {hand:.1f} | {way}"
        f" | {done} of {len(results)} | {median} | {statistics.mean(times):.2f} s"
        f" | {typical:,.0f} | {speed / 1e6:.2f} M |"
    )


if __name__ == "__main__":
    main()
