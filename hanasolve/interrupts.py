"""Interrupts (Ctrl-C) that wait for a good moment."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def noted() -> Iterator[Callable[[], bool]]:
    """Note an interrupt instead of raising it, while the context lasts; a second one raises.

    Gives a function that tells whether there was one. Where interrupts are not Python's own, as in
    another thread or when they are ignored, nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    was_one = False

    def note(number: int, frame: object) -> None:
        nonlocal was_one
        was_one = True
        signal.signal(signal.SIGINT, before)

    try:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread
        yield lambda: False
        return
    try:
        yield lambda: was_one
    finally:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def put_off() -> Iterator[None]:
    """Raise an interrupt only at the end of the context; a second one at once."""
    with noted() as was_one:
        yield
        ask = was_one
    if ask():
        raise KeyboardInterrupt
