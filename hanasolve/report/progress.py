"""Progress of a long search on standard error: shown to a person, silent when piped."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Final

from hanasolve.search.limits import Progress

_PATIENCE: Final = 0.5
"""Seconds before anything is shown, so that short searches leave no trace."""


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows how far a search has come, while the context lasts."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        status.stop()

        def report(now: Progress) -> None:
            if now.seconds >= _PATIENCE:
                found = (
                    "" if now.best is None else f"; best so far {now.best}, at least {now.least}"
                )
                status.update(f"searching: {now.nodes:,} nodes, {now.seconds:.1f} s{found}")
                status.start()
            else:
                status.stop()

        yield report
