"""A parsed JSON document under examination: a cursor that knows its place, and a card census.

The code that reads a game's files walks a document with `Place`, so that it reads like the format's
description and every refusal points to the spot at fault by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from hanasolve import cards
from hanasolve.errors import InstanceError, RulesError, nearest

R = TypeVar("R")

UNKNOWN: Final = "?"
"""What stands in a file for a card whose identity is unknown."""

_REQUIRED: Final = object()
_LONGEST_POINTER: Final = 120
_MOST_LISTED: Final = 6


class Place:
    """A value of a JSON document, together with where it stands.

    Parameters
    ----------
    value : object
        The value, as a JSON parser gives it.
    path : tuple of str and int, optional
        The keys and indices that lead to it from the whole document.
    source : str, optional
        Name of the file, for errors.

    Examples
    --------
    >>> deck = Place({"deck": ["01a", 99]}).key("deck")
    >>> [card.pointer for card in deck.items()]
    ['/deck/0', '/deck/1']
    >>> str(list(deck.items())[1].error("99 is no card"))
    '/deck/1: 99 is no card'
    """

    __slots__ = ("path", "source", "value")

    def __init__(self, value: Any, path: tuple[str | int, ...] = (), source: str = "") -> None:
        self.value = value
        self.path = path
        self.source = source

    @property
    def pointer(self) -> str:
        """JSON pointer (RFC 6901) to the place.

        A pointer stays one short line: a key that is not printable, or too long, ends it at what
        encloses that key.
        """
        text = ""
        for step in self.path:
            token = str(step).replace("~", "~0").replace("/", "~1")
            if not token.isprintable() or len(text) + len(token) >= _LONGEST_POINTER:
                break
            text += f"/{token}"
        return text

    def error(self, message: str) -> InstanceError:
        """Make the error, to be raised by the caller, that this place is at fault."""
        return InstanceError(message, self.pointer, self.source)

    def __contains__(self, name: str) -> bool:
        return name in self.value

    def at(self, step: str | int, value: Any) -> Place:
        """Give the place of a value right below this one."""
        return Place(value, (*self.path, step), self.source)

    def fields(self, known: Collection[str]) -> Place:
        """Give this very place, once it is known to be an object with no other keys than these."""
        for name in self.mapping().value:
            if name not in known:
                hint = nearest(name, known) or f"; there are {', '.join(known)}"
                raise self.at(name, None).error(f"there is no key {shown(name)}{hint}")
        return self

    def mapping(self) -> Place:
        """Give this very place, once it is known to be an object."""
        if not isinstance(self.value, Mapping):
            raise self.error(f"an object {{…}} must stand here, not {shown(self.value)}")
        return self

    def key(self, name: str, default: Any = _REQUIRED) -> Place:
        """Give what stands under a key of this object; without a default the key must be there."""
        value = self.mapping().value.get(name, default)
        if value is _REQUIRED:
            raise self.error(f'the key "{name}" is missing')
        return self.at(name, value)

    def items(self, count: int | None = None) -> Iterator[Place]:
        """Give the places of a list's items; with a count, the list must have just as many."""
        if not isinstance(self.value, list | tuple):
            raise self.error(f"a list […] must stand here, not {shown(self.value)}")
        if count is not None and len(self.value) != count:
            raise self.error(f"{count} items must stand in this list, not {len(self.value)}")
        return (self.at(index, value) for index, value in enumerate(self.value))

    def text(self) -> str:
        """Give the text that stands here."""
        if not isinstance(self.value, str):
            raise self.error(f"a text must stand here, not {shown(self.value)}")
        try:
            self.value.encode()
        except UnicodeEncodeError:
            raise self.error("the text has half of a surrogate pair; leave it out") from None
        return self.value

    def choice(self, names: Collection[str]) -> str:
        """Give the one of some names that stands here."""
        if self.text() not in names:
            hint = nearest(self.value, names) or f"; there is {', '.join(names)}"
            raise self.error(f"{shown(self.value)} cannot stand here{hint}")
        return self.text()

    def integer(self, low: int, high: int, why: str = "") -> int:
        """Give the integer that stands here, from low to high; ``true`` and ``1.0`` are none."""
        value = self.value
        if type(value) is not int or not low <= value <= high:
            because = f" ({why})" if why else ""
            raise self.error(
                f"an integer from {low} to {high} must stand here{because}, not {shown(value)}"
            )
        return value

    def rules(self, of: Callable[[str | Mapping[str, Any]], R]) -> R:
        """Make a game's rules, by its `Rules.of`, from the preset or switches that stand here.

        A switch at fault is pointed to if it stands here, and otherwise the whole is.
        """
        if not isinstance(self.value, str | Mapping):
            raise self.error(
                f"a preset's name or an object of switches must stand here, not {shown(self.value)}"
            )
        switches = self.value if isinstance(self.value, Mapping) else {}
        for name, value in switches.items():
            # Anything else could be too large or too deep to be quoted in the rules' own refusal.
            if not isinstance(value, str | int) or _is_huge(value):
                raise self.at(name, value).error(f"no switch can be {shown(value)}")
        try:
            return of(self.value)
        except RulesError as error:
            culprit = error.switch or "preset"
            place = self.key(culprit) if culprit in switches else self
            raise place.error(str(error)) from None


class Census:
    """Which cards a document has named so far, and where: each must be there exactly once.

    Parameters
    ----------
    deck : iterable of int, optional
        The cards that there are; by default all 48.
    """

    def __init__(self, deck: Iterable[int] = range(cards.DECK_SIZE)) -> None:
        self._deck: Final = frozenset(deck)
        self._named: Final[dict[int, Place]] = {}
        self._hidden = 0

    def card(self, place: Place) -> int | None:
        """Read a card; None is one whose identity is unknown."""
        if place.value != UNKNOWN:
            return self.known(place)
        self._hidden += 1
        if self._hidden > len(self._deck):
            raise place.error(f'there are more "?" than the {len(self._deck)} cards of the game')
        return None

    def known(self, place: Place, otherwise: str = "the identity of this card is known") -> int:
        """Read a card that cannot be unknown; ``otherwise`` says why not."""
        if place.value == UNKNOWN:
            raise place.error(f'"?" cannot stand here: {otherwise}; write its code')
        card = read_card(place)
        if card not in self._deck:
            raise place.error(
                f"{cards.code(card)} is not among the cards of this game; leave it out"
            )
        first = self._named.setdefault(card, place)
        if first is not place:
            raise place.error(
                f"{cards.code(card)} stands twice, first at {first.pointer}; leave one"
            )
        return card

    def close(self, place: Place) -> None:
        """Refuse the place, the end of the count, unless every card is named or stands as "?"."""
        missing = sorted(self._deck - self._named.keys())
        surplus = self._hidden - len(missing)
        if surplus > 0:
            raise place.error(
                f'{surplus} "?" too many: {self._hidden} stand for {len(missing)} cards not named'
            )
        if surplus < 0 and not self._hidden:
            raise place.error(f"cards are missing: {_listed(missing)}; each card is there once")
        if surplus < 0:
            raise place.error(
                f'cards are missing: only {self._hidden} "?" stand for {len(missing)} cards not'
                f" named, {_listed(missing)}"
            )


def refuse_unknown_in(piles: Iterable[tuple[str, Sequence[object]]], source: str = "") -> None:
    """Refuse piles, each with its pointer, in which a card's identity is unknown.

    Whatever is no id stands for such a card. The error points to the first one.
    """
    for pointer, pile in piles:
        for index, card in enumerate(pile):
            if not isinstance(card, int):
                raise InstanceError(
                    "the identity of this card is unknown; every card must be known here",
                    f"{pointer}/{index}",
                    source,
                )


def shown(value: object) -> str:
    """Give a value of a document as a message quotes it: short, printable, on one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = repr(value[:41])
        return text if len(text) <= 42 else f"{text[:38]}…{text[-1]}"
    if isinstance(value, int | float):
        return "a huge number" if _is_huge(value) else repr(value)
    return "an object" if isinstance(value, Mapping) else "a list"


def read_card(place: Place) -> int:
    """Read a card that is known, wherever it may have been named before."""
    value = place.value
    try:
        if isinstance(value, str | int) and not _is_huge(value):
            return cards.parse(value)
    except ValueError:
        pass
    raise place.error(f"{shown(value)} {cards.NO_CARD}")


def _is_huge(value: object) -> bool:
    # Python refuses to write out an integer of more than 4300 digits.
    return type(value) is int and not -(2**63) <= value < 2**63


def _listed(missing: list[int]) -> str:
    text = " ".join(map(cards.code, missing[:_MOST_LISTED]))
    more = len(missing) - _MOST_LISTED
    return f"{text} … and {more} more" if more > 0 else text
