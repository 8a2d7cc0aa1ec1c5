"""``hanasolve verify``: replay a record against the rules, independent of the search."""

from __future__ import annotations

import argparse
from typing import Any

from hanasolve.cli import common


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "verify", help="replay a record against the rules", description=__doc__
    )
    command.add_argument("file", metavar="FILE", help="instance file; - is standard input")
    command.add_argument(
        "record",
        metavar="RECORD",
        help='a result of solve --json, {"moves": […]}, {"events": […]} or {"line": […]}',
    )
    common.add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Replay; a record holds when all its steps are legal and the last one wins, or is the end."""
    from hanasolve import instances
    from hanasolve.games import room
    from hanasolve.words import count

    if options.file == options.record == "-":
        raise common.UsageError("only one of FILE and RECORD can be standard input")
    document = instances.load(options.file)
    instance = document.only()
    room(instance.game, "instance").refuse_unknown(instance.position, document.source)
    record = instances.load_json(options.record)
    verdict = room(instance.game, "verify").verify(instances.state_of(instance), record)
    if options.json:
        common.write_json(
            {"valid": verdict.valid, "failed_at": verdict.failed_at, "reason": verdict.reason}
        )
    elif verdict.valid:
        print(f"holds: {count(verdict.length, f'legal {verdict.step}')}, and {verdict.end}")
    else:
        at_end = verdict.failed_at == verdict.length
        place = "at the end" if at_end else f"{verdict.step} {verdict.failed_at + 1}"
        print(f"does not hold: {place}: {verdict.reason}")
    return common.ANSWERED if verdict.valid else common.UNSOLVABLE
