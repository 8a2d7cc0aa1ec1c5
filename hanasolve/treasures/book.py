"""Between plain piles and packed beliefs: the book of the rules, packing.

See `hanasolve.treasures.kernel` for the layout of the book and of a packed belief.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final

import numpy as np

from hanasolve.cards import DECK_SIZE
from hanasolve.search.table import Array
from hanasolve.treasures import kernel as k
from hanasolve.treasures.position import Phase, Position
from hanasolve.treasures.rules import BANNERS, BLUE_BANNERS, CARDS, KINDS, Rules

Words = tuple[int, ...]

_PHASES: Final[dict[Phase, int]] = {"start": k.START, "act": k.ACT, "acted": k.ACTED}
_REDRAWS: Final = {"once_if_treasure": 1, "always": 2, "never": 0}


def as_set(cards: Iterable[int]) -> int:
    """Give cards as a set of bits."""
    return sum(1 << card for card in cards)


@functools.cache
def switches(rules: Rules) -> Array:
    """Give the book of some rules, as the kernels take it."""
    book = np.zeros(k.AFTER, np.int64)
    kinds = [rules.kind_of(card) for card in range(DECK_SIZE)]

    def of_kind(kind: str) -> int:
        return as_set(card for card in CARDS if kinds[card] == kind)

    book[k.STAYS_BOTTOM] = rules.reshuffle_moon == "stays_bottom"
    book[k.REDRAW] = _REDRAWS[rules.end_redraw]
    book[k.LIGHTNING_REDRAW] = rules.lightning_redraw
    book[k.LOOK] = rules.kill_pick == "look"
    book[k.FROM_HAND] = rules.blue_source == "hand"
    book[k.MERGE] = rules.covered_trial == "merge"
    book[k.RED_TRIAL] = rules.red_animal_trial
    book[k.ENDING_ONLY] = rules.turn_end == "ending_action_only"
    book[k.AT_ONCE] = rules.zero_hand == "immediate"
    book[k.WIN_FIRST] = rules.win_check == "before_redraw"
    book[k.ANIMALS] = of_kind("animal")
    book[k.REDS] = of_kind("red banner")
    book[k.BANNERS] = as_set(BANNERS)
    book[k.BLUES] = as_set(BLUE_BANNERS)
    book[k.EMPTIES] = of_kind("empty")
    book[k.KIND : k.KIND + DECK_SIZE] = [KINDS.index(kind) for kind in kinds]
    return book


def pack(position: Position) -> Words:
    """Pack a position; its cards are taken to be right."""
    words = [0] * k.WORDS
    words[k.HAND] = as_set(position.hand)
    words[k.POOL] = as_set(position.unknown)
    words[k.DISCARD] = as_set(position.discard)
    words[k.KNOWN] = as_set(c for c in (*position.trial, *position.deck) if isinstance(c, int))
    # The classes, from the one that bars fewest cards.
    barred = sorted(position.barred, key=lambda item: len(item[1]))
    classes = {"?": 0}
    for number, (mark, cards) in enumerate(barred, 1):
        classes[mark] = number
        words[k.NOT + number - 1] = as_set(cards)
    for at, places in ((k.TRIAL, position.trial), (k.DECK, position.deck)):
        for n, card in enumerate(places):
            code = card if isinstance(card, int) else k.UNKNOWN + classes[card]
            words[at + n // k.A_WORD] |= code << 6 * (n % k.A_WORD)
    words[k.META] = (
        _PHASES[position.phase]
        | position.present[-1] << k.TOP_SHIFT
        | len(position.trial) << k.TRIAL_SHIFT
        | len(position.deck) << k.DECK_SHIFT
        | len(position.victory) << k.WON_SHIFT
    )
    return tuple(words)


def enter(position: Position, rules: Rules) -> Words:
    """Pack a position; one in which what is due cannot be had is lost."""
    line = np.array([pack(position)], np.int64)
    k.begin(switches(rules), line)
    return tuple(line[0].tolist())
