"""A position as plain piles of cards: what a file holds and a person sees.

`hanasolve.solitaire2.state.State` plays from it; this module only says what lies where.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Final

from hanasolve.cards import DECK_SIZE, shuffle, uniform_stream
from hanasolve.solitaire2.rules import Rules

COLUMNS: Final = 6
PILES: Final = 4

Card = int | None
"""A card's id, or None for one whose identity is unknown."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Position:
    """What lies where; every pile of cards is a tuple.

    Attributes
    ----------
    down, up : tuple of 6 tuples
        The face-down and the face-up cards of each column, bottom to top.
    stock : tuple
        The face-down stock, the card drawn next first.
    waste : tuple
        The waste, bottom to top: its last card can be played.
    foundations : tuple of 4 tuples
        The foundation piles, bottom to top.
    turns : int
        How often the waste has been turned over so far.
    """

    down: tuple[tuple[Card, ...], ...] = ((),) * COLUMNS
    up: tuple[tuple[int, ...], ...] = ((),) * COLUMNS
    stock: tuple[Card, ...] = ()
    waste: tuple[int, ...] = ()
    foundations: tuple[tuple[int, ...], ...] = ((),) * PILES
    turns: int = 0

    def cards(self) -> Iterator[Card]:
        """Give every card of the position once, unknown ones as None."""
        for pile in (*self.down, *self.up, self.stock, self.waste, *self.foundations):
            yield from pile

    def as_seen(self, rules: Rules | None = None) -> Position:
        """Give the position as a player sees it: what lies face down is unknown.

        The stock is known once the waste, in which all its cards lay, has been turned over.
        """

        def hide(cards: tuple[Card, ...]) -> tuple[None, ...]:
            return (None,) * len(cards)

        stock = self.stock if self.turns else hide(self.stock)
        return dataclasses.replace(self, down=tuple(map(hide, self.down)), stock=stock)


def deal(deck: Sequence[int]) -> Position:
    """Deal a whole deck by rows, the first card of each row face up.

    Parameters
    ----------
    deck : sequence of 48 ints
        The cards in dealing order: 21 to the tableau row by row, 27 to the stock.

    Returns
    -------
    Position

    Examples
    --------
    >>> deal(range(48)).up
    ((0,), (6,), (11,), (15,), (18,), (20,))
    """
    columns: list[list[int]] = [[] for _ in range(COLUMNS)]
    cards = iter(deck)
    for row in range(COLUMNS):
        for column in range(row, COLUMNS):
            columns[column].append(next(cards))
    return Position(
        down=tuple(tuple(column[:-1]) for column in columns),
        up=tuple(tuple(column[-1:]) for column in columns),
        stock=tuple(cards),
    )


def deck_of(seed: int) -> list[int]:
    """Give the deck that a seed stands for, the same everywhere and for ever."""
    return shuffle(list(range(DECK_SIZE)), uniform_stream(seed))


def deal_seed(seed: int, rules: Rules | None = None) -> Position:
    """Deal the deck that a seed stands for; it is the same under all rules of this game."""
    return deal(deck_of(seed))
