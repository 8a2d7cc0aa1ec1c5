"""What the commands share: exit codes, the options for input and limits, and writing results."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from hanasolve.errors import HanasolveError, InstanceError, RulesError
from hanasolve.games import GAMES

if TYPE_CHECKING:
    from hanasolve.instances import Document, Instance
    from hanasolve.search.limits import Limits

ANSWERED: Final = 0
WRONG_USAGE: Final = 2
UNSOLVABLE: Final = 10
LEFT_OPEN: Final = 11
INVALID: Final = 12
INTERRUPTED: Final = 130

_NO_QUESTION: Final = {
    "verdict_only": "no verdict, won or lost; use solve",
    "optimal": "no cheapest solutions; leave out --optimal",
    "objective": "no objectives to choose from; leave out --objective",
    "seat": "no seats; leave out --seat",
    "values": "no option --values; leave it out",
    "record": "no option --record; verify replays a record",
    "fixed": "no option --fixed; leave it out",
    "known": "no option --known; leave it out",
    "drn": "no chance, which --format drn is for; it is for treasures",
}
"""What is said of a question that a game does not know."""

_NO_ROOM: Final = {
    "advice": "no hints yet",
    "appraisal": "no chance, so nothing to estimate; leave out --estimate",
}
"""What is said when a game does not answer a kind of question at all."""


class UsageError(HanasolveError):
    """Options that do not fit together."""


def version() -> str:
    """Version of the package."""
    from hanasolve import __version__

    return __version__


def positive_integer(text: str, least: int = 1) -> int:
    """Read an option's integer of at least 1."""
    if not text.isascii() or not text.isdecimal() or len(text) > 18 or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no integer from {least} up")
    return int(text)


def natural(text: str) -> int:
    """Read an option's integer of at least 0."""
    return positive_integer(text, least=0)


def seconds(text: str) -> float:
    """Read an option's time in seconds."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number of seconds")
    return value


def add_json(
    command: argparse.ArgumentParser,
    explained: str = "one JSON object on standard output, nothing else",
) -> None:
    """Add ``--json``."""
    command.add_argument("--json", action="store_true", help=explained)


def add_deal(command: argparse.ArgumentParser) -> None:
    """Add the options that deal an instance."""
    command.add_argument("--game", choices=GAMES, default=GAMES[0], help="default: %(default)s")
    command.add_argument("--seed", type=natural, metavar="N", help="deal what a seed stands for")
    command.add_argument(
        "--players", type=positive_integer, metavar="N", help="of tamaki: seats, 2 to 7; default 2"
    )
    command.add_argument(
        "--leader", type=natural, metavar="SEAT", help="of tamaki: who begins; default 0"
    )
    command.add_argument(
        "--rules", metavar="PRESET|k=v,...", help="a preset, switches, or both: rule1,draw_count=1"
    )


def add_input(command: argparse.ArgumentParser) -> None:
    """Add FILE and, instead of it, the options that deal an instance."""
    command.add_argument(
        "file", nargs="?", metavar="FILE", help="instance file or JSON Lines; - is standard input"
    )
    add_deal(command)


def add_limits(command: argparse.ArgumentParser) -> None:
    """Add the limits of a search."""
    limits = command.add_argument_group("limits, for each instance")
    limits.add_argument("--time", type=seconds, metavar="SECONDS", help="wall time")
    limits.add_argument("--nodes", type=natural, metavar="N", help="positions expanded")
    limits.add_argument(
        "--memory", type=positive_integer, metavar="MIB", help="of search tables; default 2048"
    )


def limits_of(options: argparse.Namespace) -> Limits:
    """Give the limits that the options set."""
    from hanasolve.search.limits import DEFAULT_MEMORY, Limits

    return Limits(time=options.time, nodes=options.nodes, memory=options.memory or DEFAULT_MEMORY)


def rules_of(options: argparse.Namespace) -> Any:
    """Make the rules that ``--rules`` names."""
    from hanasolve.games import room

    switches: dict[str, Any] = {}
    for part in (options.rules or "").split(",") if options.rules else ():
        name, equals, value = part.partition("=")
        if not equals and switches:
            raise UsageError(f"--rules: {part[:40]!r} is no switch=value; a preset comes first")
        if not equals:
            name, value = "preset", part
        if name in switches:
            raise UsageError(f"--rules: {name} is given twice; leave one")
        switches[name] = _switch_value(value)
    try:
        return room(options.game, "rules").Rules.of(switches)
    except RulesError as error:
        raise UsageError(f"--rules: {error}") from None


def _switch_value(text: str) -> str | int | bool:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


def document_of(options: argparse.Namespace) -> Document:
    """Open the file that the options name, or deal the instance that they describe.

    Raises
    ------
    UsageError
        When they do neither, or both.
    """
    from hanasolve import instances

    if options.file is not None:
        for name in ("seed", "rules", "players", "leader"):
            if getattr(options, name) is not None:
                raise UsageError(f"--{name} deals an instance; leave it out when a FILE is given")
        return instances.load(options.file)
    if options.seed is None:
        raise UsageError("name a FILE, or deal an instance with --seed N")
    instance = dealt(options, options.seed)
    return instances.Document(f"seed {options.seed}", False, iter([(None, instance)]))


def dealt(options: argparse.Namespace, seed: int) -> Instance:
    """Deal the instance of a seed."""
    from hanasolve.games import room
    from hanasolve.instances import Instance

    rules = rules_of(options)
    position = room(options.game, "position").deal_seed(seed, rules, **seating_of(options))
    return Instance(game=options.game, rules=rules, position=position, id=f"seed-{seed}")


def seating_of(options: argparse.Namespace) -> dict[str, int]:
    """Give the seats that ``--players`` and ``--leader`` ask for."""
    from hanasolve.games import seating

    return seating(options.game, players=options.players, leader=options.leader)


def answer_room(game: str, name: str, asked: Iterable[str]) -> Any:
    """Give the room of a game that answers a question; ``asked`` names what it must know.

    Raises
    ------
    UsageError
        When that is no question of this game.
    """
    from hanasolve.games import room

    try:
        answers = room(game, name)
    except ModuleNotFoundError as error:
        if error.name != f"hanasolve.{game}.{name}":
            raise
        raise UsageError(f"{game} has {_NO_ROOM[name]}") from None
    for option in asked:
        if option not in answers.OPTIONS:
            raise UsageError(f"{game} has {_NO_QUESTION[option]}")
    return answers


def each(document: Document) -> Iterator[Instance | InstanceError]:
    """Give the instances of a document, or the errors that stand in their place."""
    return (item for _, item in document.items)


def write_json(value: object) -> None:
    """Write one JSON value as a line, at once, so that an interrupt loses nothing finished."""
    print(json.dumps(value), flush=True)


def error_as_json(error: InstanceError) -> dict[str, object]:
    """Give an error as a result file holds it."""
    return {"error": {"pointer": error.pointer, "message": error.message}}


def refuse(error: HanasolveError, *, as_json: bool = False) -> int:
    """Report an error and give the exit code for it."""
    if isinstance(error, InstanceError) and as_json:
        write_json(error_as_json(error))
    print(f"hanasolve: {error}", file=sys.stderr)
    return INVALID if isinstance(error, InstanceError) else WRONG_USAGE
