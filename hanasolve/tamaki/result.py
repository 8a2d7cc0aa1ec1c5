"""What is said of a position of Hanafuda by Tamaki, whatever was asked."""

from __future__ import annotations

import dataclasses
from typing import Final

from hanasolve.tamaki.move import Move

OBJECTIVES: Final = ("margin", "paranoid", "maxn", "cooperative", "yaku", "ceiling")

Value = int | tuple[int, ...]
"""Points of the asked seat; of ``maxn`` the points of each seat."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reason:
    """Why a seat can no longer complete a yaku.

    Attributes
    ----------
    seat : int
    yaku : str
    cards : tuple of int
        A smallest set of its cards that the seat cannot have all together: no card can be left out.
    text : str
        The same in words: which cards, and which turns.
    """

    seat: int
    yaku: str
    cards: tuple[int, ...]
    text: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Loss:
    """What a turn of a record was worth to the seat that made it, by the objective that is asked.

    Attributes
    ----------
    seat : int
    move : Move
    best : int
        What the seat could have had by its best turn there.
    lost : int
        How much less it can have after the one that it made.
    """

    seat: int
    move: Move
    best: int
    lost: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class LostYaku:
    """The turn of a record after which a seat could no longer complete a yaku.

    Attributes
    ----------
    seat : int
    yaku : str
    turn : int
        Counted from 1.
    by : int
        The seat that made it.
    move : Move
    """

    seat: int
    yaku: str
    turn: int
    by: int
    move: Move


@dataclasses.dataclass(frozen=True, kw_only=True)
class Result:
    """What was found out about a position, all cards known.

    Attributes
    ----------
    objective : str
        One of `OBJECTIVES`.
    seat : int
        The seat that asks.
    value : int, tuple of int, or None
        Points. If not optimal, of ``margin`` and ``paranoid`` proven to be had at least, of
        ``cooperative`` and ``ceiling`` those of the line. None for ``yaku``, and when nothing was
        found before a limit was met.
    bound : int, tuple of int, or None
        Proven: the value cannot be more. Equal to the value when that is optimal.
    optimal : bool
        Whether the value is proven.
    line : tuple of (int, Move)
        The turns to the end of the round, each with its seat.
    mountain : tuple of int, or None
        Of ``ceiling``: the order of the mountain, top first, that the line is played with.
    moves : tuple of (Move, value)
        What every turn of the seat to move leads to, best first for it, if that was asked.
    yaku : tuple of dicts, or None
        Of ``yaku``: for each seat whether it can complete each of the four.
    most : tuple of int, or None
        Of ``yaku``: for each seat the most that it can hold at the end.
    reasons : tuple of Reason
        Of ``yaku``: why those that are out of reach are so.
    losses : tuple of Loss, or None
        Of a record: what each of its turns lost.
    lost_yaku : tuple of LostYaku, or None
        Of a record and ``yaku``: those that were in reach at first and not to the end.
    nodes : int
        Positions expanded; of ``cooperative``, ``yaku`` and ``ceiling`` millionths of CP-SAT's
        deterministic time, and with a policy the positions gone through besides. The same on every
        run that neither time nor an interrupt ended.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"`` or ``"interrupt"``, when it ended the search.
    """

    objective: str
    seat: int
    value: Value | None = None
    bound: Value | None = None
    optimal: bool = False
    line: tuple[tuple[int, Move], ...] = ()
    mountain: tuple[int, ...] | None = None
    moves: tuple[tuple[Move, Value], ...] = ()
    yaku: tuple[dict[str, bool], ...] | None = None
    most: tuple[int, ...] | None = None
    reasons: tuple[Reason, ...] = ()
    losses: tuple[Loss, ...] | None = None
    lost_yaku: tuple[LostYaku, ...] | None = None
    nodes: int = 0
    seconds: float = 0.0
    limit: str | None = None


def score(objective: str, seat: int, scores: tuple[int, ...]) -> Value:
    """Give what a round that ends with these scores is worth to the one who asks."""
    if objective == "maxn":
        return scores
    return scores[seat] - (scores[1 - seat] if objective == "margin" else 0)
