"""Between plain piles and packed words: the book of a game, packing, unpacking, calling the kernel.

See `hanasolve.solitaire2.kernel` for the layout of the book and of a packed position.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from hanasolve.cards import DECK_SIZE
from hanasolve.search.table import Array
from hanasolve.solitaire2 import kernel as k
from hanasolve.solitaire2.move import COLUMN_UP, FIRST_PILE, WASTE_UP
from hanasolve.solitaire2.position import COLUMNS, PILES, Position
from hanasolve.solitaire2.rules import Rules

Words = tuple[int, ...]

_ORDERS: Final = {"none": k.NO_ORDER, "completion": k.COMPLETION, "sequential": k.SEQUENTIAL}


@functools.cache
def labels(rules: Rules) -> tuple[int, ...]:
    """For each card, its label in the kernel: ``(month - 1) * 4 + pile``."""
    return tuple(card // 4 * 4 + rules.pile_of(card) for card in range(DECK_SIZE))


@functools.cache
def _cards(rules: Rules) -> tuple[int, ...]:
    """For each label, its card."""
    return tuple(labels(rules).index(label) for label in range(DECK_SIZE))


@functools.cache
def _switches(rules: Rules) -> tuple[int, ...]:
    """Give the part of the book that the rules alone decide."""
    cards = _cards(rules)

    def as_set(belongs: list[bool]) -> int:
        return sum(1 << label for label, yes in enumerate(belongs) if yes)

    book = [0] * k.STOCK_SIZE
    book[k.DRAW] = rules.draw_count
    book[k.MULTIPLES] = sum(1 << p for p in range(0, DECK_SIZE + 1, rules.draw_count))
    book[k.TURNS] = rules.max_passes - 1 if rules.max_passes else k.UNLIMITED
    book[k.WHOLE] = rules.run_moves == "whole"
    by_class = rules.foundation_suits == "by_class"
    book[k.ORDER] = _ORDERS[rules.foundation_order] if by_class else k.NO_ORDER
    book[k.NAMED] = rules.nonpoint_piles == "interchangeable" or rules.foundation_return
    book[k.RETURNS] = rules.foundation_return
    book[k.STARTERS] = as_set([rules.starts_column(card) for card in cards])
    for pile in range(PILES):
        book[k.TAKES + pile] = as_set([rules.takes(pile, card) for card in cards])
    for label, onto in enumerate(cards):
        book[k.CHILDREN + label] = as_set([rules.fits(card, onto) for card in cards])
    return tuple(map(int, book))


class Book:
    """What a game keeps from its first position to its last, and the kernel's calls upon it."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.array = np.zeros(k.SEARCH, np.int64)
        self.array[: k.STOCK_SIZE] = _switches(rules)
        label = labels(rules)
        drawing = [label[card] for card in (*position.waste, *position.stock) if card is not None]
        self.array[k.STOCK_SIZE] = len(drawing)
        self.array[k.STOCK_CARDS : k.STOCK_CARDS + len(drawing)] = drawing
        for column in range(COLUMNS):
            start = k.COLUMN_CARDS + k.COUNT * column
            cards = (*position.down[column], *position.up[column][:1])
            self.array[start : start + len(cards)] = [label[c] for c in cards if c is not None]

    def pack(self, position: Position) -> Words:
        """Pack the position that the book was made from."""
        label = labels(self.rules)

        def as_set(cards: tuple[int, ...]) -> int:
            return sum(1 << label[card] for card in cards)

        columns = zip(position.down, position.up, strict=True)
        return (
            *(len(down) << k.COUNT | as_set(up) for down, up in columns),
            *map(as_set, position.foundations),
            (1 << len(position.waste) + len(position.stock)) - 1,
            len(position.waste) | position.turns << 6,
        )

    def unpack(self, words: Words) -> Position:
        """Give a packed position as plain piles."""
        card = _cards(self.rules)

        def months_up(cards: int) -> tuple[int, ...]:
            return tuple(card[label] for label in range(DECK_SIZE) if cards >> label & 1)

        def down(column: int, count: int) -> tuple[int, ...]:
            start = k.COLUMN_CARDS + k.COUNT * column
            return tuple(card[label] for label in self.array[start : start + count])

        places = [place for place in range(DECK_SIZE) if words[k.STOCK] >> place & 1]
        drawing = tuple(card[self.array[k.STOCK_CARDS + place]] for place in places)
        waste = words[k.CLOCK] & 63
        columns = words[k.COLUMN : k.COLUMN + COLUMNS]
        return Position(
            down=tuple(down(column, word >> k.COUNT) for column, word in enumerate(columns)),
            up=tuple(months_up(word & k.CARDS)[::-1] for word in columns),
            stock=drawing[waste:],
            waste=drawing[:waste],
            foundations=tuple(map(months_up, words[k.PILE : k.PILE + PILES])),
            turns=words[k.CLOCK] >> 6,
        )

    def legal_moves(self, words: Words) -> list[int]:
        """Packed legal moves."""
        out = np.empty(k.MOST_MOVES, np.int64)
        moves: list[int] = out[: k.legal_moves(self.array, _line(words), out)].tolist()
        return moves

    def takes_named(self, words: Words, move: int) -> bool:
        """Whether a move brings a card up to a pile that is named and takes it."""
        kind, source, pile = move & 15, move >> 4 & 15, move >> 8 & 15
        if kind not in (WASTE_UP, COLUMN_UP) or pile == FIRST_PILE:
            return False
        accepted = int(k.takes(self.array, _line(words), pile))
        if kind == COLUMN_UP:
            cards = words[k.COLUMN + source] & k.CARDS
            return bool(cards & -cards & accepted)
        waste = words[k.CLOCK] & 63
        places = [place for place in range(DECK_SIZE) if words[k.STOCK] >> place & 1]
        return waste > 0 and bool(
            accepted >> int(self.array[k.STOCK_CARDS + places[waste - 1]]) & 1
        )

    def apply(self, words: Words, move: int) -> Words:
        """Packed position after a legal packed move."""
        line = _line(words)
        k.apply(self.array, line, move)
        return tuple(line[0].tolist())

    def perft(self, words: Words, depth: int) -> int:
        """Count the sequences of exactly ``depth`` legal moves."""
        return int(k.perft(self.array, _line(words), depth))


def _line(words: Words) -> Array:
    """Give packed words as the kernel takes them; every call its own, so threads cannot meet."""
    return np.array([words], np.int64)


def pack(position: Position, rules: Rules) -> tuple[Book, Words]:
    """Make the book of a game that starts from a position, and pack the position."""
    book = Book(rules, position)
    return book, book.pack(position)
