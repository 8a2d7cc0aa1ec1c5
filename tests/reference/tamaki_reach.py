"""What all seats together can reach in Hanafuda by Tamaki, by dynamic programming turn by turn.

Plain like the rest of the reference, but quick enough for the last third of a round: positions
after the same number of turns are merged when the same cards are in hands and on the table and the
same seats may complete the same yaku. Of the points only the asked seat's are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference import tamaki as game

Cards = frozenset[int]
NOBODY, LOST = -1, -2
"""Of a yaku, instead of a seat: nobody has a card of it yet, or two seats do."""


class Place(NamedTuple):
    """All of a position that what follows depends on."""

    held: Cards
    table: Cards
    mountain: tuple[int, ...]
    owners: tuple[int, ...]


class Reach(NamedTuple):
    """The highest own round score, for each seat its possible yaku, and the most of them."""

    score: int
    yaku: list[dict[str, bool]]
    most: list[int]


def reach(state: game.State, seat: int = 0, known: int | None = None) -> Reach:
    """What can be reached; below the first ``known`` cards the order of the mountain is free."""
    known = len(state.mountain) if known is None else known
    hands = [frozenset(hand) for hand in state.hands]
    owners = (NOBODY,) * len(game.YAKU)
    for holder, claim in enumerate(state.claims):
        owners = claimed(owners, frozenset(claim), holder)
    held = frozenset[int]().union(*hands)
    places = {
        Place(held, frozenset(state.table), state.mountain, owners): game.card_points(
            state.claims[seat]
        )
    }
    turn, drawn = state.turn, 0
    while not all(is_over(state, place) for place in places):
        after: dict[Place, int] = {}
        for place, points in places.items():
            for new, captured in turns(state, place, hands[turn], drawn >= known):
                gain = points + (game.card_points(captured) if turn == seat else 0)
                new = new._replace(owners=claimed(new.owners, captured, turn))
                if gain > after.get(new, -1):
                    after[new] = gain
        places, turn, drawn = after, (turn + 1) % state.players, drawn + 1
    return summary(state, seat, places)


def claimed(owners: tuple[int, ...], captured: Cards, seat: int) -> tuple[int, ...]:
    """The owners of the yaku after a seat has captured some cards."""
    return tuple(
        owner if not captured & cards else seat if owner in (NOBODY, seat) else LOST
        for owner, cards in zip(owners, game.YAKU.values(), strict=True)
    )


def is_over(state: game.State, place: Place) -> bool:
    """Whether the round has ended."""
    return not place.held and not (game.plays_out(state) and place.mountain)


def landings(state: game.State, table: Cards, card: int) -> Iterator[tuple[Cards, Cards]]:
    """The table after a card has landed, and what is captured."""
    for taken in game.captures(state.rules, tuple(sorted(table)), card):
        captured = frozenset((card, *taken)) if taken else frozenset[int]()
        yield (table - captured if taken else table | {card}), captured


def turns(
    state: game.State, place: Place, hand: Cards, is_free: bool
) -> Iterator[tuple[Place, Cards]]:
    """The places after a turn, and what was captured."""
    for card in (place.held & hand) or [None]:
        played = [(place.table, frozenset[int]())]
        if card is not None:
            played = [*landings(state, place.table, card)]
        for table, captured in played:
            held = place.held - {card}
            if not place.mountain:
                yield place._replace(held=held, table=table), captured
            for draw in place.mountain if is_free else place.mountain[:1]:
                rest = tuple(sorted(other for other in place.mountain if other != draw))
                mountain = rest if is_free else place.mountain[1:]
                for end, more in landings(state, table, draw):
                    yield Place(held, end, mountain, place.owners), captured | more


def summary(state: game.State, seat: int, places: dict[Place, int]) -> Reach:
    """The best over the ends of the round."""
    score = -(10**6)
    possible = [dict.fromkeys(game.YAKU, False) for _ in range(state.players)]
    most = [0] * state.players
    for place, points in places.items():
        there = place.table | {*place.mountain}
        counts = [0] * state.players
        for owner, (name, cards) in zip(place.owners, game.YAKU.items(), strict=True):
            if owner >= 0 and not cards & there:
                possible[owner][name] = True
                counts[owner] += 1
        most = [max(pair) for pair in zip(most, counts, strict=True)]
        if state.rules.yaku_payment == "per_player":
            counts = [min(count, 1) for count in counts]
        paid = game.YAKU_PAYMENT * (state.players * counts[seat] - sum(counts))
        score = max(score, points + paid)
    return Reach(score, possible, most)
