"""A position written down as the searches read it: the rest of the book, and the key formats."""

from __future__ import annotations

import numpy as np

from hanasolve.search.keys import lay_out
from hanasolve.search.table import Array
from hanasolve.solitaire2 import arranged, quotient
from hanasolve.solitaire2 import dominance as dom
from hanasolve.solitaire2 import kernel as k
from hanasolve.solitaire2.position import COLUMNS
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State


class Question:
    """A position and what the searches need to know about it.

    Parameters
    ----------
    state : State
    dominance : bool
        Whether harmless moves are forced.
    ask : bool
        Whether a search over arranged positions asks the quotient, where that is a relaxation.
    merge : bool
        Whether the quotient is searched itself, where it is exact.

    Attributes
    ----------
    book, position : arrays
        As the kernels take them.
    in_quotient : bool
        Whether the quotient decides.
    quotient_words, arranged_words : int
        Words of the keys.
    """

    def __init__(self, state: State, *, dominance: bool, ask: bool, merge: bool) -> None:
        rules = state.rules
        own_book, words = state.packed
        self.book: Array = np.zeros(arranged.SIZE, np.int64)
        self.book[: k.SEARCH] = own_book
        self.position: Array = np.array([words], np.int64)
        forgets = (
            rules.tableau_step == "consecutive"
            and rules.empty_column != "any"
            and not rules.foundation_return
        )
        self.in_quotient = forgets and merge and rules.run_moves == "any_suffix"
        self.book[dom.SAFETY] = _safety(rules) if dominance else dom.OFF
        self.book[arranged.ASK] = forgets and ask
        self.quotient_words = self._write_quotient(rules)
        self.arranged_words = 0 if self.in_quotient else self._write_arranged(rules)

    def _stock_widths(self, rules: Rules) -> list[int]:
        """Bits that places, waste and turns left need in a key."""
        size = int(self.book[k.STOCK_SIZE])
        bits = size.bit_length()
        waste = bits if rules.draw_count > 1 or rules.max_passes else 0
        return [size, waste, bits if rules.max_passes else 0]

    def _write_format(self, at: int, widths: list[int]) -> int:
        """Lay the fields of a key out, write their places into the book, and give its words."""
        words, places = lay_out(widths)
        self.book[at : at + 2 * len(places)] = np.array(places).ravel()
        return words

    def _own_cards(self, column: int) -> list[int]:
        """Give the face-down cards of a column and the head over them, as labels."""
        word = int(self.position[0, k.COLUMN + column])
        start = k.COLUMN_CARDS + k.COUNT * column
        own: list[int] = self.book[start : start + (word >> k.COUNT) + (word != 0)].tolist()
        return own

    def _write_quotient(self, rules: Rules) -> int:
        book = self.book
        book[quotient.ALTERNATE] = rules.alternate
        book[quotient.ALIKE] = rules.foundation_suits == "any"
        shift = 0
        for column in range(COLUMNS):
            own = self._own_cards(column)
            for card in own:
                book[quotient.COLUMN_OF + card] = column
            book[quotient.OWN_SHIFT + column] = shift
            book[quotient.OWN_MASK + column] = (1 << len(own).bit_length()) - 1
            shift += len(own).bit_length()
        book[quotient.HEIGHTS_SHIFT] = shift
        kinds_differ = book[quotient.ALIKE] and rules.alternate
        widths = [*self._stock_widths(rules), shift + 16, k.COUNT if kinds_differ else 0]
        return self._write_format(quotient.FORMAT, widths)

    def _write_arranged(self, rules: Rules) -> int:
        book = self.book
        by_class = rules.foundation_suits == "by_class"
        merged = rules.nonpoint_piles == "interchangeable"
        book[arranged.MONTHS] = rules.tableau_step == "any_earlier"
        book[arranged.HALVES] = by_class
        book[arranged.KINDS] = by_class and not rules.alternate
        book[arranged.MERGED] = k.NIBBLES << 3 if merged else 0
        book[arranged.RETURNED] = rules.foundation_return and rules.alternate and not by_class
        book[arranged.HEAD_BITS] = self._number_heads(rules).bit_length()
        column = int(book[arranged.HEAD_BITS]) + (12 if book[arranged.MONTHS] else 4)
        column += 11 * int(book[arranged.HALVES] + book[arranged.KINDS])
        widths = self._stock_widths(rules) + [column] * COLUMNS
        widths.append(16 if book[k.NAMED] else 0)
        widths.append(k.COUNT if book[arranged.RETURNED] else 0)
        return self._write_format(arranged.FORMAT, widths)

    def _number_heads(self, rules: Rules) -> int:
        """Number what a column's head is and lies on; alike gets the same number. Gives the last.

        Zero is left for the empty column.
        """
        numbers: dict[tuple[int, ...], int] = {}

        def number(cards: list[int]) -> int:
            alike = tuple(_reduced(card, rules) for card in cards)
            return numbers.setdefault(alike, len(numbers) + 1)

        starters = int(self.book[k.STARTERS])
        for card in range(k.COUNT):
            if starters >> card & 1:
                self.book[arranged.HEAD_CODE + card] = number([card])
        for column in range(COLUMNS):
            own = self._own_cards(column)
            for down in range(len(own)):
                code = number(own[: down + 1])
                if down == 0:
                    self.book[arranged.HEAD_CODE + own[0]] = code
                else:
                    self.book[arranged.SEQUENCE_CODE + k.COUNT * column + down] = code
        return len(numbers)


def _reduced(card: int, rules: Rules) -> int:
    """Give the least card that no rule tells apart from this one."""
    month, pile = card & ~3, card & 3
    if rules.foundation_suits == "any":
        return month + (pile & 2 if rules.alternate else 0)
    return month + (min(pile, 2) if rules.nonpoint_piles == "interchangeable" else pile)


def _safety(rules: Rules) -> int:
    """Choose the rule for safe foundation moves; see `dominance.safe`."""
    if rules.foundation_return or rules.foundation_order == "sequential":
        return dom.OFF
    if rules.foundation_suits == "any" or rules.nonpoint_piles == "interchangeable":
        return dom.STRICT
    return dom.LOOSE_ALTERNATING if rules.alternate else dom.LOOSE
