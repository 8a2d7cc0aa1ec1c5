"""``hanasolve deal``: make instances from seeds."""

from __future__ import annotations

import argparse
import itertools
import sys
from typing import Any

from hanasolve.cli import common


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "deal", help="make an instance from a seed", description=__doc__
    )
    common.add_deal(command)
    command.add_argument(
        "-n", type=common.positive_integer, metavar="N", help="N instances, as JSON Lines"
    )
    verdict = command.add_mutually_exclusive_group()
    verdict.add_argument("--solvable", action="store_true", help="only deals that can be won")
    verdict.add_argument("--unsolvable", action="store_true", help="only deals proven lost")
    common.add_limits(command)
    common.add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the instances; with a filter, seeds whose verdict a limit left open are passed over."""
    first = options.seed if options.seed is not None else 0
    seeds = (seed for seed in itertools.count(first) if _wanted(options, seed))
    for seed in itertools.islice(seeds, options.n or 1):
        common.write_json(_document(options, seed))
    return common.ANSWERED


def _document(options: argparse.Namespace, seed: int) -> dict[str, object]:
    from hanasolve.games import room
    from hanasolve.instances import envelope

    head = envelope(options.game, common.rules_of(options), id=f"seed-{seed}")
    deal: dict[str, object] = room(options.game, "instance").write_deal(seed)
    return head | deal


def _wanted(options: argparse.Namespace, seed: int) -> bool:
    if not (options.solvable or options.unsolvable):
        return True
    from hanasolve.games import room
    from hanasolve.search.result import Status

    state = room(options.game, "state").State.deal(seed=seed, rules=common.rules_of(options))
    solver = room(options.game, "solve").Solver()
    status = solver.solve(state, common.limits_of(options), verdict_only=True).status
    if status is Status.UNDECIDED:
        print(f"hanasolve: seed {seed} is left open by a limit and passed over", file=sys.stderr)
    return status is (Status.SOLVED if options.solvable else Status.UNSOLVABLE)
