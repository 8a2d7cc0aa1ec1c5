"""What can become of each month, by the order in which its cards land.

A card captures only cards of its own month, so a month is settled by the order in which its cards
land and by the choices of capture; the months meet only in the turns that their cards take up.

*Piles.* Every card still to land belongs to a pile, whose cards land in a free order at given
times: a hand, the part of the mountain whose order is free, or a card alone whose time is known.
Turn t, counted from 0, has the times 2t (its hand card) and 2t + 1 (its draw).

*Patterns.* A pattern of a month is a set of conditions on the order in which its cards land, with
what the seat that asks can then gain from the month.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from hanasolve.errors import HanasolveError
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.rules import POINTS
from hanasolve.tamaki.state import State

END: Final = 48
"""Stands in conditions for the end of the round: what comes after it never lands."""
SEAT: Final = -1
"""Stands in conditions for the seat that asks; see `Condition`."""

Condition = tuple[int, int]
"""Two cards: the first one lands before the second. Either may be `END`. With `SEAT` as the second
one: the seat that asks draws the card."""
Landing = tuple[int, frozenset[int]]
"""A card that lands, and the table cards that it takes; none when it stays on the table."""
Course = tuple[frozenset[Condition], tuple[Landing, ...]]
"""Of a month: the order in which its cards land, and those landings that take something."""
Holder = tuple[int, int]
"""A captured card, and the card of its month that captures it."""


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Pile:
    """Cards that land in a free order, one at each of some times.

    Attributes
    ----------
    cards : tuple of int
        At least as many as there are times; those left over never land.
    times : tuple of int
        Growing.
    seats : tuple of int
        Whose turn it is at each time.
    """

    cards: tuple[int, ...]
    times: tuple[int, ...]
    seats: tuple[int, ...]

    @property
    def is_emptied(self) -> bool:
        """Whether all its cards land."""
        return len(self.cards) == len(self.times)

    @property
    def seat(self) -> int | None:
        """The seat at all its times, if that is one."""
        return self.seats[0] if len(set(self.seats)) == 1 else None

    def before(self, time: int) -> int:
        """Count its times before a time."""
        return sum(own < time for own in self.times)


@dataclasses.dataclass(frozen=True, slots=True)
class Gain:
    """What a month gives the seat that asks.

    Attributes
    ----------
    points : int
        Of the cards that it gets.
    gets : frozenset of int
        Those of the cards asked for that it gets.
    others : frozenset of Holder
        The cards feared in other hands that it does not get.
    """

    points: int
    gets: frozenset[int]
    others: frozenset[Holder]

    def is_at_least(self, other: Gain) -> bool:
        """Whether it is as good in every respect."""
        return (
            self.points >= other.points and self.gets >= other.gets and self.others <= other.others
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Pattern:
    """Conditions on the order in which the cards of a month land, and what can be gained then."""

    conditions: frozenset[Condition]
    gain: Gain

    def is_at_least(self, other: Pattern) -> bool:
        """Whether it asks for no more than another pattern and gives no less."""
        return self.conditions <= other.conditions and self.gain.is_at_least(other.gain)


class Arrivals:
    """All that can still land from a state on.

    Parameters
    ----------
    state : State
    known : int, optional
        Cards on top of the mountain that stay where they are; all of them by default.
    records : mapping, optional
        For some seats their next turns, which they make exactly so; where the mountain is free,
        they say what is drawn.

    Attributes
    ----------
    turns : range
        The turns to come.
    table : tuple of int
    piles : tuple of Pile
    pile_of : dict
        The pile of each card that can still land.

    Raises
    ------
    HanasolveError
        When a record plays or draws a card that is not there.
    """

    def __init__(
        self,
        state: State,
        known: int | None = None,
        records: Mapping[int, Sequence[Move]] | None = None,
    ) -> None:
        position = state.position
        mountain = [card for card in position.mountain if card is not None]
        hands = [{card for card in hand if card is not None} for hand in position.hands]
        plays = sum(map(len, hands))
        plays_out = state.rules.two_player_rest == "play_out" and state.players == 2
        draws = len(mountain) if plays_out else min(len(mountain), plays)
        drawn = dict(enumerate(mountain[: draws if known is None else min(known, draws)]))
        free = mountain[len(drawn) :]
        self.players = state.players
        self.turns = range(max(plays, draws))
        self._first = state.turn
        self.table = position.table
        self._optional = state.rules.capture == "optional"
        self._told: dict[int, frozenset[int]] = {}
        self._known: dict[int, list[Course]] = {}
        piles = []
        for seat, hand in enumerate(hands):
            turns = [turn for turn in self.turns if self.seat(turn) == seat]
            for turn, move in zip(turns, (records or {}).get(seat, ()), strict=False):
                played: set[int | None] = {move.play if turn < plays else None}
                if turn < draws and turn not in drawn and move.draw in free:
                    drawn[turn] = move.draw
                    free.remove(move.draw)
                if not played <= {*(hand or [None])} or move.draw != drawn.get(turn):
                    raise HanasolveError(f"turn {turn + 1} of the record does not fit: {move}")
                self._tell(move.play, move.capture)
                self._tell(move.draw, move.draw_capture)
                if move.play is not None:
                    hand.remove(move.play)
                    piles.append(Pile((move.play,), *self._times([turn], 0)))
            left = [turn for turn in turns if turn < plays][-len(hand) :] if hand else []
            piles.append(Pile((*sorted(hand),), *self._times(left, 0)))
        piles += [Pile((card,), *self._times([turn], 1)) for turn, card in sorted(drawn.items())]
        others = [turn for turn in range(draws) if turn not in drawn]
        piles.append(Pile((*free,), *self._times(others, 1)))
        self.piles = tuple(pile for pile in piles if pile.times)
        self.pile_of = {card: pile for pile in self.piles for card in pile.cards}

    @property
    def told_months(self) -> set[int]:
        """The months, counted from 0, in which a record says what is captured."""
        return {card // 4 for card in self._told}

    def _times(self, turns: Iterable[int], half: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        turns = tuple(turns)
        return tuple(2 * turn + half for turn in turns), tuple(map(self.seat, turns))

    def _tell(self, card: int | None, taken: tuple[int, ...]) -> None:
        if card is not None:
            self._told[card] = frozenset(taken)

    def seat(self, turn: int) -> int:
        """Give the seat of a turn."""
        return (self._first + turn) % self.players

    def holds(self, condition: Condition) -> bool | None:
        """Tell whether a condition holds however the round goes on; None if that depends.

        Of an order it is told for the case that both cards land.
        """
        one, two = condition
        if END in condition:
            pile = self.pile_of[one if two == END else two]
            return (two == END) if pile.is_emptied else None
        first, second = self.pile_of[one], self.pile_of[two]
        if first.times[-1] < second.times[0]:
            return True
        return False if second.times[-1] < first.times[0] else None

    def _orders(self, coming: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Give the orders in which cards of a month can land; some may not land at all."""
        sure = {card for card in coming if self.pile_of[card].is_emptied}
        for count in range(len(sure), len(coming) + 1):
            for order in itertools.permutations(coming, count):
                pairs = itertools.combinations(order, 2)
                if sure <= {*order} and all(self.holds(pair) is not False for pair in pairs):
                    yield order

    def landings(self, month: int, order: Sequence[int]) -> Iterator[tuple[Landing, ...]]:
        """Give the ways to capture when the cards of a month land in an order."""
        table = frozenset(card for card in self.table if card // 4 == month)
        return self._land(table, tuple(order))

    def _land(self, table: frozenset[int], order: tuple[int, ...]) -> Iterator[tuple[Landing, ...]]:
        if not order:
            yield ()
            return
        card = order[0]
        options = (
            [table] if len(table) in (0, 3) else [frozenset({other}) for other in sorted(table)]
        )
        if self._optional and table:
            options.append(frozenset())
        for taken in options:
            if self._told.get(card, taken) == taken:
                after = table - taken if taken else table | {card}
                for rest in self._land(after, order[1:]):
                    yield (card, taken), *rest

    def _courses(self, month: int) -> list[Course]:
        """Give all that can happen in a month."""
        if month not in self._known:
            self._known[month] = [*self._list_courses(month)]
        return self._known[month]

    def _list_courses(self, month: int) -> Iterator[Course]:
        coming = tuple(card for card in range(4 * month, 4 * month + 4) if card in self.pile_of)
        for order in self._orders(coming):
            never = [card for card in coming if card not in order]
            pairs = [*itertools.combinations((*order, END), 2), *((END, card) for card in never)]
            conditions = frozenset(pair for pair in pairs if self.holds(pair) is None)
            for landings in self.landings(month, order):
                yield conditions, tuple(landing for landing in landings if landing[1])

    def patterns(
        self,
        month: int,
        seat: int,
        wanted: Collection[int],
        feared: Collection[int],
        *,
        points: bool,
    ) -> list[Pattern]:
        """Give the patterns of a month that matter to a seat.

        Parameters
        ----------
        month, seat : int
            The month counted from 0.
        wanted, feared : collections of int
            Cards that the seat asks for, and that others had better not get.
        points : bool
            Whether points count.

        Returns
        -------
        list of Pattern
            Whatever happens in the month fulfils one that gives no less. Empty when the records
            cannot be kept.

        Notes
        -----
        At most 24 orders, or 65 where cards may never land, with a few ways to capture each. Two
        patterns of the same gain whose conditions differ in one order of two cards are merged, as
        in the method of Quine and McCluskey, and conditions that follow from others are left out.
        """
        courses: dict[Gain, set[frozenset[Condition]]] = {}
        for conditions, landings in self._courses(month):
            for draws in self._draws(landings, seat):
                gain = self.gain(landings, seat, draws, wanted, feared, points=points)
                own = {(card, SEAT) for card in draws if self.pile_of[card].seat is None}
                courses.setdefault(gain, set()).add(conditions | own)
        merged = [
            Pattern(self._reduced(conditions), gain)
            for gain, alike in courses.items()
            for conditions in _merged(alike)
        ]
        best: list[Pattern] = []
        for one in merged:
            if not any(other.is_at_least(one) for other in best):
                best = [other for other in best if not one.is_at_least(other)]
                best.append(one)
        return best

    def _draws(self, landings: tuple[Landing, ...], seat: int) -> Iterator[frozenset[int]]:
        """Give the sets of capturing cards that a seat can play or draw, the others being left."""
        piles = {card: self.pile_of[card] for card, _ in landings}
        own = [card for card, pile in piles.items() if pile.seat == seat]
        free = [card for card, pile in piles.items() if pile.seat is None and seat in pile.seats]
        for count in range(len(free) + 1):
            for some in itertools.combinations(free, count):
                yield frozenset((*own, *some))

    def gain(
        self,
        landings: Iterable[Landing],
        seat: int,
        own: Collection[int],
        wanted: Collection[int],
        feared: Collection[int],
        *,
        points: bool,
    ) -> Gain:
        """Give what a seat gains when some of the cards that land are its own; see `patterns`."""
        total = 0
        gets: set[int] = set()
        others: set[Holder] = set()
        for card, taken in landings:
            captured = taken | {card} if taken else ()
            if card in own:
                total += sum(POINTS[one] for one in captured) if points else 0
                gets.update(one for one in captured if one in wanted)
            else:
                others.update((one, card) for one in captured if one in feared)
        return Gain(total, frozenset(gets), frozenset(others))

    def _reduced(self, conditions: frozenset[Condition]) -> frozenset[Condition]:
        """Leave out the conditions that follow from two others.

        Those with `END` are kept: that a card lands does not follow from an order, which is known
        for the case only that both cards land.
        """
        return frozenset(
            (one, two)
            for one, two in conditions
            if {one, two} & {END, SEAT}
            or not any(
                self._given((one, card), conditions) and self._given((card, two), conditions)
                for card in range(one & ~3, (one & ~3) + 4)
                if card not in (one, two) and card in self.pile_of
            )
        )

    def _given(self, condition: Condition, conditions: frozenset[Condition]) -> bool:
        return condition in conditions or self.holds(condition) is True


def _merged(alike: set[frozenset[Condition]]) -> set[frozenset[Condition]]:
    """Merge sets of conditions that differ in one order of two cards, as long as there are such."""
    done: set[frozenset[Condition]] = set()
    while alike:
        wider = set()
        for conditions in alike:
            whole = True
            for one, two in conditions:
                rest = conditions - {(one, two)}
                if rest | {(two, one)} in alike:
                    wider.add(rest)
                    whole = False
            if whole:
                done.add(conditions)
        alike = wider
    return done
