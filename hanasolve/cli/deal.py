"""``hanasolve deal``: make instances from seeds."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
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
    common.add_json(command, "changes nothing: instances are JSON anyway")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the instances; with a filter, seeds whose verdict a limit left open are passed over."""
    from hanasolve.games import room
    from hanasolve.instances import envelope

    rules, seats = common.rules_of(options), common.seating_of(options)
    seeds: Iterator[int] = itertools.count(options.seed or 0)
    if options.solvable or options.unsolvable:
        seeds = _filtered(seeds, options, rules)
    for seed in itertools.islice(seeds, options.n or 1):
        head = envelope(options.game, rules, id=f"seed-{seed}")
        common.write_json(head | room(options.game, "instance").write_deal(seed, rules, **seats))
    return common.ANSWERED


def _filtered(seeds: Iterator[int], options: argparse.Namespace, rules: Any) -> Iterator[int]:
    """Give the seeds whose deal has the verdict that is wanted."""
    from hanasolve.games import room
    from hanasolve.search.result import Status

    wanted = Status.SOLVED if options.solvable else Status.UNSOLVABLE
    limits, asked = common.limits_of(options), {"verdict_only": True}
    answers = common.answer_room(options.game, "answer", asked)
    for seed in seeds:
        state = room(options.game, "state").State.deal(seed=seed, rules=rules)
        status = answers.status(answers.answer(state, limits, **asked), asked)
        if status is wanted:
            yield seed
        elif status is Status.UNDECIDED:
            print(f"hanasolve: a limit left seed {seed} open; passed over", file=sys.stderr)
