"""A position of Three Treasures as plain piles of cards: what a file holds and a person sees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Final, Literal

from hanasolve.cards import shuffle, uniform_stream
from hanasolve.document import UNKNOWN
from hanasolve.treasures.rules import BANNERS, CARDS, LIGHTNING, MOON, TREASURES, Rules

HAND: Final = 4
"""Cards dealt to the hand."""

Unknown = str
"""An unknown place as files write it: ``"?"``, or ``"?a"``, ``"?b"``, … with a restriction."""
Card = int | Unknown
Phase = Literal["start", "act", "acted"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Position:
    """What the player knows of where each card lies; every pile of cards is a tuple.

    Attributes
    ----------
    phase : {"start", "act", "acted"}
        The start draw is due; or the first action of the turn; or a red draw was made.
    hand : tuple of int
        In id order.
    present : tuple of int
        The present pile, bottom to top.
    trial : tuple
        In the order of drawing; ids, or texts for unknown places.
    deck : tuple
        Top to bottom, likewise.
    unknown : tuple of int
        What the unknown places hold, in id order.
    discard, victory : tuple of int
        In id order.
    barred : tuple of (str, tuple of int)
        For each marked kind of unknown place the cards that are in none of them.
    """

    phase: Phase = "start"
    hand: tuple[int, ...] = ()
    present: tuple[int, ...] = ()
    trial: tuple[Card, ...] = ()
    deck: tuple[Card, ...] = ()
    unknown: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    victory: tuple[int, ...] = ()
    barred: tuple[tuple[Unknown, tuple[int, ...]], ...] = ()

    @property
    def is_hidden(self) -> bool:
        """Whether there are cards whose identity is unknown."""
        return bool(self.unknown)

    def as_seen(self, rules: Rules) -> Position:
        """Give a game with all cards known as its player sees it.

        Trial and deck are unknown, but for the moon at the bottom of the deck, where the set-up
        puts it, and the lightning under it, where a penalty does; with ``stays_bottom`` for the
        moon wherever it lies, since it is never mixed with others. What else has been seen of the
        deck, the piles do not tell. A position with unknown cards is what its player sees already.
        """
        if self.is_hidden:
            return self
        seen = {MOON} if rules.reshuffle_moon == "stays_bottom" else set()
        for bottom in ((MOON,), (MOON, LIGHTNING)):
            if self.deck[-len(bottom) :] == bottom:
                seen.update(bottom)

        def hide(pile: tuple[Card, ...]) -> tuple[Card, ...]:
            return tuple(card if card in seen else UNKNOWN for card in pile)

        cards = {card for card in (*self.trial, *self.deck) if isinstance(card, int)} - seen
        return dataclasses.replace(
            self, trial=hide(self.trial), deck=hide(self.deck), unknown=tuple(sorted(cards))
        )


def deal_seed(seed: int, rules: Rules | None = None) -> Position:
    """Deal the game that a seed stands for, all cards known; the start draw is due."""
    return deal(uniform_stream(seed), rules or Rules())


def deal(uniform: Callable[[], float], rules: Rules) -> Position:
    """Deal from a stream of numbers in [0, 1): the hand, the present and the deck."""
    cards = shuffle(sorted(CARDS - TREASURES - {MOON}), uniform)
    aside: list[int] = []
    hand: list[int] = []
    while len(hand) < HAND:
        card = cards.pop(0)
        away = rules.kind_of(card) == "animal" or card == LIGHTNING
        (aside if away else hand).append(card)
    while cards[0] in BANNERS or cards[0] == LIGHTNING:
        aside.append(cards.pop(0))
    present = cards.pop(0)
    deck = shuffle(cards + aside + sorted(TREASURES), uniform)
    return Position(hand=tuple(sorted(hand)), present=(present,), deck=(*deck, MOON))
