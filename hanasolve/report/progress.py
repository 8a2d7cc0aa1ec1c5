"""Progress of a long search on standard error: shown to a person, silent when piped."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Final

from hanasolve.search.limits import Progress

_PATIENCE: Final = 0.5
"""Seconds before anything is shown, so that short searches leave no trace."""


class Silence:
    """Shows nothing."""

    def __call__(self, now: Progress) -> None:
        """Take note of how far a search has come."""

    def clear(self) -> None:
        """Take away what is shown, so that results can be written."""


class _Line(Silence):
    """Shows a line that changes, on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self._spinner = Spinner("dots")
        # Rich would by itself send what is written to standard output to the terminal, too.
        self._live = Live(
            self._spinner,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __call__(self, now: Progress) -> None:
        if now.seconds < _PATIENCE:
            self.clear()
            return
        text = f"searching: {now.nodes:,} nodes, {now.seconds:.1f} s"
        if now.best is not None:
            text += f"; best so far {now.best}, at least {now.least}"
        self._spinner.update(text=text)
        self._live.start()

    def clear(self) -> None:
        self._live.stop()


@contextlib.contextmanager
def progress() -> Iterator[Silence]:
    """Give what shows how far a search has come, while the context lasts."""
    shown = _Line() if sys.stderr.isatty() else Silence()
    try:
        yield shown
    finally:
        shown.clear()
