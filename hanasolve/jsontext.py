"""The text of JSON documents: strict parsing, keys that stand twice, the lines of JSON Lines."""

from __future__ import annotations

import codecs
import collections
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO, Final

import msgspec

from hanasolve.document import Place, shown
from hanasolve.errors import InstanceError

MAX_DOCUMENT: Final = 1024 * 1024
"""Bytes of a single document, or of a line of a JSON Lines file; a larger one is refused."""

MAX_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a whole file; a larger one is refused."""

TOO_LARGE: Final = "the file is too large; split it into files of at most 64 MiB"

_TOO_DEEP: Final = "brackets are nested too deep; an instance needs four levels"


def parse(text: bytes | str, source: str = "") -> Any:
    """Read the text of one JSON document, strictly.

    Parameters
    ----------
    text : bytes or str
        The document; bytes are UTF-8. What `json` lets through is refused here: NaN, infinities,
        numbers out of range, half surrogate pairs, nesting too deep for the stack.
    source : str, optional
        Name of the file, for errors.

    Returns
    -------
    object
        The value, of dict, list, str, int, float, bool and None.

    Raises
    ------
    InstanceError
        When it is not JSON; also when it is empty or larger than `MAX_DOCUMENT`.
    """
    whole = Place(None, (), source)
    decoded = _decoded(text, whole)
    try:
        return msgspec.json.decode(decoded)
    except RecursionError:
        raise whole.error(_TOO_DEEP) from None
    except msgspec.ValidationError:
        raise whole.error("a number is out of range; no number here is that large") from None
    except msgspec.DecodeError:
        raise whole.error(f"this is not JSON: {_malformed(decoded)}") from None


def refuse_double_keys(text: bytes | str, source: str = "") -> None:
    """Refuse a document, one that `parse` accepts, in which a key stands twice in one object.

    The parser silently keeps the last of them, so this takes a second look with another one.

    Raises
    ------
    InstanceError
        With the pointer to such a key, at whatever depth.
    """
    found: list[_Twice] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            found.append(made := _Twice(made))
            counts = collections.Counter(name for name, _ in pairs)
            made.name = next(name for name, count in counts.items() if count > 1)
        return made

    whole = Place(None, (), source)
    try:
        whole.value = json.loads(text, object_pairs_hook=collect, parse_int=str)
    except RecursionError:
        raise whole.error(_TOO_DEEP) from None
    if not found:
        return
    waiting = [whole]
    while waiting:
        place = waiting.pop()
        if isinstance(place.value, _Twice):
            name = place.value.name
            raise place.at(name, None).error(f"the key {shown(name)} stands twice; leave one")
        if isinstance(place.value, dict):
            waiting += [place.at(name, value) for name, value in place.value.items()]
        elif isinstance(place.value, list):
            waiting += place.items()


def split(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a JSON Lines file, reading on as they are asked for.

    Parameters
    ----------
    head : bytes
        What has been read of the file so far.
    stream : binary file
        The rest of it.

    Yields
    ------
    bytes
        A line without its end. Of a line that is too large, it is just enough to show that.

    Raises
    ------
    InstanceError
        When the file turns out to be larger than `MAX_BYTES`.
    """
    total, rest = 0, b""
    for chunk in chain([head], iter(lambda: stream.read(MAX_DOCUMENT) or b"", b"")):
        total += len(chunk)
        if total > MAX_BYTES:
            raise InstanceError(TOO_LARGE)
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
        rest = rest[: MAX_DOCUMENT + 1]
    yield rest


class _Twice(dict[str, Any]):
    """An object in which a key stood twice."""

    name: str


def _decoded(text: bytes | str, whole: Place) -> str:
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    if len(text) > MAX_DOCUMENT:
        raise whole.error("the document is too large; an instance has at most 1 MiB")
    if not text.strip():
        raise whole.error("it is empty; an instance is one JSON object")
    if text.startswith(codecs.BOM_UTF8):
        raise whole.error("it starts with a byte order mark; save it as UTF-8 without BOM")
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise whole.error(
            f"byte {error.start} (line {line}) is not UTF-8; save it as UTF-8"
        ) from None


def _malformed(text: str) -> str:
    """Say why a text is not JSON: Python's own parser knows the line and column."""
    constants: list[str] = []
    try:
        json.loads(text, parse_constant=constants.append, parse_int=str)
    except RecursionError:
        return _TOO_DEEP
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at").rstrip(": ")
        return f"{reason} (line {error.lineno}, column {error.colno})"
    if constants:
        return f"{constants[0]} is no number of it; write the digits"
    return "a \\u escape is half of a surrogate pair; write both halves"
