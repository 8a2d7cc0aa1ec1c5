"""Between plain piles and packed beliefs: the book of the rules, packing, calling the kernel.

See `hanasolve.treasures.kernel` for the layout of the book and of a packed belief.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from hanasolve.cards import DECK_SIZE
from hanasolve.document import UNKNOWN
from hanasolve.search.table import Array
from hanasolve.treasures import kernel as k
from hanasolve.treasures import move as m
from hanasolve.treasures.chances import chances
from hanasolve.treasures.move import Move
from hanasolve.treasures.position import Card, Phase, Position
from hanasolve.treasures.rules import BANNERS, BLUE_BANNERS, CARDS, KINDS, Rules

Words = tuple[int, ...]

_PHASES: Final[dict[Phase, int]] = {"start": k.START, "act": k.ACT, "acted": k.ACTED}
_REDRAWS: Final = {"once_if_treasure": 1, "always": 2, "never": 0}
_MARKS: Final = (UNKNOWN, *(f"{UNKNOWN}{letter}" for letter in "abc"))
"""How a place of each class is written."""
_KINDS: Final = {
    m.RED_DRAW: k.RED_DRAW,
    m.BLUE: k.BLUE,
    m.DISPEL: k.DISPEL,
    m.AVOID: k.AVOID,
    m.KILL: k.KILL,
    m.WANDER: k.WANDER,
    m.STARVE: k.STARVE,
    m.END: k.END,
    m.KEEP: k.KEEP,
    m.PRESENT: k.PRESENT,
    m.PAY_BLUE: k.PAY_BLUE,
    m.PAY_DECK: k.PAY_DECK,
    m.TAKE: k.TAKE,
    m.DRAW: k.UNCOVER,
    m.TRIAL: k.UNCOVER,
    m.PICK: k.UNCOVER,
}
_VERBS: Final = {kind: verb for verb, kind in _KINDS.items() if kind != k.UNCOVER}
_UNCOVERS: Final = {
    **dict.fromkeys((k.START, k.DISCARDING, k.RED_FIRST, k.RED_SECOND), m.DRAW),
    **dict.fromkeys((k.LOOKING, k.COVERING), m.TRIAL),
    k.PICKING: m.PICK,
}
"""What chance does in each of its phases."""
_SHIFTS: Final = (4, 10, 16, 22)

PHASES: Final = {
    k.START: "start",
    k.DISCARDING: "discard",
    k.RED_FIRST: "red draw",
    k.RED_SECOND: "red draw",
    k.LOOKING: "look",
    k.PICKING: "pick",
    k.COVERING: "cover",
    k.ACT: "act",
    k.ACTED: "acted",
    k.CHOOSING: "choose",
    k.TAKING: "take",
    k.PENALTY: "penalty",
    k.WON: "won",
    k.LOST: "lost",
}
"""What is due, by the kernel's phases. Chance: a start draw, a card that the penalty discards, a
card of a red draw, a card of the trial to look at, the pick of a blind kill, a card of a covered
trial. Then decisions, and the end. (A start draw at the end of a turn is an ``"end draw"``.)"""


def as_set(cards: Iterable[int]) -> int:
    """Give cards as a set of bits."""
    return sum(1 << card for card in cards)


def cards_of(bits: int) -> tuple[int, ...]:
    """Give the cards of a set of bits, in id order."""
    return tuple(card for card in range(DECK_SIZE) if bits >> card & 1)


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
    words[k.META] = (
        _PHASES[position.phase]
        | position.present[-1] << k.TOP_SHIFT
        | len(position.victory) << k.WON_SHIFT
    )
    barred = {mark: as_set(cards) for mark, cards in position.barred}
    return _laid(words, position.trial, position.deck, barred)


def enter(position: Position, rules: Rules) -> Words:
    """Pack a position; one in which what is due cannot be had is lost."""
    line = np.array([pack(position)], np.int64)
    k.begin(switches(rules), line)
    return tuple(line[0].tolist())


def tidy(words: Words) -> Words:
    """Give the same belief with its restrictions written in the one way that `pack` has."""
    if not any(words[k.NOT : k.NOT + k.CLASSES]):
        return words
    return _laid(list(words), trial(words), deck(words), _barred(words))


def with_deck(words: Words, order: Sequence[int]) -> Words:
    """Give the same belief with each card of the deck known; they are taken to be right."""
    known = list(words)
    known[k.POOL] &= ~as_set(order)
    return _laid(known, trial(words), order, _barred(words))


def _laid(
    words: list[int], trial: Sequence[Card], deck: Sequence[Card], barred: Mapping[str, int]
) -> Words:
    """Write the places of trial and deck, and which unknown cards are barred from them.

    The restrictions are written in one way: no two alike, those that bar nothing left out.
    """
    pool, places = words[k.POOL], (*trial, *deck)
    words[k.KNOWN] = as_set(card for card in places if isinstance(card, int))
    sets = {card: barred.get(card, 0) & pool for card in places if not isinstance(card, int)}
    classes = sorted({0, *sets.values()}, key=int.bit_count)
    words[k.NOT : k.NOT + k.CLASSES] = (classes[1:] + [0] * k.CLASSES)[: k.CLASSES]
    for at, size, pile in ((k.TRIAL, k.TRIAL_WORDS, trial), (k.DECK, k.DECK_WORDS, deck)):
        words[at : at + size] = [0] * size
        for n, card in enumerate(pile):
            code = card if isinstance(card, int) else k.UNKNOWN + classes.index(sets[card])
            words[at + n // k.A_WORD] |= code << 6 * (n % k.A_WORD)
    words[k.META] &= ~(k.TRIAL_COUNT | k.DECK_COUNT)
    words[k.META] |= len(trial) << k.TRIAL_SHIFT | len(deck) << k.DECK_SHIFT
    return tuple(words)


def phase(words: Words) -> str:
    """Give what is due, or how the game ended."""
    if words[k.META] & k.PHASE == k.START and words[k.META] & k.AT_END:
        return "end draw"
    return PHASES[words[k.META] & k.PHASE]


def hand(words: Words) -> tuple[int, ...]:
    """Give the hand, in id order."""
    return cards_of(words[k.HAND])


def unknown(words: Words) -> tuple[int, ...]:
    """Give the cards whose places are unknown, in id order."""
    return cards_of(words[k.POOL])


def in_play(words: Words) -> tuple[int, ...]:
    """Give the cards that are neither under the present nor won, in id order."""
    sets = (words[at] for at in (k.HAND, k.POOL, k.DISCARD, k.SEEN, k.KNOWN))
    return cards_of(functools.reduce(operator.or_, sets))


def present(words: Words) -> int:
    """Give the present."""
    return (words[k.META] & k.TOP) >> k.TOP_SHIFT


def won(words: Words) -> int:
    """Give the number of treasures won."""
    return words[k.META] >> k.WON_SHIFT & 3


def trial(words: Words) -> tuple[Card, ...]:
    """Give the trial, in the order of drawing."""
    return _places(words, k.TRIAL, (words[k.META] & k.TRIAL_COUNT) >> k.TRIAL_SHIFT)


def deck(words: Words) -> tuple[Card, ...]:
    """Give the deck, top first."""
    return _places(words, k.DECK, (words[k.META] & k.DECK_COUNT) >> k.DECK_SHIFT)


def _places(words: Words, at: int, count: int) -> tuple[Card, ...]:
    codes = [words[at + n // k.A_WORD] >> 6 * (n % k.A_WORD) & 63 for n in range(count)]
    return tuple(code if code < k.UNKNOWN else _MARKS[code - k.UNKNOWN] for code in codes)


def _barred(words: Words) -> dict[str, int]:
    return dict(zip(_MARKS[1:], words[k.NOT : k.NOT + k.CLASSES], strict=True))


def unpack(words: Words, present: tuple[int, ...], victory: tuple[int, ...]) -> Position | None:
    """Give a packed belief as plain piles; None where it is one that no `Position` can be.

    The present pile and the victory pile are told besides: the kernel knows the present and the
    number of treasures won.
    """
    name = phase(words)
    if name not in _PHASES or words[k.META] & (k.FORGIVEN | k.VAGUE):
        return None
    trial_, deck_ = trial(words), deck(words)
    used = {card for card in (*trial_, *deck_) if isinstance(card, str)}
    return Position(
        phase=name,
        hand=hand(words),
        present=present,
        trial=trial_,
        deck=deck_,
        unknown=unknown(words),
        discard=cards_of(words[k.DISCARD]),
        victory=victory,
        barred=tuple(
            (mark, cards_of(cards)) for mark, cards in _barred(words).items() if mark in used
        ),
    )


def encode_move(move: Move) -> int:
    """Pack a move as the kernel reads it."""
    packed = _KINDS[move.verb]
    for shift, card in zip(_SHIFTS, (*move.cards, *[k.NO_CARD] * len(_SHIFTS)), strict=False):
        packed |= card << shift
    return packed


def decode_decision(packed: int) -> Move:
    """Give the decision that the kernel packed."""
    cards = (packed >> shift & 63 for shift in _SHIFTS)
    return Move(_VERBS[packed & 15], tuple(card for card in cards if card != k.NO_CARD))


def decisions(rules: Rules, words: Words) -> tuple[Move, ...]:
    """Give the decisions that are open to the player."""
    out = np.empty(k.MOST_STEPS, np.int64)
    count = k.legal(switches(rules), _line(words), out)
    return tuple(map(decode_decision, out[:count].tolist()))


def outcomes(words: Words) -> tuple[tuple[Move, Fraction], ...]:
    """Give what chance may do, with the probabilities; nothing when it is not to move."""
    verb = _UNCOVERS.get(words[k.META] & k.PHASE)
    if verb is None:
        return ()
    out, weights = np.empty(DECK_SIZE, np.int64), np.empty(DECK_SIZE)
    count = k.chances(_line(words), out, weights)
    cards = [step >> _SHIFTS[0] & 63 for step in out[:count].tolist()]
    trial_, deck_ = trial(words), deck(words)
    source = {m.PICK: trial_, m.TRIAL: trial_[:1], m.DRAW: deck_[:1]}[verb]
    barred = {UNKNOWN: 0, **_barred(words)}
    exact = chances(cards, source, trial_ + deck_, words[k.POOL], barred)
    return tuple(zip((Move(verb, (card,)) for card in cards), exact, strict=True))


def apply(rules: Rules, words: Words, move: Move) -> Words:
    """Give the packed belief after a move that is legal."""
    line = _line(words)
    k.apply(switches(rules), line, encode_move(move))
    return tidy(tuple(line[0].tolist()))


def perft(rules: Rules, words: Words, depth: int) -> int:
    """Count the sequences of so many steps."""
    rows = np.zeros((depth + 1, k.WORDS), np.int64)
    rows[0] = words
    out = np.empty((depth + 1) * k.MOST_STEPS, np.int64)
    return int(k.perft(switches(rules), rows, out, np.zeros(2 * depth + 2, np.int64), depth))


def _line(words: Words) -> Array:
    """Give packed words as the kernel takes them; every call its own, so threads cannot meet."""
    return np.array([words], np.int64)
