"""What an instance file of Hanafuda by Tamaki holds: a position, or a deck that is dealt."""

from __future__ import annotations

import itertools
from typing import Final

from hanasolve.cards import code, uniform_stream
from hanasolve.document import UNKNOWN, Census, Place, refuse_unknown_in
from hanasolve.tamaki.position import Card, Chooser, Position, deal, deal_seed
from hanasolve.tamaki.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules

_POSITION: Final = ("turn", "hands", "table", "mountain", "claims", "scores")
_DEAL: Final = ("leader", "seed")

KEYS: Final = ("players", "seat", "deck", *_DEAL, *_POSITION)
"""The keys that this game adds to those of every instance file."""

_MOST: Final = 10**12


def read_position(document: Place, rules: Rules) -> Position:
    """Read the position of an instance file, or the deck that it deals.

    Only counts and kinds are checked, not whether play can lead there.

    Parameters
    ----------
    document : Place
        The whole document, an object.
    rules : Rules
        Its rules: they say what is exchanged when a deck is dealt.

    Returns
    -------
    Position

    Raises
    ------
    InstanceError
        With the pointer to the place at fault.
    """
    players = document.key("players").integer(FEWEST_PLAYERS, MOST_PLAYERS)
    seat = document.key("seat", 0).integer(0, players - 1, f"{players} players")
    if "deck" in document:
        _exclude(document, "deck", _POSITION)
        return _read_deal(document, players, seat, rules)
    _exclude(document, "hands", _DEAL)
    if "hands" not in document:
        raise document.error('there is neither a deal nor a position; give "deck" or "hands"')
    census = Census()
    position = Position(
        hands=tuple(_read_hand(hand, census) for hand in document.key("hands").items(players)),
        table=_read_open(document.key("table", []), census, "the table is open"),
        mountain=tuple(census.card(place) for place in document.key("mountain", []).items()),
        claims=tuple(
            _read_open(claim, census, "captured cards are open")
            for claim in document.key("claims", [[]] * players).items(players)
        ),
        turn=document.key("turn", 0).integer(0, players - 1, f"{players} players"),
        seat=seat,
        scores=tuple(
            score.integer(-_MOST, _MOST)
            for score in document.key("scores", [0] * players).items(players)
        ),
    )
    census.close(document)
    _check_sizes(document, position)
    return position


def write_position(position: Position) -> dict[str, object]:
    """Give a position as a file holds it, complete, so that `read_position` reads the same one."""
    return {
        "players": position.players,
        "turn": position.turn,
        "seat": position.seat,
        "hands": [_codes(hand) for hand in position.hands],
        "table": _codes(position.table),
        "mountain": _codes(position.mountain),
        "claims": [_codes(claim) for claim in position.claims],
        "scores": list(position.scores),
    }


def write_deal(
    seed: int,
    rules: Rules,
    *,
    players: int = FEWEST_PLAYERS,
    leader: int = 0,
    choose: Chooser | None = None,
) -> dict[str, object]:
    """Give the game's part of an instance file that a seed deals, with finished hands."""
    dealt = deal_seed(seed, rules, players=players, leader=leader, choose=choose)
    return write_position(dealt)


def refuse_unknown(position: Position, source: str = "") -> None:
    """Refuse a position in which a card's identity is unknown, pointing to the first such card."""
    piles = [(f"/hands/{seat}", hand) for seat, hand in enumerate(position.hands)]
    refuse_unknown_in([*piles, ("/mountain", position.mountain)], source)


def _exclude(document: Place, name: str, others: tuple[str, ...]) -> None:
    """Refuse keys that do not go with another one."""
    for other in others:
        if other in document and name in document:
            raise document.key(other).error(
                f'"{name}" and "{other}" exclude each other; give a whole deal or a position'
            )


def _read_deal(document: Place, players: int, seat: int, rules: Rules) -> Position:
    census = Census()
    otherwise = 'a deal with hidden cards is written as a position, with "hands" and "mountain"'
    deck = [census.known(place, otherwise) for place in document.key("deck").items()]
    census.close(document.key("deck"))
    leader = document.key("leader", 0).integer(0, players - 1, f"{players} players")
    seed = document.key("seed", 0).integer(0, 2**63 - 1)
    uniform = uniform_stream(seed)
    dealt = deal(deck, players=players, leader=leader, uniform=uniform, rules=rules)
    return Position(**{**vars(dealt), "seat": seat})


def _read_hand(hand: Place, census: Census) -> tuple[Card, ...]:
    cards = [census.card(place) for place in hand.items()]
    known = sorted(card for card in cards if card is not None)
    return (*known, *[None] * (len(cards) - len(known)))


def _read_open(pile: Place, census: Census, otherwise: str) -> tuple[int, ...]:
    return tuple(sorted(census.known(place, otherwise) for place in pile.items()))


def _check_sizes(document: Place, position: Position) -> None:
    """Refuse hands that turns one after another cannot use up."""
    players = position.players
    order = [(position.turn + n) % players for n in range(players)]
    sizes = [len(position.hands[seat]) for seat in order]
    for seat, size in zip(order, sizes, strict=True):
        if not sizes[0] - 1 <= size <= sizes[0]:
            raise (
                document.key("hands")
                .at(seat, None)
                .error(
                    f"this hand has {size} cards and that of the seat to move, {position.turn}, has"
                    f" {sizes[0]}; it has as many, or one less"
                )
            )
    for before, seat in itertools.pairwise(order):
        if len(position.hands[seat]) > len(position.hands[before]):
            raise (
                document.key("hands")
                .at(seat, None)
                .error(
                    f"this hand has more cards than that of seat {before}, which moves before it;"
                    f" from the seat to move on, {position.turn}, hands never become larger"
                )
            )


def _codes(pile: tuple[Card, ...]) -> list[str]:
    return [UNKNOWN if card is None else code(card) for card in pile]
