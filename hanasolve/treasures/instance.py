"""What an instance file of Three Treasures holds: a position, as far as the player knows it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Final, cast, get_args

from hanasolve.cards import code, parse
from hanasolve.document import UNKNOWN, Census, Place, refuse_unknown_in, shown
from hanasolve.errors import nearest
from hanasolve.treasures.position import Card, Phase, Position, Unknown, deal_seed
from hanasolve.treasures.rules import BLUE_BANNERS, CARDS, MOON, TREASURES, Rules

KEYS: Final = (
    "phase", "hand", "present", "trial", "deck", "unknown", "not", "discard", "victory",
)  # fmt: skip
"""The keys that this game adds to those of every instance file."""

MOST_CLASSES: Final = 3
"""Restrictions that can stand side by side: each comes from a blue banner."""
MOST_IN_TRIAL: Final = 30
"""Cards that a trial can have."""

_PHASES: Final[tuple[str, ...]] = get_args(Phase)
_MARK: Final = re.compile(r"\?[a-z]?")


def read_position(document: Place, rules: Rules) -> Position:
    """Read the position of an instance file.

    Only counts and kinds are checked, not whether play can lead there.

    Parameters
    ----------
    document : Place
        The whole document, an object.
    rules : Rules
        Its rules: they say how much a trial can grow, and where the moon can be.

    Returns
    -------
    Position

    Raises
    ------
    InstanceError
        With the pointer to the place at fault.
    """
    census = Census(CARDS)
    phase = _read_phase(document.key("phase"))
    hand = _read_pile(document.key("hand"), census, "the hand is known")
    present = _read_pile(document.key("present"), census, "the present pile is open")
    if not present:
        raise document.key("present").error("there is always a present; name at least one card")
    trial = _read_places(document.key("trial", []), census)
    deck = _read_places(document.key("deck"), census)
    unknown = _read_pile(
        document.key("unknown", []), census, 'these are the cards that the "?" stand for'
    )
    discard = _read_pile(document.key("discard", []), census, "the discard pile is open")
    victory = _read_victory(document.key("victory", []), census)
    barred = _read_barred(document.key("not", {}))
    census.close(document)
    position = Position(
        phase=phase,
        hand=tuple(sorted(hand)),
        present=present,
        trial=trial,
        deck=deck,
        unknown=tuple(sorted(unknown)),
        discard=tuple(sorted(discard)),
        victory=tuple(sorted(victory)),
        barred=barred,
    )
    _check_unknown(document, position)
    _check_barred(document, position)
    _check_rules(document, position, rules)
    return position


def write_position(position: Position) -> dict[str, object]:
    """Give a position as a file holds it, complete, so that `read_position` reads the same one."""
    written: dict[str, object] = {
        "phase": position.phase,
        "hand": _codes(position.hand),
        "present": _codes(position.present),
        "trial": _codes(position.trial),
        "deck": _codes(position.deck),
        "unknown": _codes(position.unknown),
        "discard": _codes(position.discard),
        "victory": _codes(position.victory),
    }
    if position.barred:
        written["not"] = {mark: _codes(cards) for mark, cards in position.barred}
    return written


def write_deal(seed: int, rules: Rules) -> dict[str, object]:
    """Give the game's part of an instance file that deals a seed."""
    return write_position(deal_seed(seed, rules))


def refuse_unknown(position: Position, source: str = "") -> None:
    """Refuse a position in which a card's identity is unknown, pointing to the first such card."""
    refuse_unknown_in([("/trial", position.trial), ("/deck", position.deck)], source)


def _codes(pile: tuple[Card, ...]) -> list[str]:
    return [card if isinstance(card, str) else code(card) for card in pile]


def _read_phase(place: Place) -> Phase:
    phase = place.text()
    if phase not in _PHASES:
        hint = nearest(phase, _PHASES) or f"; it is one of {', '.join(_PHASES)}"
        raise place.error(f"there is no phase {shown(phase)}{hint}")
    return cast(Phase, phase)


def _read_pile(pile: Place, census: Census, otherwise: str) -> tuple[int, ...]:
    return tuple(census.known(place, otherwise) for place in pile.items())


def _read_places(pile: Place, census: Census) -> tuple[Card, ...]:
    return tuple(
        place.value if _is_mark(place.value) else census.known(place) for place in pile.items()
    )


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and _MARK.fullmatch(value) is not None


def _read_victory(pile: Place, census: Census) -> tuple[int, ...]:
    victory = _read_pile(pile, census, "the victory pile is open")
    for place, card in zip(pile.items(), victory, strict=True):
        if card not in TREASURES:
            raise place.error(f"{code(card)} cannot be won; the treasures are {_listed(TREASURES)}")
    return victory


def _read_barred(place: Place) -> tuple[tuple[Unknown, tuple[int, ...]], ...]:
    barred = []
    for mark in place.mapping().value:
        cards = place.key(mark)
        if not _is_mark(mark) or mark == UNKNOWN:
            raise cards.error(f'{shown(mark)} is no mark of restricted places; write "?a", "?b", …')
        census = Census(CARDS)
        otherwise = "these are the cards that are in none of the places so marked"
        barred.append((mark, tuple(sorted(_read_pile(cards, census, otherwise)))))
    return tuple(sorted(barred))


def _check_unknown(document: Place, position: Position) -> None:
    """Refuse marks without a meaning, and numbers of unknown cards and places that differ."""
    marks = {UNKNOWN, *(mark for mark, _ in position.barred)}
    counts = _marked(position)
    for name in ("trial", "deck"):
        for place in document.key(name, []).items():
            if _is_mark(place.value) and place.value not in marks:
                raise place.error(
                    f'"not" does not say which cards cannot be in the places marked {place.value};'
                    ' add that, or write "?"'
                )
    for mark, _ in position.barred:
        if not counts[mark]:
            raise document.key("not").key(mark).error(f"no place is marked {mark}; leave it out")
    if counts.total() != len(position.unknown):
        place = document.key("unknown") if "unknown" in document else document
        raise place.error(
            f'{counts.total()} "?" in "trial" and "deck" cannot stand for the'
            f' {len(position.unknown)} cards of "unknown"'
        )


def _check_barred(document: Place, position: Position) -> None:
    """Refuse restrictions that cannot be met, or that are more than a belief can hold."""
    if not position.barred:
        return
    where, unknown = document.key("not"), frozenset(position.unknown)
    sets = {mark: unknown.intersection(cards) for mark, cards in position.barred}
    order = sorted(sets, key=lambda mark: len(sets[mark]), reverse=True)
    for wide, narrow in itertools.pairwise(order):
        if not sets[narrow] <= sets[wide]:
            raise where.key(narrow).error(
                f"{_listed(sets[narrow] - sets[wide])} can be in the places marked {wide}; of two"
                " marks, one must bar all unknown cards that the other one bars"
            )
    classes = len({*sets.values()} - {frozenset()})
    blues = len(BLUE_BANNERS.difference(position.present, position.discard))
    if classes + blues > MOST_CLASSES:
        raise where.error(
            f"{classes} different restrictions, and {blues} blue banners that can still be played"
            f" and make one each, are too many; at most {MOST_CLASSES} can be held"
        )
    places, filled = _marked(position), 0
    for mark in order:
        filled += places[mark]
        fitting = len(unknown - sets[mark])
        if filled > fitting:
            raise where.key(mark).error(
                f"there is no way to fill the places: only {fitting} unknown cards can be in the"
                f" {filled} places that are marked {mark} or bar more"
            )


def _marked(position: Position) -> Counter[Unknown]:
    """Count the unknown places by their marks."""
    return Counter(card for card in (*position.trial, *position.deck) if isinstance(card, str))


def _check_rules(document: Place, position: Position, rules: Rules) -> None:
    """Refuse what the switches rule out."""
    if rules.reshuffle_moon == "stays_bottom" and MOON in position.unknown:
        places = list(document.key("unknown").items())
        raise next(place for place in places if parse(place.value) == MOON).error(
            "the place of the moon is always known (reshuffle_moon=stays_bottom); write"
            f" {code(MOON)} where it lies"
        )
    grows = 0
    if rules.covered_trial == "merge":
        animals = {card for card in CARDS if rules.kind_of(card) == "animal"}
        grows = 3 * len(animals.difference(position.present))
    if len(position.trial) + grows > MOST_IN_TRIAL:
        more = f" and up to {grows} more can join it (covered_trial=merge)" if grows else ""
        raise document.key("trial").error(
            f"the trial has {len(position.trial)} cards{more}; at most {MOST_IN_TRIAL} can be held"
        )


def _listed(cards: frozenset[int]) -> str:
    return " ".join(map(code, sorted(cards)))
