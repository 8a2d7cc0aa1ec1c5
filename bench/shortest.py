"""How many deals have their shortest solution proven: ``python -m bench.shortest [PRESET …]``.

Fresh deals of a preset, from a seed on; each solvable one is solved for fewest moves with at most
so many seconds and MiB, in one warm process. Everything is CPU time; node counts are exact and
repeatable where no limit of time was met. The output is Markdown; tables that were kept are in
``bench/README.md``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Final

from bench.decide import where_and_when
from hanasolve.search.limits import Limits
from hanasolve.search.result import Status
from hanasolve.solitaire2.rules import PRESETS
from hanasolve.solitaire2.shortest import Shortest
from hanasolve.solitaire2.state import State

ASKED_FOR: Final = ("base", "klondike12", "rule123")


def main() -> None:
    """Measure the presets that are named, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("presets", nargs="*", metavar="PRESET", help=", ".join(PRESETS))
    parser.add_argument("--first", type=int, default=2001, help="first seed")
    parser.add_argument("--deals", type=int, default=200, help="deals of each preset")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each of them")
    parser.add_argument("--memory", type=int, default=4096, help="MiB for each of them")
    options = parser.parse_args()
    for preset in options.presets:
        if preset not in PRESETS:
            parser.error(f"there is no preset {preset}; there are {', '.join(PRESETS)}")
    limits = Limits(time=options.time, memory=options.memory)
    last = options.first + options.deals - 1
    print(f"{where_and_when()}\n")
    print(
        f"Seeds {options.first} to {last}, at most {limits.time} s and {limits.memory} MiB each.\n"
    )
    print("| preset | solvable | proven | median | mean | slowest proven | lengths | nodes |")
    print("|---|---|---|---|---|---|---|---|")
    for preset in options.presets or ASKED_FOR:
        print(measure(preset, range(options.first, last + 1), limits), flush=True)


def measure(preset: str, seeds: range, limits: Limits) -> str:
    """Give the row of a preset; deals left open count as slower than any other in the median."""
    search = Shortest()
    search.solve(State.deal(seed=seeds[0], rules=preset), Limits(nodes=10_000))
    times, lengths, spent, nodes, unsolvable = [], [], 0.0, 0, 0
    for seed in seeds:
        state = State.deal(seed=seed, rules=preset)
        started = time.process_time()
        result = search.solve(state, limits)
        seconds = time.process_time() - started
        if result.status is Status.UNSOLVABLE:
            unsolvable += 1
            continue
        spent += seconds
        nodes += result.nodes
        if result.optimal and result.length is not None:
            times.append(seconds)
            lengths.append(result.length)
    solvable = len(seeds) - unsolvable
    ranked = sorted(times) + [float("inf")] * (solvable - len(times))
    median = statistics.median(ranked)
    shown = f"{median:.2f} s" if median < float("inf") else "more than the limit"
    return (
        f"| {preset} | {solvable} of {len(seeds)} | {len(times)} ({len(times) / solvable:.1%})"
        f" | {shown} | {spent / solvable:.2f} s | {max(times, default=0):.1f} s"
        f" | {min(lengths, default=0)} to {max(lengths, default=0)} | {nodes:,} |"
    )


if __name__ == "__main__":
    main()
