"""What an instance file of Hanafuda Solitaire #2 holds: a whole deal, or a position."""

from __future__ import annotations

import dataclasses
from typing import Final

from hanasolve.cards import MONTH_NAMES, MONTHS, code
from hanasolve.document import UNKNOWN, Census, Place, refuse_unknown_in
from hanasolve.solitaire2.position import COLUMNS, PILES, Card, Position, deal, deck_of
from hanasolve.solitaire2.rules import Rules

_POSITION: Final = ("tableau", "stock", "waste", "foundations", "turns")

KEYS: Final = ("deck", *_POSITION)
"""The keys that this game adds to those of every instance file."""

_MOST_TURNS: Final = 10**12


def read_position(document: Place, rules: Rules) -> Position:
    """Read the deal or the position of an instance file.

    Only counts and kinds are checked, not whether play can lead there.

    Parameters
    ----------
    document : Place
        The whole document, an object.
    rules : Rules
        Its rules: they say which runs and which foundations can be.

    Returns
    -------
    Position

    Raises
    ------
    InstanceError
        With the pointer to the place at fault.
    """
    given = [name for name in _POSITION if name in document]
    if "deck" in document:
        if given:
            raise document.key(given[0]).error(
                f'"deck" and "{given[0]}" exclude each other; give a whole deal or a position'
            )
        return deal(_read_deck(document.key("deck")))
    if not given:
        raise document.error(
            'there is neither a deal nor a position; give "deck", or "tableau", "stock", "waste",'
            ' "foundations", "turns"'
        )
    census = Census()
    columns = document.key("tableau", [{}] * COLUMNS).items(COLUMNS)
    down, up = zip(*(_read_column(column, census, rules) for column in columns), strict=True)
    position = Position(
        down=down,
        up=up,
        stock=tuple(census.card(place) for place in document.key("stock", []).items()),
        waste=_read_open(document.key("waste", []), census),
        foundations=_read_foundations(document.key("foundations", [[]] * PILES), census, rules),
        turns=_read_turns(document.key("turns", 0), rules),
    )
    census.close(document)
    return position


def write_position(position: Position) -> dict[str, object]:
    """Give a position as a file holds it, complete, so that `read_position` reads the same one."""
    return {
        "tableau": [
            {"down": _codes(down), "up": _codes(up)}
            for down, up in zip(position.down, position.up, strict=True)
        ],
        "stock": _codes(position.stock),
        "waste": _codes(position.waste),
        "foundations": [_codes(pile) for pile in position.foundations],
        "turns": position.turns,
    }


def write_deal(seed: int, rules: Rules) -> dict[str, object]:
    """Give the game's part of an instance file that deals a seed's deck, the same for all rules."""
    return {"deck": _codes(tuple(deck_of(seed)))}


def refuse_unknown(position: Position, source: str = "") -> None:
    """Refuse a position in which a card's identity is unknown, pointing to the first such card."""
    piles = [(f"/tableau/{i}/down", down) for i, down in enumerate(position.down)]
    refuse_unknown_in([*piles, ("/stock", position.stock)], source)


def _codes(pile: tuple[Card, ...]) -> list[str]:
    return [UNKNOWN if card is None else code(card) for card in pile]


def _read_deck(deck: Place) -> list[int]:
    census = Census()
    otherwise = 'a deal with hidden cards is written as a position, with "tableau" and "stock"'
    cards = [census.known(place, otherwise) for place in deck.items()]
    census.close(deck)
    return cards


def _read_open(pile: Place, census: Census) -> tuple[int, ...]:
    return tuple(census.known(place, "this card lies face up") for place in pile.items())


def _read_column(
    column: Place, census: Census, rules: Rules
) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    column.fields(("down", "up"))
    down = tuple(census.card(place) for place in column.key("down", []).items())
    run = column.key("up", [])
    up = _read_open(run, census)
    if down and not up:
        raise column.error("the last card of a column lies face up; move it from down to up")
    for place, card, onto in zip(list(run.items())[1:], up[1:], up, strict=False):
        if not rules.fits(card, onto):
            raise place.error(
                f"{code(card)} cannot lie on {code(onto)}: {_misfit(card, onto, rules)}"
            )
    return down, up


def _misfit(card: int, onto: int, rules: Rules) -> str:
    if dataclasses.replace(rules, alternate=False).fits(card, onto):
        kind = "point" if rules.is_point(card) else "non-point"
        return f"both are {kind} cards (alternate=true)"
    step = "exactly one month" if rules.tableau_step == "consecutive" else "a month"
    return f"it must be {step} earlier (tableau_step={rules.tableau_step})"


def _read_foundations(
    foundations: Place, census: Census, rules: Rules
) -> tuple[tuple[int, ...], ...]:
    places = list(foundations.items(PILES))
    piles = tuple(_read_open(place, census) for place in places)
    for number, (place, pile) in enumerate(zip(places, piles, strict=True)):
        for card_place, height, card in zip(place.items(), range(len(pile)), pile, strict=True):
            _check_goes_up(card_place, card, number, height, rules)
    # With foundation_return a complete pile may have given cards back, so nothing follows then.
    if rules.foundation_suits == "by_class" and not rules.foundation_return:
        _check_order(places, piles, rules)
    return piles


def _check_goes_up(place: Place, card: int, number: int, height: int, rules: Rules) -> None:
    if height >= MONTHS:
        raise place.error(f"{code(card)} is too much: a pile is complete with its December card")
    if card // 4 != height:
        raise place.error(
            f"{code(card)} cannot be card {height + 1} of a pile: piles go up month by month from"
            f" January, so a card of {MONTH_NAMES[height]} is due"
        )
    if not rules.takes(number, card):
        own = " or ".join(f"F{pile + 1}" for pile in range(PILES) if rules.takes(pile, card))
        raise place.error(
            f"{code(card)} belongs to {own}, not F{number + 1} (foundation_suits=by_class)"
        )


def _check_order(places: list[Place], piles: tuple[tuple[int, ...], ...], rules: Rules) -> None:
    barred = {"completion": MONTHS, "sequential": 1, "none": MONTHS + 1}[rules.foundation_order]
    for number, pile in enumerate(piles):
        short = [f"F{k + 1}" for k in range(number) if len(piles[k]) < MONTHS]
        if len(pile) >= barred and short:
            act = "start" if barred == 1 else "take its December"
            raise (
                places[number]
                .at(barred - 1, None)
                .error(
                    f"F{number + 1} cannot {act} before {', '.join(short)} are complete"
                    f" (foundation_order={rules.foundation_order})"
                )
            )


def _read_turns(turns: Place, rules: Rules) -> int:
    if rules.max_passes:
        return turns.integer(0, rules.max_passes - 1, f"max_passes={rules.max_passes}")
    return turns.integer(0, _MOST_TURNS)
