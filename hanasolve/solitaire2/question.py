"""A position written down as the searches read it: the rest of the book, and the key formats."""

from __future__ import annotations

from collections import Counter

import numpy as np

from hanasolve.cards import MONTHS
from hanasolve.search.ida_star import VALUE_BITS
from hanasolve.search.keys import lay_out
from hanasolve.search.table import STATUS_BITS, Array
from hanasolve.solitaire2 import arranged, bounds, quotient
from hanasolve.solitaire2 import dominance as dom
from hanasolve.solitaire2 import kernel as k
from hanasolve.solitaire2.position import COLUMNS, PILES
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
    costs : bool, optional
        Whether the number of moves counts; the quotient is then only asked.

    Attributes
    ----------
    book, position : arrays
        As the kernels take them.
    in_quotient : bool
        Whether the quotient decides.
    quotient_words, arranged_words : int
        Words of the keys.
    """

    def __init__(
        self, state: State, *, dominance: bool, ask: bool, merge: bool, costs: bool = False
    ) -> None:
        rules = state.rules
        own_book, words = state.packed
        self.book: Array = np.zeros(bounds.AFTER, np.int64)
        self.book[: k.SEARCH] = own_book
        self.position: Array = np.array([words], np.int64)
        forgets = (
            rules.tableau_step == "consecutive"
            and rules.empty_column != "any"
            and not rules.foundation_return
        )
        parts_move = rules.run_moves == "any_suffix"
        self.in_quotient = forgets and merge and parts_move and not costs
        self.book[dom.SAFETY] = _safety(rules) if dominance else dom.OFF
        self.book[arranged.ASK] = forgets and ask
        self.book[arranged.COSTS] = costs
        self.book[bounds.DRAW_COST] = 1
        self.book[bounds.PARTS_FREE] = forgets and parts_move and dominance
        self.quotient_words = self._write_quotient(rules)
        self.arranged_words = 0 if self.in_quotient else self._write_arranged(rules)
        if costs:
            self._write_blocked(rules)

    def _stock_widths(self, rules: Rules) -> list[int]:
        """Bits that places, waste and turns left need in a key."""
        size = int(self.book[k.STOCK_SIZE])
        bits = size.bit_length()
        waste = bits if rules.draw_count > 1 or rules.max_passes or self.book[arranged.COSTS] else 0
        return [size, waste, bits if rules.max_passes else 0]

    def _write_format(self, at: int, widths: list[int], value_bits: int = STATUS_BITS) -> int:
        """Lay the fields of a key out, write their places into the book, and give its words."""
        words, places = lay_out(widths, value_bits)
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
        value_bits = VALUE_BITS if book[arranged.COSTS] else STATUS_BITS
        return self._write_format(arranged.FORMAT, widths, value_bits)

    def _write_blocked(self, rules: Rules) -> None:
        """Write which cards must leave the face-down cards below them; see `bounds.run_moves`."""
        for column in range(COLUMNS):
            own = self._own_cards(column)
            for up in range(PILES):
                heads = 0
                for down in range(1, len(own)):
                    blocked = [c for c in range(k.COUNT) if _waits(rules, c, own[:down], up)]
                    stuck = sum(1 << card for card in blocked)
                    at = bounds.place(up, column, down)
                    self.book[at : at + 2] = stuck, heads
                    heads |= stuck & 1 << own[down]

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


def _waits(rules: Rules, card: int, below: list[int], up: int) -> bool:
    """Whether a card (all are labels) cannot go up before each one that lies below it.

    ``up`` is how many cards of its month are up already.
    """
    if rules.foundation_suits == "any":
        # It will be at least the next one of its month, and each of them needs one of every month
        # before. With returns those that are up may come back and make room.
        need = 1 if rules.foundation_return else up + 1
        lower = Counter(other // 4 for other in below if other // 4 < card // 4)
        return max(lower.values(), default=0) > PILES - need
    month, pile = divmod(card, 4)
    order = rules.foundation_order
    piles_wait = order == "sequential" or (order == "completion" and month == MONTHS - 1)
    exchange = rules.nonpoint_piles == "interchangeable" and pile >= 2
    for other in below:
        if piles_wait and other % 4 < min(pile, 2 if exchange else pile):
            return True
        if other % 4 == pile and other // 4 < month and not exchange:
            return True
    return False


def _safety(rules: Rules) -> int:
    """Choose the rule for safe foundation moves; see `dominance.safe`."""
    if rules.foundation_return or rules.foundation_order == "sequential":
        return dom.OFF
    if rules.foundation_suits == "any" or rules.nonpoint_piles == "interchangeable":
        return dom.STRICT
    return dom.LOOSE_ALTERNATING if rules.alternate else dom.LOOSE
