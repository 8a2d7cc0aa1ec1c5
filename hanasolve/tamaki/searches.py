"""The compiled searches of a round as plain objects, each with its working arrays.

All points are counted in units of 5 here, from the position on: what has been claimed before, and
what the yaku that are complete pay, is for others to add.
"""

from __future__ import annotations

import abc
from typing import Final

import numpy as np

from hanasolve.search import maxn as maxn_engine
from hanasolve.search import minimax as minimax_engine
from hanasolve.search.cache import Cache
from hanasolve.search.limits import LimitMetError, Limits, Meter
from hanasolve.search.table import Array
from hanasolve.tamaki import book as books
from hanasolve.tamaki import bounds as b
from hanasolve.tamaki import kernel as k
from hanasolve.tamaki import maxn, minimax
from hanasolve.tamaki import progress as p
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import PAYMENT, POINTS, UNIT, YAKU, Rules

SLOTS: Final = 1 << 14
"""Of a table to begin with: it fits the processor's cache."""

_ROWS: Final = books.MOST_TURNS + 2
_MOVES: Final = _ROWS * k.MOST_CHOICES


class Search(abc.ABC):
    """A search from a position at its root, which can be moved on and back.

    Parameters
    ----------
    position : Position
        All cards known.
    rules : Rules
    limits : Limits
    meter : Meter
    merges : bool, optional
        Whether moves that play the same part are merged.
    slots : int, optional
        Of the table to begin with, a power of two.
    """

    _WORDS: int
    _BOOK: int
    _ENTRY: int

    def __init__(
        self,
        position: Position,
        rules: Rules,
        limits: Limits,
        meter: Meter,
        *,
        merges: bool = True,
        slots: int = SLOTS,
    ) -> None:
        self._limits = limits
        self._meter = meter
        self._book: Array = np.zeros(self._BOOK, np.int64)
        self._stack: Array = np.zeros((_ROWS, self._WORDS), np.int64)
        self._moves: Array = np.empty(_MOVES, np.int64)
        self._control: Array = np.zeros(minimax_engine.CONTROL_SIZE, np.int64)
        self._cache = Cache(slots, self._ENTRY)
        _write(self._book, position, rules, merges=merges)
        _enter(self._stack, self._book, position, rules)

    @property
    def root(self) -> Array:
        """The row of the root, to be kept and set again."""
        row: Array = self._stack[0].copy()
        return row

    @root.setter
    def root(self, row: Array) -> None:
        self._stack[0] = row

    @property
    def turn(self) -> int:
        """The seat to move at the root."""
        return int(self._stack[0, k.META] & k.SEAT)

    def moves(self) -> list[int]:
        """Give the packed moves at the root, one of those that are merged."""
        packed: list[int] = self._moves[: self._expand()].tolist()
        return packed

    def _answer(self) -> int:
        """Let the search go on until it has its answer.

        Raises
        ------
        LimitMetError
        """
        control, meter = self._control, self._meter
        meter.begin()
        while True:
            allowed = meter.next_slice()
            if allowed == 0:
                raise LimitMetError(meter.exceeded())
            before = int(control[minimax_engine.NODES])
            until_grown = self._cache.grow(before, self._limits.memory)
            control[minimax_engine.PAUSE] = before + min(allowed, until_grown)
            reason = self._go_on()
            meter.account(int(control[minimax_engine.NODES]) - before)
            if reason == minimax_engine.ANSWERED:
                return int(control[minimax_engine.ANSWER])

    @abc.abstractmethod
    def follow(self, move: int) -> int:
        """Make a move at the root; gives what it gains, in units or as a vector."""

    @abc.abstractmethod
    def _expand(self) -> int:
        """Write the moves at the root; gives their number."""

    @abc.abstractmethod
    def _go_on(self) -> int:
        """Search on until the next pause; gives the engine's reason."""


class TwoSides(Search):
    """A seat against all the others; see `hanasolve.tamaki.minimax`.

    Parameters
    ----------
    position, rules, limits, meter, merges, slots
        As in `Search`.
    seat : int
        The seat that is asked for.
    is_margin : bool
        Whether what the others gain counts against it.
    """

    _WORDS = minimax.WORDS
    _BOOK = b.SIZE
    _ENTRY = minimax_engine.ENTRY

    def __init__(
        self,
        position: Position,
        rules: Rules,
        limits: Limits,
        meter: Meter,
        *,
        seat: int,
        is_margin: bool,
        merges: bool = True,
        slots: int = SLOTS,
    ) -> None:
        super().__init__(position, rules, limits, meter, merges=merges, slots=slots)
        payment = PAYMENT // UNIT
        self._book[b.FIRST] = seat
        self._book[b.OTHERS_COUNT] = is_margin
        self._book[b.COSTS] = payment * (1 + is_margin)
        self._book[b.PAYS] = payment * (position.players - 1 + is_margin)
        self._scores: Array = np.empty(_MOVES, np.int64)
        self.sure = int(minimax.enter(self._book, self._stack))
        """What the dull months of the first root gain."""

    @property
    def bounds(self) -> tuple[int, int]:
        """What the root is worth at least and at most, as far as its months tell."""
        row = self._stack[0]
        return int(row[minimax_engine.FLOOR]), int(row[minimax_engine.CEILING])

    def test(self, at_least: int) -> int:
        """Ask whether the root is worth so much; gives a bound of its value.

        A lower one if it is no less than what was asked, else an upper one.

        Raises
        ------
        LimitMetError
        """
        minimax.begin(self._stack, self._control, at_least)
        return self._answer()

    def follow(self, move: int) -> int:
        """Make a move at the root; gives what it gains."""
        return int(minimax.follow(self._book, self._stack, move))

    def _expand(self) -> int:
        return int(minimax.moves(self._book, self._stack, self._moves))

    def _go_on(self) -> int:
        return int(
            minimax.search(
                self._book,
                self._stack,
                self._moves,
                self._scores,
                self._cache.table,
                self._control,
            )
        )


class EachForItself(Search):
    """Every seat for itself; see `hanasolve.tamaki.maxn`. Parameters as in `Search`."""

    _WORDS = maxn.WORDS
    _BOOK = maxn.SIZE
    _ENTRY = maxn_engine.ENTRY

    def __init__(
        self,
        position: Position,
        rules: Rules,
        limits: Limits,
        meter: Meter,
        *,
        merges: bool = True,
        slots: int = SLOTS,
    ) -> None:
        super().__init__(position, rules, limits, meter, merges=merges, slots=slots)
        self._players = position.players
        self._book[b.COSTS] = PAYMENT // UNIT
        self._numbers: Array = np.empty(_MOVES, np.int64)
        self._bounds: Array = np.empty(_MOVES, np.int64)
        self.sure = int(maxn.enter(self._book, self._stack))
        """The vector that the dull months of the first root gain."""

    def value(self) -> int:
        """Give the vector that the root is worth.

        Raises
        ------
        LimitMetError
        """
        maxn.begin(self._stack, self._control)
        return self._answer()

    @property
    def choice(self) -> int:
        """The move that the seat at the root takes, once its value is known."""
        return int(self._stack[0, maxn_engine.MOVE])

    def unpack(self, vector: int) -> tuple[int, ...]:
        """Give a vector as what each seat gains."""
        return maxn_engine.unpack(vector, self._players)

    def follow(self, move: int) -> int:
        """Make a move at the root; gives what it gains."""
        return int(maxn.follow(self._book, self._stack, move))

    def _expand(self) -> int:
        return int(maxn.moves(self._book, self._stack, self._moves))

    def _go_on(self) -> int:
        return int(
            maxn.search(
                self._book,
                self._stack,
                self._moves,
                self._numbers,
                self._bounds,
                self._cache.table,
                self._control,
            )
        )


def _write(book: Array, position: Position, rules: Rules, *, merges: bool) -> None:
    """Write what both searches must know of a round, see `hanasolve.tamaki.bounds`."""
    book[: k.AFTER] = books.write(position, rules)
    players, seats = position.players, _seats(position)
    held = sum(map(len, position.hands))
    turns = len(position.mountain) if book[k.PLAYS_OUT] else held
    worth = [points // UNIT for points in POINTS]
    book[b.ONCE] = rules.yaku_payment == "per_player"
    book[b.POINTS : b.POINTS + len(worth)] = worth
    book[b.YAKU : b.YAKU + len(YAKU)] = [books.as_set(cards) for cards in YAKU.values()]
    for time, card in enumerate(position.mountain[:turns]):
        if card is not None:
            book[b.DRAWN] |= 1 << card
            book[b.OWNER + card] = seats[time % players]
            book[b.TIME + card] = time
    for place, seat in enumerate(seats):
        hand = position.hands[seat]
        for card in hand:
            if card is not None:
                book[b.OWNER + card] = seat
                book[b.TIME + card] = place + players * (len(hand) - 1)
    plain = set(range(len(worth))) - {card for card, points in enumerate(worth) if points}
    book[b.ALIKE : b.ALIKE + len(worth)] = [
        min(plain.intersection(range(card & ~3, card + 1))) if card in plain else card
        for card in range(len(worth))
    ]
    book[b.MERGES] = merges


def _enter(stack: Array, book: Array, position: Position, rules: Rules) -> None:
    """Write the position into the row of the root, with what `progress` keeps."""
    stack[0, : k.WORDS] = books.enter(position)
    stack[0, p.COMING] = book[b.DRAWN]
    left = int(stack[0, k.HELD] | stack[0, k.TABLE] | stack[0, p.COMING])
    for number, cards in enumerate(YAKU.values()):
        owners = [seat for seat, claim in enumerate(position.claims) if cards & {*claim}]
        missing = [card for card in cards if left >> card & 1]
        claimed = sum(len(cards & {*claim}) for claim in position.claims)
        is_open = missing and claimed + len(missing) == len(cards) and len(owners) < 2
        owner = (1 + owners[0] if owners else 0) if is_open else p.SETTLED
        stack[0, p.YAKU] |= owner << 4 * number
        if rules.yaku_payment == "per_player" and claimed == len(cards) and len(owners) == 1:
            stack[0, p.PAID] |= 1 << owners[0]


def _seats(position: Position) -> list[int]:
    """Give the seats in order, from the one to move."""
    return [(position.turn + place) % position.players for place in range(position.players)]
