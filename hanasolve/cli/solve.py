"""``hanasolve solve`` and ``hanasolve winnable``: decide positions, or find their value."""

from __future__ import annotations

import argparse
from typing import Any

from hanasolve.cli import answers, common


def add(commands: Any) -> None:
    """Add both commands."""
    for name, explained in (
        ("solve", "decide a position and give a solution, or its value and the best action"),
        ("winnable", "only the verdict whether a position can be won"),
    ):
        command: argparse.ArgumentParser = commands.add_parser(
            name, help=explained, description=f"{explained.capitalize()}."
        )
        common.add_input(command)
        common.add_limits(command)
        if name == "solve":
            command.add_argument(
                "--optimal", action="store_true", help="a cheapest solution, with a proof"
            )
            command.add_argument(
                "--metric",
                choices=("moves", "card-moves", "turns"),
                help="with --optimal, what is least: moves (default), those that are no draw or"
                " turn, or turns and then moves",
            )
            command.add_argument(
                "--first-moves",
                action="store_true",
                help="with --optimal, all moves with which a cheapest solution begins",
            )
        answers.add_workers(command)
        common.add_json(command)
        command.set_defaults(run=run, verdict_only=name == "winnable")
        if name == "winnable":
            command.set_defaults(optimal=False, metric=None, first_moves=False)


def run(options: argparse.Namespace) -> int:
    """Decide every instance of the input, in its order."""
    if (options.metric or options.first_moves) and not options.optimal:
        raise common.UsageError("--metric and --first-moves go with --optimal; add it")
    asked: dict[str, Any] = {"verdict_only": True} if options.verdict_only else {}
    if options.optimal:
        asked = {"optimal": True, "metric": options.metric or "moves"}
        asked["first_moves"] = options.first_moves
    return answers.give(options, "answer", asked)
