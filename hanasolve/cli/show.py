"""``hanasolve show``: draw a position for a person."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from hanasolve.cli import common
from hanasolve.errors import InstanceError


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "show", help="draw a position for a person", description=__doc__
    )
    common.add_input(command)
    command.add_argument(
        "--hidden", action="store_true", help="leave out what a player at the table cannot see"
    )
    common.add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw every position of the input; with ``--json`` write it as a complete instance."""
    from hanasolve import instances
    from hanasolve.games import room

    document = common.document_of(options)
    code = common.ANSWERED
    for item in common.each(document):
        if isinstance(item, InstanceError):
            if not document.is_lines:
                raise item
            code = common.INVALID
            if options.json:
                common.write_json({"id": item.id, **common.error_as_json(item)})
            else:
                common.refuse(item)
            continue
        position = item.position.as_seen(item.rules) if options.hidden else item.position
        if options.json:
            common.write_json(instances.encode(dataclasses.replace(item, position=position)))
        else:
            print(room(item.game, "text").board(position, item.rules, title=item.id))
    return code
