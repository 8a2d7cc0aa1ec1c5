"""Instance files, the one door for input: reading, checking and writing them, for any game.

A file holds one JSON object, or JSON Lines. What every file has, the envelope, is checked here; the
game's own part by its ``instance`` module, imported when the first file of that game comes.
Every refusal is one `InstanceError` that names the file, the place in it and the remedy.
"""

from __future__ import annotations

import codecs
import contextlib
import dataclasses
import itertools
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, BinaryIO, Final, Protocol

from hanasolve.document import Place, shown
from hanasolve.errors import InstanceError, nearest
from hanasolve.games import GAMES, room
from hanasolve.jsontext import MAX_BYTES, MAX_DOCUMENT, TOO_LARGE, parse, refuse_double_keys, split

__all__ = [
    "FORMAT", "MAX_BYTES", "Document", "Game", "Instance", "Item",
    "check", "decode", "encode", "envelope", "load", "load_json", "read", "state_of",
]  # fmt: skip

FORMAT: Final = "hanasolve/1"
"""The format that this version reads and writes."""

_ENVELOPE: Final = ("format", "game", "rules", "id", "note", "expect")
_START: Final = f'an instance starts {{"format": "{FORMAT}", "game": …'
_FIRST_LINES: Final = 100
_LONGEST_NAME: Final = 200
_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Instance:
    """A position of a game, with its rules and what a file says about it.

    Attributes
    ----------
    game : str
        The game's name, for example ``"solitaire2"``.
    rules, position
        The game's own ``Rules`` and ``Position``; their types follow from ``game``.
    id : str or int, optional
        The name that results carry along.
    note : str, optional
        A remark for people.
    expect : mapping, optional
        What tests expect of it; carried along unread.
    """

    game: str
    rules: Any
    position: Any
    id: str | int | None = None
    note: str | None = None
    expect: Mapping[str, object] | None = None


Item = tuple[int | None, Instance | InstanceError]
"""A line's number in a JSON Lines file, else None; and what stands there, or why it is refused."""


@dataclasses.dataclass(frozen=True)
class Document:
    """A file that is being read.

    Attributes
    ----------
    source : str
        The file's name as messages give it.
    is_lines : bool
        Whether it is JSON Lines: one result a line is due then, otherwise one result.
    items : iterator of (int or None, Instance or InstanceError)
        What it holds, read as it is asked for. The first is the line's number, None for one object.
        A refused line stands in its place, as its error; a file refused as a whole is one error.
    """

    source: str
    is_lines: bool
    items: Iterator[Item]

    def only(self) -> Instance:
        """Give the instance of a file that must hold one object.

        Raises
        ------
        InstanceError
            When it is refused, or the file is JSON Lines.
        """
        if self.is_lines:
            raise InstanceError("one instance is wanted here, not JSON Lines", source=self.source)
        _, item = next(self.items)
        if isinstance(item, InstanceError):
            raise item
        return item


class Game(Protocol):
    """What a game's ``instance`` module has."""

    @property
    def KEYS(self) -> Collection[str]:  # noqa: N802
        """The keys that the game adds to the envelope."""

    def read_position(self, document: Place, rules: Any, /) -> Any:
        """Read the game's position from the whole document."""

    def write_position(self, position: Any, /) -> dict[str, object]:
        """Give a position by the game's keys."""


def decode(text: bytes | str, source: str = "") -> Instance:
    """Read an instance from the text of one JSON document.

    Parameters
    ----------
    text : bytes or str
        The document; bytes are UTF-8.
    source : str, optional
        Name of the file, for errors.

    Returns
    -------
    Instance

    Raises
    ------
    InstanceError
        With the pointer to the place at fault; nothing is guessed and nothing repaired.

    Examples
    --------
    >>> deck = list(range(48))
    >>> text = f'{{"format": "hanasolve/1", "game": "solitaire2", "deck": {deck}}}'
    >>> decode(text).position.up
    ((0,), (6,), (11,), (15,), (18,), (20,))
    >>> decode(text.replace("47", '"1a"'), "my.json")
    Traceback (most recent call last):
    hanasolve.errors.InstanceError: my.json: /deck/47: 01a stands twice, first at /deck/0; leave one
    """
    value = parse(text, source)
    with _named(value):
        refuse_double_keys(text, source)
    return check(value, source)


def check(document: object, source: str = "") -> Instance:
    """Make an instance from a JSON document that is parsed already; the rest is as in `decode`."""
    with _named(document):
        whole = Place(document, (), source).mapping()
        game = _read_envelope(whole)
        name = whole.key("game").text()
        rules = whole.key("rules", "base").rules(room(name, "rules").Rules.of)
        return Instance(
            game=name,
            rules=rules,
            position=game.read_position(whole, rules),
            id=_read_id(whole.key("id")) if "id" in whole else None,
            note=whole.key("note").text() if "note" in whole else None,
            expect=whole.key("expect").mapping().value if "expect" in whole else None,
        )


def encode(instance: Instance) -> dict[str, object]:
    """Give an instance as a JSON-ready object, which `check` reads as the same instance."""
    game = _game(Place(instance.game))
    document = envelope(instance.game, instance.rules, id=instance.id, note=instance.note)
    document |= game.write_position(instance.position)
    if instance.expect is not None:
        document["expect"] = dict(instance.expect)
    return document


def envelope(
    game: str, rules: Any, *, id: str | int | None = None, note: str | None = None
) -> dict[str, object]:
    """Give what every instance file begins with, JSON-ready."""
    document: dict[str, object] = {"format": FORMAT, "game": game}
    known = {"id": id, "note": note}
    document |= {name: value for name, value in known.items() if value is not None}
    document["rules"] = rules.written()
    return document


def read(path: str) -> Iterator[Instance | InstanceError]:
    """Read the instances of a file one after another, each or the error why it is refused."""
    return (item for _, item in load(path).items)


def state_of(instance: Instance, source: str = "") -> Any:
    """Make the state that an instance describes.

    Raises
    ------
    InstanceError
        When a card's identity is unknown, in a game whose states have all cards known.
    """
    state = room(instance.game, "state").State
    if not state.takes_unknown:
        room(instance.game, "instance").refuse_unknown(instance.position, source)
    return state(instance.position, instance.rules)


def load(path: str) -> Document:
    """Open a file of one object, or of JSON Lines.

    A file whose whole text is one JSON object is one object, over however many lines. It is JSON
    Lines when one of its lines by itself is an object, or its name ends with ``.jsonl``.

    Parameters
    ----------
    path : str
        The file; ``-`` is the standard input.

    Returns
    -------
    Document
        It is read lazily, and the file closed at its end. Also a file that does not exist gives
        one, whose only item is the error.
    """
    source = _source(path)
    with contextlib.ExitStack() as closing:
        try:
            stream = closing.enter_context(_open(path))
            head = stream.read(MAX_DOCUMENT + 1) or b""
        except (OSError, ValueError) as error:
            return Document(source, False, iter([(None, _unreadable(error, source))]))
        if _is_lines(head, path):
            lines = _each_line(head, stream, source, closing.pop_all())
            # Only a generator that has begun closes the file when it is dropped.
            return Document(source, True, itertools.chain([next(lines)], lines))
    return Document(source, False, iter([(None, _attempt(head, source))]))


def load_json(path: str) -> Place:
    """Read a file that holds any one JSON document, for example a result.

    Raises
    ------
    InstanceError
        When it cannot be read, is not JSON or too large.
    """
    source = _source(path)
    try:
        with _open(path) as stream:
            text = stream.read(MAX_DOCUMENT + 1) or b""
    except (OSError, ValueError) as error:
        raise _unreadable(error, source) from None
    value = parse(text, source)
    refuse_double_keys(text, source)
    return Place(value, (), source)


@contextlib.contextmanager
def _named(document: object) -> Iterator[None]:
    """Let the errors raised inside carry the ``"id"`` of the document, if it has a valid one."""
    try:
        yield
    except InstanceError as error:
        if isinstance(document, Mapping):
            with contextlib.suppress(InstanceError):
                error.id = _read_id(Place(document.get("id")))
        raise


def _read_envelope(whole: Place) -> Game:
    # The format first: another one may well have other keys.
    if "format" in whole and whole.key("format").value != FORMAT:
        place = whole.key("format")
        raise place.error(f"the format {shown(place.value)} is unknown; it is {shown(FORMAT)}")
    if "game" not in whole:
        missing = '"game" is' if "format" in whole else '"format" and "game" are'
        raise whole.error(f"{missing} missing; {_START}")
    game = _game(whole.key("game"))
    whole.fields((*_ENVELOPE, *game.KEYS))
    if "format" not in whole:
        raise whole.error(f'"format" is missing; {_START}')
    return game


def _game(place: Place) -> Game:
    name = place.text()
    if name in GAMES:
        game: Game = room(name, "instance")
        return game
    known = ", ".join(GAMES)
    hint = nearest(name, GAMES)
    raise place.error(f"there is no game {shown(name)}{hint}; there is {known}")


def _read_id(place: Place) -> str | int:
    if isinstance(place.value, str):
        return place.text()
    if type(place.value) is not int:
        raise place.error(f"an id is a text or an integer, not {shown(place.value)}")
    return place.integer(-(2**63), 2**63 - 1)


def _source(path: str) -> str:
    if path == "-":
        return "standard input"
    return path if path.isprintable() and len(path) <= _LONGEST_NAME else shown(path)


def _open(path: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if path != "-":
        if os.stat(path).st_size > MAX_BYTES:
            raise InstanceError(TOO_LARGE)
        return open(path, "rb")
    if sys.stdin is None or sys.stdin.closed:
        raise InstanceError("there is no standard input; name a file")
    return contextlib.nullcontext(sys.stdin.buffer)


def _unreadable(error: Exception, source: str) -> InstanceError:
    match error:
        case InstanceError():
            message = error.message
        case FileNotFoundError():
            message = "there is no such file; check the name"
        case IsADirectoryError():
            message = "this is a directory; name a file in it"
        case PermissionError():
            message = "the file may not be read; check its permissions"
        case OSError():
            message = f"the file cannot be read: {error.strerror or 'input failed'}"
        case _:
            message = "this cannot be the name of a file; check it"
    return InstanceError(message, source=source)


def _is_lines(head: bytes, path: str) -> bool:
    """Whether a file that begins so is JSON Lines; the head is all of it if at most 1 MiB."""
    lines = [line for line in head.split(b"\n") if line.strip()]
    named = path.endswith(".jsonl")
    complete = len(head) <= MAX_DOCUMENT
    if complete and _is_object(head):
        return named and len(lines) == 1
    if not lines or head.startswith(_MARKS):
        return False
    if named:
        return True
    # Lines inside a pretty-printed object are indented, so they do not count when it is broken.
    return len(lines) > 1 and any(
        line.startswith(b"{") and _is_object(line) for line in itertools.islice(lines, _FIRST_LINES)
    )


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(parse(text), dict)
    except InstanceError:
        return False


def _each_line(
    head: bytes, stream: BinaryIO, source: str, closing: contextlib.ExitStack
) -> Iterator[Item]:
    number = 0
    with closing:
        try:
            for number, line in enumerate(split(head, stream), 1):
                if line.strip():
                    yield number, _attempt(line, f"{source}:{number}")
        except (OSError, InstanceError) as error:
            yield number + 1, _unreadable(error, source)


def _attempt(text: bytes, source: str) -> Instance | InstanceError:
    try:
        return decode(text, source)
    except InstanceError as error:
        # A traceback would keep every frame, and the text, of each refused line alive.
        return error.with_traceback(None)
