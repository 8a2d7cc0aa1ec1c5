"""The hanafuda deck: ids, text codes, months, names, and the shuffle that a seed stands for.

A card is an ``int`` ``id = (month - 1) * 4 + k`` from 0 to 47, with ``k`` from 0 (the highest class
of its month) to 3. Its text code is the month in two digits and a letter for ``k``: ``01a`` is the
crane, ``12d`` the last plain chaff of December. What a card is worth belongs to a game, not here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final, TypeVar

from hanasolve.errors import CardError, HanasolveError

T = TypeVar("T")

DECK_SIZE: Final = 48
MONTHS: Final = 12

MONTH_NAMES: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
FLOWERS: Final = (
    "pine",
    "plum blossom",
    "cherry blossom",
    "wisteria",
    "iris",
    "peony",
    "bush clover",
    "susuki grass",
    "chrysanthemum",
    "maple",
    "willow",
    "paulownia",
)
_PICTURES: Final = (
    "crane, poetry ribbon, chaff left, chaff right",
    "bush warbler, poetry ribbon, chaff left, chaff right",
    "curtain, poetry ribbon, chaff left, chaff right",
    "cuckoo, red ribbon, chaff left, chaff right",
    "bridge, red ribbon, chaff left, chaff right",
    "butterflies, blue ribbon, chaff left, chaff right",
    "boar, red ribbon, chaff left, chaff right",
    "full moon, geese, chaff left, chaff right",
    "sake cup, blue ribbon, chaff left, chaff right",
    "deer, blue ribbon, chaff left, chaff right",
    "rainman, swallow, red ribbon, lightning",
    "phoenix, coloured chaff, chaff left, chaff right",
)
PICTURES: Final = tuple(picture for row in _PICTURES for picture in row.split(", "))
CODES: Final = tuple(f"{card // 4 + 1:02}{'abcd'[card % 4]}" for card in range(DECK_SIZE))

NO_CARD: Final = "is no card; write a code from 01a to 12d or an id from 0 to 47"
"""What is said of a value that names none."""

_CODE = re.compile(r"(0?[1-9]|1[0-2])([a-d])")


def code(card: int) -> str:
    """Text code of a card: ``code(0)`` is ``"01a"``."""
    return CODES[card]


def name(card: int) -> str:
    """Name of a card in words: ``name(1)`` is ``"pine poetry ribbon"``."""
    return f"{FLOWERS[card // 4]} {PICTURES[card]}"


def parse(text: str | int) -> int:
    """Read a card from its code (``"01a"``, also ``"1a"``) or its id.

    Parameters
    ----------
    text : str or int
        A code, or an id from 0 to 47.

    Returns
    -------
    int
        The card's id.

    Raises
    ------
    CardError
        When it names no card.
    """
    if isinstance(text, str):
        match = _CODE.fullmatch(text)
        if match:
            return (int(match[1]) - 1) * 4 + "abcd".index(match[2])
    elif not isinstance(text, bool) and 0 <= text < DECK_SIZE:
        return text
    shown = repr(text) if len(repr(text)) <= 24 else repr(text)[:20] + "…"
    raise CardError(f"{shown} {NO_CARD}")


def uniform_stream(seed: int) -> Callable[[], float]:
    """Give the stream of numbers in [0, 1) that a seed stands for, the same on every machine.

    Only ``random.Random(seed).random`` is promised by Python to stay the same, so nothing else of
    that module is used.

    Raises
    ------
    HanasolveError
        When the seed is no integer from 0 up.
    """
    if type(seed) is not int or seed < 0:
        raise HanasolveError(f"a seed is an integer from 0, not {seed!r:.40}")
    return random.Random(seed).random


def shuffle(items: list[T], uniform: Callable[[], float]) -> list[T]:
    """Give a shuffled copy of a list (Fisher and Yates), drawing from ``uniform`` once an exchange.

    Parameters
    ----------
    items : list
        The items; the list itself is left alone.
    uniform : callable
        Gives the next number in [0, 1), as `uniform_stream` does.

    Returns
    -------
    list
        The same items in their new order.
    """
    mixed = list(items)
    for i in range(len(mixed) - 1, 0, -1):
        j = int(uniform() * (i + 1))
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed
