"""A position as plain sets and piles of cards: what a file holds and a person sees; dealing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hanasolve.cards import DECK_SIZE, MONTHS, shuffle, uniform_stream
from hanasolve.errors import HanasolveError
from hanasolve.tamaki.rules import FEWEST_PLAYERS, MOST_PLAYERS, SIZES, Rules

Card = int | None
"""A card's id, or None for one whose identity is unknown."""
Chooser = Callable[[int, tuple[int, ...], tuple[int, ...]], int | None]
"""Asked when a dealt hand has three cards of a month: the seat, the three cards and its hand; gives
the card that is exchanged, or None to decline, where that is allowed."""

_A_MONTH: Final = 4
_SWAPPED: Final = 2


@dataclasses.dataclass(frozen=True, kw_only=True)
class Position:
    """What lies where; every pile of cards is a tuple.

    Attributes
    ----------
    hands : tuple of tuples
        For each seat, in id order, unknown cards last.
    table : tuple of int
        In id order.
    mountain : tuple
        Top first.
    claims : tuple of tuples
        All cards captured by each seat, in id order.
    turn : int
        The seat to move.
    seat : int
        The point of view.
    scores : tuple of int
        Of earlier rounds, for each seat.
    """

    hands: tuple[tuple[Card, ...], ...]
    table: tuple[int, ...] = ()
    mountain: tuple[Card, ...] = ()
    claims: tuple[tuple[int, ...], ...] = ()
    turn: int = 0
    seat: int = 0
    scores: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    def cards(self) -> Iterator[Card]:
        """Give every card of the position once, unknown ones as None."""
        for pile in (*self.hands, self.table, self.mountain, *self.claims):
            yield from pile

    @property
    def is_hidden(self) -> bool:
        """Whether there are cards whose identity is unknown."""
        return None in self.cards()

    def as_seen(self, rules: Rules | None = None) -> Position:
        """Give the position as its seat sees it: other hands and the mountain are unknown."""
        hands = tuple(
            hand if seat == self.seat else (None,) * len(hand)
            for seat, hand in enumerate(self.hands)
        )
        return dataclasses.replace(self, hands=hands, mountain=(None,) * len(self.mountain))


class _Dealing:
    """Cards on their way to hands and table.

    Parameters
    ----------
    deck : list of int
        First dealt first.
    players, leader : int
    uniform : callable
        Gives numbers in [0, 1): the exchanges.
    """

    def __init__(
        self, deck: Sequence[int], players: int, leader: int, uniform: Callable[[], float]
    ) -> None:
        self._uniform = uniform
        self.mountain = list(deck)
        self.table: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.order = [(leader + n) % players for n in range(players)]
        in_hand, on_table = SIZES[players]
        for hand, table in (
            (in_hand // 2, on_table // 2),
            (in_hand - in_hand // 2, on_table - on_table // 2),
        ):
            self.table += self._take(table)
            for _ in range(hand):
                for seat in self.order:
                    self.hands[seat] += self._take(1)

    def _take(self, count: int) -> list[int]:
        """Take the top cards of the mountain."""
        taken, self.mountain = self.mountain[:count], self.mountain[count:]
        return taken

    def exchange(self, pile: list[int], cards: list[int]) -> None:
        """Exchange cards of a pile with the top of the mountain, which is then shuffled."""
        pile += self._take(len(cards))
        for card in cards:
            pile.remove(card)
        self.mountain = shuffle(self.mountain + cards, self._uniform)

    def pick(self, cards: list[int], count: int) -> list[int]:
        """Pick some of the cards at random."""
        return shuffle(cards, self._uniform)[:count]

    def break_fours(self, pile: list[int]) -> None:
        """Exchange two cards of a month, as long as all four lie together; the earliest first."""
        while fours := _together(pile, _A_MONTH):
            self.exchange(pile, self.pick(fours[0], _SWAPPED))

    def break_threes(self, seat: int, choose: Chooser | None) -> None:
        """Let a seat exchange one of three cards of a month, as long as it has such."""
        hand = self.hands[seat]
        declined: set[int] = set()
        while threes := [c for c in _together(hand, _A_MONTH - 1) if c[0] // 4 not in declined]:
            three = threes[0]
            card: int | None = self.pick(three, 1)[0] if choose is None else None
            if choose is not None:
                card = choose(seat, tuple(three), tuple(sorted(hand)))
            if card is None:
                declined.add(three[0] // 4)
            elif card not in three:
                raise HanasolveError(f"one of {three} is exchanged, not {card!r:.40}")
            else:
                self.exchange(hand, [card])
                self.break_fours(hand)


def _together(pile: list[int], count: int) -> list[list[int]]:
    """Give the cards of each month of which a pile has just so many, the earliest month first."""
    months = [sorted(card for card in pile if card // 4 == month) for month in range(MONTHS)]
    return [cards for cards in months if len(cards) == count]


def deal(
    deck: Sequence[int],
    *,
    players: int = FEWEST_PLAYERS,
    leader: int = 0,
    uniform: Callable[[], float],
    rules: Rules | None = None,
    choose: Chooser | None = None,
) -> Position:
    """Deal a whole deck: two passes, swaps on the table, exchanges in the hands.

    Parameters
    ----------
    deck : sequence of 48 ints
        First dealt first.
    players, leader : int, optional
    uniform : callable
        Gives the next number in [0, 1): all that is random.
    rules : Rules, optional
    choose : callable, optional
        Chooses the card to exchange out of three of a month; by default chance does. None may be
        given only with ``hand_three=optional``.

    Returns
    -------
    Position
        With finished hands; the leader is to move.

    Raises
    ------
    HanasolveError
        For a number of players or a leader that cannot be, or a choice that cannot be made.
    """
    check_seats(players, leader)
    if sorted(deck) != list(range(DECK_SIZE)):
        raise HanasolveError(f"a deck has each of the {DECK_SIZE} cards once")
    rules = rules or Rules()
    dealing = _Dealing(deck, players, leader, uniform)
    dealing.break_fours(dealing.table)
    for seat in dealing.order:
        dealing.break_fours(dealing.hands[seat])
    if rules.hand_three != "off":
        for seat in dealing.order:
            dealing.break_threes(seat, _obliged(choose, rules))
    return Position(
        hands=tuple(tuple(sorted(hand)) for hand in dealing.hands),
        table=tuple(sorted(dealing.table)),
        mountain=tuple(dealing.mountain),
        claims=((),) * players,
        turn=leader,
        scores=(0,) * players,
    )


def _obliged(choose: Chooser | None, rules: Rules) -> Chooser | None:
    """Refuse to let a month be declined that must not be."""
    if choose is None or rules.hand_three == "optional":
        return choose

    def checked(seat: int, three: tuple[int, ...], hand: tuple[int, ...]) -> int:
        card = choose(seat, three, hand)
        if card is None:
            raise HanasolveError("one of three must be exchanged (hand_three=compulsory)")
        return card

    return checked


def deal_seed(
    seed: int,
    rules: Rules | None = None,
    *,
    players: int = FEWEST_PLAYERS,
    leader: int = 0,
    choose: Chooser | None = None,
) -> Position:
    """Deal what a seed stands for: deck, swaps and exchanges come from one stream of numbers."""
    uniform = uniform_stream(seed)
    deck = shuffle(list(range(DECK_SIZE)), uniform)
    return deal(deck, players=players, leader=leader, uniform=uniform, rules=rules, choose=choose)


def check_seats(players: int, leader: int) -> None:
    """Refuse numbers that cannot be."""
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise HanasolveError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} can play, not {players!r:.40}")
    check_seat(leader, players)


def check_seat(seat: int, players: int) -> None:
    """Refuse a seat that there is not."""
    if type(seat) is not int or not 0 <= seat < players:
        raise HanasolveError(f"a seat is a number from 0 to {players - 1}, not {seat!r:.40}")
