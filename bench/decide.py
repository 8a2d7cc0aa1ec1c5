"""How fast deals of Solitaire #2 are decided: ``python -m bench.decide [PART …]``.

Parts: ``files`` (the two files of 100 deals with known verdicts), ``presets`` (seeds 1 to 1,000 of
every preset, at most 10 s and 2 GiB each), ``cold`` (whole commands, compiled before). Everything
is CPU time. ``files`` and ``presets`` run in one warm process and time the way from a packed deal
to its verdict; putting the solution together is not counted. Node counts are exact and repeatable.
The output is Markdown; tables that were kept are in ``bench/README.md``.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from hanasolve import instances
from hanasolve.search.limits import Limits, Meter
from hanasolve.solitaire2.rules import PRESETS
from hanasolve.solitaire2.solve import Solver
from hanasolve.solitaire2.state import State

ROOT = Path(__file__).parent.parent
DEALS = ROOT / "instances" / "solitaire2"
FILES = ("base-any-suffix-100", "klondike12-100")
PARTS = ("files", "presets", "cold")

Row = tuple[str, str, int, float]
"""Name, verdict, nodes and CPU seconds of a deal."""


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--deals", type=int, default=1000, help="deals of each preset")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each of them")
    options = parser.parse_args()
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part}; there are {', '.join(PARTS)}")
    print(f"{where_and_when()}\n")
    for part in options.parts or PARTS:
        if part == "files":
            files()
        elif part == "presets":
            presets(options.deals, options.time)
        else:
            cold()


def where_and_when() -> str:
    """Name the date, the machine and the commit."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(": ")[2] if names else model
    git = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    day = datetime.datetime.now(datetime.UTC).date()
    python = f"Python {platform.python_version()}"
    return f"{day}, {model}, {platform.system()}, {python}, commit {commit or 'unknown'}"


def decide(solver: Solver, state: State, limits: Limits) -> tuple[str, int, float]:
    """Decide a deal; gives the verdict, the nodes and the CPU seconds."""
    question = solver.prepare(state)
    gc.disable()
    started = time.process_time()
    status, _ = solver.decide(question, limits, Meter(limits))
    seconds = time.process_time() - started
    gc.enable()
    return status.value, solver.nodes(question), seconds


def files() -> None:
    """Decide the deals whose verdicts other solvers found, and check every one."""
    print("| deals | right | median | mean | all but the slowest | slowest | nodes |")
    print("|---|---|---|---|---|---|---|")
    for name in FILES:
        solver = Solver()
        rows: list[Row] = []
        right = 0
        states = [
            (str(item.id), State(item.position, item.rules), item.expect)
            for item in instances.read(str(DEALS / f"{name}.jsonl"))
            if isinstance(item, instances.Instance)
        ]
        for _, state, _ in states:  # warm up: code, branch predictor, allocator
            decide(solver, state, Limits(nodes=10_000))
        for deal, state, expect in states:
            verdict, nodes, seconds = decide(solver, state, Limits())
            rows.append((deal, verdict, nodes, seconds))
            right += expect is not None and verdict == expect["status"]
        rows.sort(key=lambda row: row[3])
        times = [row[3] for row in rows]
        print(
            f"| {name} | {right} of {len(rows)} | {_micro(statistics.median(times))}"
            f" | {_milli(statistics.mean(times))} | {sum(times[:-1]):.3f} s"
            f" | {rows[-1][0]}: {times[-1]:.2f} s, {rows[-1][2]:,} nodes"
            f" | {sum(row[2] for row in rows):,} |",
            flush=True,
        )
    print()


def presets(deals: int, seconds: float) -> None:
    """Decide seeds 1, 2, … of every preset."""
    print(f"Seeds 1 to {deals}, at most {seconds:g} s and 2 GiB each.\n")
    print("| preset | solved | unsolvable | undecided | median | mean | 99 % | slowest | nodes |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, rules in PRESETS.items():
        solver = Solver()
        limits = Limits(time=seconds, memory=2048)
        rows: list[Row] = []
        for seed in range(1, deals + 1):
            rows.append((str(seed), *decide(solver, State.deal(seed=seed, rules=rules), limits)))
        verdicts = Counter(row[1] for row in rows)
        times = sorted(row[3] for row in rows)
        undecided = [row[0] for row in rows if row[1] == "undecided"]
        print(
            f"| {name} | {verdicts['solved']} | {verdicts['unsolvable']}"
            f" | {len(undecided)}{_listed(undecided)} | {_micro(statistics.median(times))}"
            f" | {_milli(statistics.mean(times))} | {_milli(times[int(0.99 * len(times))])}"
            f" | {times[-1]:.2f} s | {sum(row[2] for row in rows):,} |",
            flush=True,
        )
    print()


def cold() -> None:
    """Time whole commands, start-up and imports included."""
    command = [sys.executable, "-m", "hanasolve"]
    calls: dict[str, Sequence[str]] = {
        "hanasolve --help": ["--help"],
        "hanasolve solve demo.json": ["solve", str(DEALS / "demo.json")],
        "hanasolve winnable --seed 1": ["winnable", "--seed", "1"],
    }
    print("| command | CPU, median of 7 |")
    print("|---|---|")
    for name, arguments in calls.items():
        times = [_cpu_of([*command, *arguments]) for _ in range(8)][1:]
        print(f"| `{name}` | {statistics.median(times):.2f} s |", flush=True)
    print()


def _cpu_of(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _micro(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs"


def _milli(seconds: float) -> str:
    return f"{seconds * 1e3:,.3f} ms"


def _listed(names: Iterable[str]) -> str:
    text = ", ".join(names)
    return f" ({text})" if text else ""


if __name__ == "__main__":
    main()
