"""The errors that hanasolve raises: every one of them a `ValueError` with a text for the user."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HanasolveError(ValueError):
    """Parent of all errors raised on purpose; its text says what to change."""


class CardError(HanasolveError):
    """A text or number that names no card."""


class RulesError(HanasolveError):
    """A switch or preset that does not exist, or a combination without sense.

    Parameters
    ----------
    message : str
        What is wrong, and the remedy.
    switch : str, optional
        The switch at fault; empty when the fault lies in the whole.
    """

    def __init__(self, message: str, switch: str = "") -> None:
        super().__init__(message)
        self.switch = switch


class MoveError(HanasolveError):
    """A move that cannot be read, or that the rules do not allow in this position."""


class InstanceError(HanasolveError):
    """An instance or record that cannot be read, or breaks a condition.

    Parameters
    ----------
    message : str
        What is wrong, and the remedy.
    pointer : str, optional
        JSON pointer (RFC 6901) to the place; empty for the whole document.
    source : str, optional
        Name of the file, with the line's number in a JSON Lines file.
    id : str or int, optional
        The ``"id"`` of the instance, when it could be read that far.
    """

    def __init__(
        self, message: str, pointer: str = "", source: str = "", *, id: str | int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer
        self.source = source
        self.id = id

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.pointer, self.message) if part)


def nearest(word: object, known: Iterable[str]) -> str:
    """Give `` (did you mean …?)`` for the known word nearest to a mistaken one, or nothing."""
    close = difflib.get_close_matches(str(word)[:64], list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]}?)" if close else ""
