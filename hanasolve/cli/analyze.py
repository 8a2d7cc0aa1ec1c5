"""``hanasolve analyze``: the graph of all that can follow a position."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from hanasolve.cli import common

if TYPE_CHECKING:
    from hanasolve.analysis.graph import Graph
    from hanasolve.instances import Instance


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "analyze", help="the graph of all that can follow a position", description=__doc__
    )
    common.add_input(command)
    command.add_argument(
        "--format",
        choices=("drn",),
        required=True,
        help="drn: a Markov decision process with exact probabilities, for the model checker Storm",
    )
    command.add_argument(
        "--output", metavar="FILE", help="where it is written; default: standard output"
    )
    common.add_limits(command)
    common.add_json(command, "with --output, one JSON object on standard output: what was written")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the whole graph, or nothing when a limit is met."""
    from hanasolve import instances
    from hanasolve.analysis.graph import explore
    from hanasolve.report import drn
    from hanasolve.report.progress import progress
    from hanasolve.words import count, heading, met

    if options.json and options.output is None:
        raise common.UsageError("--json needs --output FILE: else the graph is the output")
    document = common.document_of(options)
    instance = document.only()
    common.answer_room(instance.game, "answer", [options.format])
    state = instances.state_of(instance, document.source)
    with progress() as report:
        graph = explore(state, common.limits_of(options), report)
    if graph.limit is None:
        title = heading(instance.game, instance.rules.name(), None)
        with _opened(options.output) as stream:
            stream.writelines(f"{line}\n" for line in drn.lines(graph, title=title))
    else:
        found = f"{met(graph.limit)} after {count(graph.states, 'state')}"
        print(f"hanasolve: {found}; nothing is written", file=sys.stderr)
    if options.json:
        common.write_json(_as_dict(instance, graph))
    elif options.output is not None and graph.limit is None:
        sizes = (graph.states, "state"), (graph.choices, "choice"), (graph.transitions, "outcome")
        print(", ".join(count(number, thing) for number, thing in sizes))
    return common.ANSWERED if graph.limit is None else common.LEFT_OPEN


def _as_dict(instance: Instance, graph: Graph) -> dict[str, object]:
    """Give what was found, JSON-ready."""
    return {
        **({} if instance.id is None else {"id": instance.id}),
        "game": instance.game,
        "rules": instance.rules.as_dict(),
        "information": "hidden" if instance.position.is_hidden else "thoughtful",
        "states": graph.states,
        "choices": graph.choices,
        "transitions": graph.transitions,
        "nodes": graph.states,
        "seconds": round(graph.seconds, 6),
        "limit": graph.limit,
    }


@contextlib.contextmanager
def _opened(path: str | None) -> Iterator[TextIO]:
    """Open the output; a file takes its name only once it is whole."""
    if path is None:
        yield sys.stdout
        return
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe
        with open(path, "w", encoding="utf-8") as stream:
            yield stream
        return
    path = os.path.realpath(path)
    part = f"{path}.part"
    try:
        with open(part, "w", encoding="utf-8") as stream:
            yield stream
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)
        raise
