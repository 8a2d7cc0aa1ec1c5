"""``hanasolve solve`` and ``hanasolve winnable``: decide positions, or find their value."""

from __future__ import annotations

import argparse
from typing import Any, Final

from hanasolve.cli import answers, common

_OF_ESTIMATES: Final = {
    "--games": "how many; default 200",
    "--simulations": "for each decision; default 400",
    "--sample-seed": "of all that is simulated; default 0",
}


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
            command.add_argument(
                "--estimate",
                action="store_true",
                help="where chance moves: what the position is worth by games played from it",
            )
            for option, explained in _OF_ESTIMATES.items():
                command.add_argument(
                    option, type=common.natural, metavar="N", help=f"with --estimate, {explained}"
                )
            command.add_argument(
                "--thoughtful",
                action="store_true",
                default=None,
                help="with --estimate, with all cards known that the file tells",
            )
            _add_seated(command)
        answers.add_workers(command)
        common.add_json(command)
        command.set_defaults(run=run, verdict_only=name == "winnable")
        if name == "winnable":
            command.set_defaults(optimal=False, metric=None, first_moves=False, estimate=False)


def _add_seated(command: argparse.ArgumentParser) -> None:
    """Add what can be asked of a game with several seats."""
    from hanasolve.games import room

    seated = command.add_argument_group("of tamaki")
    seated.add_argument(
        "--objective",
        choices=room("tamaki", "result").OBJECTIVES,
        help="default: margin for two seats, else paranoid",
    )
    seated.add_argument(
        "--seat", type=common.natural, metavar="S", help="who asks, from 0; default: the file's"
    )
    seated.add_argument(
        "--values", action="store_true", default=None, help="also what every move leads to"
    )
    seated.add_argument(
        "--record", metavar="RECORD", help="also what each turn of a record lost: points, or yaku"
    )
    seated.add_argument(
        "--fixed",
        type=_seats,
        metavar="S,…",
        help="instead, what can be reached if these seats play as in the record",
    )
    seated.add_argument(
        "--known",
        type=common.natural,
        metavar="K",
        help="of ceiling: only below its top K cards is the order of the mountain free",
    )


def _seats(text: str) -> tuple[int, ...]:
    return tuple(map(common.natural, text.split(",")))


def _of_seats(options: argparse.Namespace) -> dict[str, Any]:
    """Give what is asked of a game with several seats."""
    from hanasolve import instances

    names = ("objective", "seat", "values", "record", "fixed", "known")
    given = {name: getattr(options, name, None) for name in names}
    asked = {name: value for name, value in given.items() if value is not None}
    if "fixed" in asked and "record" not in asked:
        raise common.UsageError("--fixed takes the turns from --record; add it")
    if "record" in asked:
        if options.file == options.record == "-":
            raise common.UsageError("only one of FILE and RECORD can be standard input")
        asked["record"] = instances.load_json(options.record)
    return asked


def run(options: argparse.Namespace) -> int:
    """Decide every instance of the input, in its order."""
    if (options.metric or options.first_moves) and not options.optimal:
        raise common.UsageError("--metric and --first-moves go with --optimal; add it")
    if options.optimal and options.estimate:
        raise common.UsageError("--optimal proves and --estimate does not; leave out one")
    names = [option[2:].replace("-", "_") for option in (*_OF_ESTIMATES, "--thoughtful")]
    given = {name: getattr(options, name, None) for name in names}
    wanted = {name: value for name, value in given.items() if value is not None}
    if options.estimate:
        return answers.give(options, "appraisal", wanted)
    if wanted:
        raise common.UsageError(
            f"{', '.join(_OF_ESTIMATES)} and --thoughtful go with --estimate; add it"
        )
    asked: dict[str, Any] = {"verdict_only": True} if options.verdict_only else {}
    if options.optimal:
        asked = {"optimal": True, "metric": options.metric or "moves"}
        asked["first_moves"] = options.first_moves
    asked |= _of_seats(options)
    return answers.give(options, "answer", asked)
