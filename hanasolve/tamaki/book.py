"""Between plain piles and packed positions: the book of a round, packing, calling the kernel.

See `hanasolve.tamaki.kernel` for the layout of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from hanasolve.cards import DECK_SIZE
from hanasolve.search.table import Array
from hanasolve.tamaki import kernel as k
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import Rules

Words = tuple[int, ...]

MOST_TURNS: Final = DECK_SIZE
"""No round has more: a turn uses up a card of a hand or of the mountain."""


def as_set(cards: Iterable[int]) -> int:
    """Give cards as a set of bits."""
    return sum(1 << card for card in cards)


def cards_of(bits: int) -> tuple[int, ...]:
    """Give the cards of a set, in id order."""
    return tuple(card for card in range(DECK_SIZE) if bits >> card & 1)


def write(position: Position, rules: Rules) -> Array:
    """Write the book of a round that begins with a position, all cards known."""
    book: Array = np.zeros(k.AFTER, np.int64)
    book[k.PLAYERS] = position.players
    book[k.PLAYS_OUT] = rules.two_player_rest == "play_out" and position.players == 2
    book[k.OPTIONAL] = rules.capture == "optional"
    book[k.SIZE] = len(position.mountain)
    for seat, hand in enumerate(position.hands):
        book[k.HAND + seat] = as_set(card for card in hand if card is not None)
    for place, card in enumerate(position.mountain):
        if card is not None:
            book[k.MOUNTAIN + place] = card
    return book


def enter(position: Position) -> Words:
    """Give the packed position at the beginning of its book."""
    held = as_set(card for hand in position.hands for card in hand if card is not None)
    words = [0] * k.WORDS
    words[k.HELD], words[k.TABLE], words[k.META] = held, as_set(position.table), position.turn
    return tuple(words)


def hands(book: Array, words: Words) -> tuple[tuple[int, ...], ...]:
    """Give the hand of each seat."""
    seats = range(int(book[k.PLAYERS]))
    return tuple(cards_of(words[k.HELD] & int(book[k.HAND + seat])) for seat in seats)


def table(words: Words) -> tuple[int, ...]:
    """Give the table."""
    return cards_of(words[k.TABLE])


def mountain(book: Array, words: Words) -> tuple[int, ...]:
    """Give what is left of the mountain, top first."""
    drawn = words[k.META] >> k.DRAWN_SHIFT
    left: list[int] = book[k.MOUNTAIN + drawn : k.MOUNTAIN + int(book[k.SIZE])].tolist()
    return tuple(left)


def turn(words: Words) -> int:
    """Give the seat to move."""
    return words[k.META] & k.SEAT


def moves(book: Array, words: Words) -> list[int]:
    """Give the packed moves of the seat to move."""
    out = np.empty(k.MOST_CHOICES, np.int64)
    count = k.legal(book, _line(words), out)
    packed: list[int] = out[:count].tolist()
    return packed


def apply(book: Array, words: Words, packed: int) -> Words:
    """Give the packed position after a move that is legal."""
    line = _line(words)
    k.apply(book, line, packed)
    return tuple(line[0].tolist())


def told(book: Array, words: Words, packed: int) -> Move:
    """Give a packed move of a position with all that it captures."""
    after = apply(book, words, packed)
    card, left = packed & 63, mountain(book, words)
    draw = left[0] if left else None
    play = None if card == k.NO_CARD else card
    by_play, by_draw = (
        tuple(other for other in cards_of(after[word]) if other != own)
        for word, own in ((k.BY_PLAY, play), (k.BY_DRAW, draw))
    )
    return Move(play, by_play, draw, by_draw)


def perft(book: Array, words: Words, depth: int) -> int:
    """Count the sequences of so many moves."""
    depth = min(depth, MOST_TURNS + 1)
    rows = np.zeros((depth + 1, k.WORDS), np.int64)
    rows[0] = words
    out = np.empty((depth + 1) * k.MOST_CHOICES, np.int64)
    return int(k.perft(book, rows, out, np.zeros(2 * depth + 2, np.int64), depth))


def _line(words: Words) -> Array:
    """Give packed words as the kernel takes them; every call its own, so threads cannot meet."""
    return np.array([words], np.int64)
