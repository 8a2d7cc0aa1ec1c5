"""What every solver says of a question: a result is never a bare bool."""

from __future__ import annotations

import enum


class Status(enum.Enum):
    """What is known about whether a position can be won."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    UNDECIDED = "undecided"
