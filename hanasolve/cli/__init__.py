"""The command line: arguments in, results out. A file a command; what they share is `common`."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from hanasolve.cli import analyze, common, deal, hint, show, solve, verify
from hanasolve.errors import HanasolveError


def parser() -> argparse.ArgumentParser:
    """Build the parser of all commands. Nothing heavy is imported for it."""
    whole = argparse.ArgumentParser(
        prog="hanasolve",
        description="Solves, proves and advises on hanafuda games.",
        epilog="Exit codes: 0 answered, 2 wrong usage, 10 proven unsolvable (verify: does not"
        " hold), 11 left open by a limit, 12 invalid instance, 130 interrupted.",
    )
    whole.add_argument("--version", action="version", version=f"%(prog)s {common.version()}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (deal, show, solve, hint, verify, analyze):
        module.add(commands)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; gives the exit code of the interface."""
    _prepare_streams()
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("hanasolve: interrupted", file=sys.stderr)
        return common.INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone, and has had what was wanted.
        _drop_output()
        return common.ANSWERED
    except HanasolveError as error:
        return common.refuse(error, as_json=options.json)
    except OSError as error:
        _drop_output()
        return common.refuse(common.UsageError(f"the output cannot be written: {error.strerror}"))
    return code


def _drop_output() -> None:
    """Keep Python from writing what is left of the output when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Make sure that there are streams, and that no character can fail to be written."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
