"""How long rounds of Hanafuda by Tamaki take to be solved: ``python -m bench.rounds``.

Whole fresh deals by growing seeds, everything counted from the position to value and line of play.
CPU time in one warm process. The output is Markdown; a table that was kept is in
``bench/README.md``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from bench.decide import where_and_when
from hanasolve.search.limits import Limits
from hanasolve.tamaki.rules import SIZES
from hanasolve.tamaki.solve import solve
from hanasolve.tamaki.state import State

ASKED: dict[str, tuple[Sequence[int], dict[str, object], int]] = {
    "margin": ([2], {"objective": "margin"}, 1000),
    "margin, every move": ([2], {"objective": "margin", "values": True}, 1000),
    "paranoid": ([*SIZES], {"objective": "paranoid"}, 200),
    "maxn": ([*SIZES], {"objective": "maxn"}, 50),
    "cooperative": ([*SIZES], {"objective": "cooperative"}, 500),
    "yaku": ([*SIZES], {"objective": "yaku"}, 500),
    "ceiling": ([*SIZES], {"objective": "ceiling"}, 100),
}
"""For each question the numbers of seats, the options of `solve`, and the deals."""
IN_TURN = {"cooperative", "ceiling"}
"""Questions that each seat asks, one after the other from deal to deal; others are the leader's."""


def main() -> None:
    """Print a row for each question and number of seats."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("asked", nargs="*", metavar="QUESTION", help=f"of {', '.join(ASKED)}")
    parser.add_argument("--deals", type=int, help="for each row, instead of its own number")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each deal")
    options = parser.parse_args()
    if unknown := {*options.asked} - {*ASKED}:
        parser.error(f"there is no question {', '.join(unknown)}")
    print(f"{where_and_when()} Seeds from 1 up, at most {options.seconds:g} s each.\n")
    print("| asked | seats | deals | open | median | mean | 99 % | slowest | nodes |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in options.asked or ASKED:
        seats, asked, deals = ASKED[name]
        for players in seats:
            solve(State.deal(players=players), **asked)  # type: ignore[arg-type]
            count = options.deals or deals
            print(row(name, players, asked, count, Limits(time=options.seconds)), flush=True)


def row(name: str, players: int, asked: dict[str, object], deals: int, limits: Limits) -> str:
    """Solve the deals; give their row."""
    spent, nodes, left_open = [], 0, 0
    for seed in range(1, deals + 1):
        state = State.deal(seed=seed, players=players)
        if name in IN_TURN:
            asked = {**asked, "seat": seed % players}
        started = time.process_time()
        result = solve(state, limits, **asked)  # type: ignore[arg-type]
        spent.append((time.process_time() - started, seed))
        nodes += result.nodes
        left_open += result.limit is not None
    times = sorted(seconds for seconds, _ in spent)
    slowest, seed = max(spent)
    most = times[min(-(-99 * deals // 100), deals) - 1]
    return (
        f"| {name} | {players} | {deals} | {left_open} | {_ms(statistics.median(times))}"
        f" | {_ms(statistics.mean(times))} | {_ms(most)} | seed {seed}: {_ms(slowest)}"
        f" | {nodes / deals:,.0f} a deal |"
    )


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:,.1f} ms"


if __name__ == "__main__":
    main()
