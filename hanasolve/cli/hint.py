"""``hanasolve hint``: the best next moves for a player who sees only what a player sees."""

from __future__ import annotations

import argparse
from typing import Any

from hanasolve.cli import answers, common


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "hint",
        help="the best next moves for a player who sees only what a player sees",
        description="Gives the next moves, best first, each with an estimate of the chance of"
        " winning after it, or of the points. Cards that the player cannot see are not looked at.",
    )
    common.add_input(command)
    common.add_limits(command)
    command.add_argument(
        "--sample-seed",
        type=common.natural,
        default=0,
        metavar="N",
        help="of the simulations; default 0",
    )
    command.add_argument(
        "--thoughtful", action="store_true", help="with all cards known that the file tells"
    )
    command.add_argument(
        "--objective",
        choices=("margin", "paranoid", "maxn"),
        help="of tamaki; default: margin for two seats, else paranoid",
    )
    answers.add_workers(command)
    common.add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Advise on every instance of the input, in its order."""
    asked = {"sample_seed": options.sample_seed, "thoughtful": options.thoughtful}
    if options.objective is not None:
        asked["objective"] = options.objective
    return answers.give(options, "advice", asked)
