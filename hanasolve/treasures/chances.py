"""Exact probabilities of what chance may do, by counting the ways to fill the unknown places.

The kernel has the same as floats, for the searches.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from hanasolve.treasures.position import Card, Unknown


def fillings(pool: int, places: Mapping[Unknown, int], barred: Mapping[Unknown, int]) -> int:
    """Count the ways to fill unknown places.

    Parameters
    ----------
    pool : int
        The set of the unknown cards, as many as there are places.
    places : mapping
        For each kind of place how many there are.
    barred : mapping
        For each kind the set of cards that are in none of them. Of two such sets one contains the
        other, so the kinds can be filled one after another, the most restricted first, each with
        what it does not bar and what those before have left.
    """
    ways, used = 1, 0
    for kind in sorted(places, key=lambda kind: barred[kind].bit_count(), reverse=True):
        free = (pool & ~barred[kind]).bit_count() - used
        if free < places[kind]:
            return 0
        ways *= math.perm(free, places[kind])
        used += places[kind]
    return ways


def chances(
    cards: Sequence[int],
    source: Sequence[Card],
    hidden: Sequence[Card],
    pool: int,
    barred: Mapping[Unknown, int],
) -> list[Fraction]:
    """Give for each of some cards the probability that a place holds it.

    Parameters
    ----------
    cards : sequence of int
    source : sequence
        The place; of several, one is picked, each with the same chance.
    hidden : sequence
        All places of trial and deck; ids, or texts for unknown places.
    pool, barred
        As in `fillings`.
    """
    places = Counter(place for place in hidden if isinstance(place, Unknown))
    ways = fillings(pool, places, barred)

    def ways_with(card: int, place: Card) -> int:
        """Count the ways in which a place holds a card."""
        if not isinstance(place, Unknown):
            return ways if place == card else 0
        if not (pool & ~barred[place]) >> card & 1:
            return 0
        return fillings(pool ^ 1 << card, {**places, place: places[place] - 1}, barred)

    return [
        Fraction(sum(ways_with(card, place) for place in source), ways * len(source))
        for card in cards
    ]
