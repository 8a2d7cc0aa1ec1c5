"""Instance files: what is read, what is refused and where, and that writing is reading reversed."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanasolve import instances, jsontext
from hanasolve.cards import CODES, shuffle, uniform_stream
from hanasolve.errors import InstanceError, RulesError
from hanasolve.instances import Instance, check, decode, encode, load, read
from hanasolve.solitaire2.position import Position, deal
from hanasolve.solitaire2.rules import PRESETS, Rules
from hanasolve.switches import choices, defaults

HEAD = {"format": "hanasolve/1", "game": "solitaire2"}
DECK = [*CODES]
MIB = 1024 * 1024

# How fast a machine is decides nothing here.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def a_deal(**more: Any) -> dict[str, Any]:
    return {**HEAD, "deck": [*DECK], **more}


def a_position(**more: Any) -> dict[str, Any]:
    """Give a position whose piles are as told, and whose other cards are in the stock."""
    named = set(json.dumps(more).replace('"', " ").split())
    return {**HEAD, "stock": [card for card in DECK if card not in named], **more}


def columns(*first: dict[str, Any]) -> list[dict[str, Any]]:
    return [*first, *({} for _ in range(6 - len(first)))]


def pile(pile: int, months: int) -> list[str]:
    """Give the cards of a foundation pile under ``by_class``, from January on."""
    rules = PRESETS["rule1"]
    return [CODES[card] for card in range(4 * months) if rules.pile_of(card) == pile]


def resolve(document: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def assert_pleasant(error: InstanceError) -> None:
    """Check that an error is one printable line of moderate length."""
    assert str(error).isprintable()
    assert len(str(error)) < 500
    assert error.message


def refused(document: Any) -> InstanceError:
    """Give the error for a document, the same from its text and parsed."""
    with pytest.raises(InstanceError) as parsed:
        check(document, "a.json")
    with pytest.raises(InstanceError) as from_text:
        decode(json.dumps(document), "a.json")
    assert str(parsed.value) == str(from_text.value)
    assert parsed.value.source == "a.json"
    assert_pleasant(parsed.value)
    resolve(document, parsed.value.pointer)
    return parsed.value


def refused_text(text: bytes | str) -> InstanceError:
    with pytest.raises(InstanceError) as caught:
        decode(text, "a.json")
    assert_pleasant(caught.value)
    return caught.value


# What is read


def test_deal() -> None:
    instance = decode(json.dumps(a_deal(rules="rule12", id=7, note="n", expect={"status": "x"})))
    assert instance == Instance(
        game="solitaire2",
        rules=PRESETS["rule12"],
        position=deal(range(48)),
        id=7,
        note="n",
        expect={"status": "x"},
    )


def test_what_may_be_left_out() -> None:
    instance = check(a_position())
    assert instance.rules == Rules()
    assert instance.position == Position(stock=tuple(range(48)))
    assert (instance.id, instance.note, instance.expect) == (None, None, None)


@pytest.mark.parametrize(
    "deck", [range(48), [code.lstrip("0") for code in DECK], [*range(24), *DECK[24:]]]
)
def test_ids_and_short_codes(deck: Any) -> None:
    assert check(a_deal(deck=list(deck))).position == deal(range(48))


def test_position() -> None:
    document = a_position(
        tableau=columns({"up": ["03a"]}, {"down": ["02c"], "up": ["07a", "06d"]}),
        waste=["04a", "12d"],
        foundations=[["01c", "02b"], [], ["01d"], []],
        turns=1,
        rules={"max_passes": 3},
    )
    position = check(document).position
    assert position.down == ((), (6,), (), (), (), ())
    assert position.up == ((8,), (24, 23), (), (), (), ())
    assert position.waste == (12, 47)
    assert position.foundations == ((2, 5), (), (3,), ())
    assert position.turns == 1
    assert len(position.stock) == 39


def test_hidden_position() -> None:
    document = a_deal()
    del document["deck"]
    document |= {
        "tableau": [{"down": ["?"] * c, "up": [DECK[c]]} for c in range(6)],
        "stock": ["?"] * 26 + ["12d"],
    }
    position = check(document).position
    assert None in position.cards()
    assert position.down[3] == (None,) * 3
    assert position.stock == (None,) * 26 + (47,)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("klondike12", PRESETS["klondike12"]),
        ({}, Rules()),
        ({"alternate": True}, PRESETS["rule2"]),
        ({"preset": "rule1", "alternate": True}, PRESETS["rule12"]),
    ],
)
def test_rules(rules: object, expected: Rules) -> None:
    assert check(a_deal(rules=rules)).rules == expected


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        ("rule2", {"tableau": columns({"up": ["03a", "02c", "01a"]})}),
        ({"tableau_step": "any_earlier"}, {"tableau": columns({"up": ["09a", "03a", "01a"]})}),
        ("base", {"foundations": [["01c"], ["01a", "02d"], [], ["01b"]]}),
        ("rule1", {"foundations": [[], ["01b"], ["01c"], []]}),
        ("rule1", {"foundations": [pile(0, 12), pile(1, 12), pile(2, 11), pile(3, 11)]}),
        ("klondike12", {"foundations": [[], [], [], pile(3, 12)]}),
        (
            {"foundation_suits": "by_class", "foundation_return": True},
            {"foundations": [pile(0, 11), pile(1, 12), [], []]},
        ),
        (
            {"foundation_suits": "by_class", "nonpoint_piles": "interchangeable"},
            {"foundations": [[], [], ["01d", "02c"], ["01c", "02d"]]},
        ),
        (
            {"foundation_suits": "by_class", "foundation_order": "sequential"},
            {"foundations": [pile(0, 12), pile(1, 3), [], []]},
        ),
        ({"max_passes": 3}, {"turns": 2}),
        ("base", {"turns": 1_000_000}),
    ],
)
def test_positions_that_can_be(rules: object, more: dict[str, Any]) -> None:
    assert check(a_position(rules=rules, **more))


@pytest.mark.parametrize("id", ["", "deal 5\n", 0, -(2**63), 2**63 - 1])
def test_id(id: str | int) -> None:
    assert check(a_deal(id=id)).id == id


def test_expect_is_carried_along_unchanged() -> None:
    expect = {"status": "solved", "deep": [[{"a": 1.5}], None]}
    assert check(a_deal(expect=expect)).expect == expect


def test_seeded_deal_stays_the_same_for_ever() -> None:
    deck = shuffle(list(range(48)), uniform_stream(1))
    assert [CODES[card] for card in deck[:8]] == [
        "11a",
        "04b",
        "09b",
        "01c",
        "11c",
        "04a",
        "05c",
        "10b",
    ]
    instance = check(a_deal(deck=deck, id=1))
    assert instance.position == deal(deck)
    assert check(encode(instance)) == instance


# What is refused, and where

ENVELOPE_FAULTS: list[tuple[Any, str, str]] = [
    ([], "", "an object {…} must stand here, not a list"),
    ("x" * 99, "", "not 'xxxxxxxx"),
    (None, "", "not null"),
    (True, "", "not true"),
    (17, "", "not 17"),
    ({}, "", '"format" and "game" are missing'),
    ({"game": "solitaire2"}, "", '"format" is missing'),
    ({"format": "hanasolve/1"}, "", '"game" is missing'),
    (a_deal(format="hanasolve/2"), "/format", "'hanasolve/2' is unknown; it is 'hanasolve/1'"),
    (a_deal(format=1), "/format", "the format 1 is unknown"),
    ({"format": "other", "x": 1}, "/format", "unknown"),
    (a_deal(game="solitaire"), "/game", "there is no game 'solitaire' (did you mean solitaire2?)"),
    (a_deal(game=2), "/game", "a text must stand here, not 2"),
    (a_deal(game="tamaky"), "/game", "there is no game 'tamaky' (did you mean tamaki?)"),
    (a_deal(game="treasure"), "/game", "(did you mean treasures?)"),
    (a_deal(game="g\n" * 999), "/game", r"there is no game 'g\ng\n"),
    (a_deal(dek=[]), "/dek", "there is no key 'dek' (did you mean deck?)"),
    ({"fromat": "hanasolve/1", "game": "solitaire2"}, "/fromat", "(did you mean format?)"),
    (a_deal(**{"a/b~c": 1}), "/a~1b~0c", "there is no key 'a/b~c'; there are format, game"),
    (a_deal(**{"": 1}), "/", "there is no key ''"),
    (a_deal(**{"two\nlines": 1}), "", r"there is no key 'two\nlines'"),
    (a_deal(**{"k" * 999: 1}), "", "there is no key 'kkk"),
    (a_deal(id=None), "/id", "an id is a text or an integer, not null"),
    (a_deal(id=True), "/id", "not true"),
    (a_deal(id=1.0), "/id", "not 1.0"),
    (a_deal(id=2**63), "/id", "not a huge number"),
    (a_deal(id=10**400), "/id", "not a huge number"),
    (a_deal(id={}), "/id", "not an object"),
    (a_deal(note=5), "/note", "a text must stand here, not 5"),
    (a_deal(expect="solved"), "/expect", "an object {…} must stand here"),
    (a_deal(expect=[]), "/expect", "an object {…} must stand here, not a list"),
]

RULES_FAULTS: list[tuple[Any, str, str]] = [
    ("rule4", "/rules", "there is no preset 'rule4'"),
    (None, "/rules", "a preset's name or an object of switches must stand here, not null"),
    (["base"], "/rules", "not a list"),
    (1, "/rules", "not 1"),
    ({"preset": "rule4"}, "/rules/preset", "there is no preset"),
    ({"preset": 3}, "/rules/preset", "a preset is named by a text"),
    ({"alternates": True}, "/rules/alternates", "(did you mean alternate?)"),
    ({"alternate": 1}, "/rules/alternate", "alternate cannot be 1"),
    ({"max_passes": True}, "/rules/max_passes", "max_passes cannot be true"),
    ({"max_passes": -1}, "/rules/max_passes", "max_passes cannot be -1"),
    ({"max_passes": 3.0}, "/rules/max_passes", "no switch can be 3.0"),
    ({"max_passes": 10**400}, "/rules/max_passes", "no switch can be a huge number"),
    ({"run_moves": None}, "/rules/run_moves", "no switch can be null"),
    ({"run_moves": [[]]}, "/rules/run_moves", "no switch can be a list"),
    ({"draw_count": 4}, "/rules/draw_count", "draw_count cannot be 4; it is one of 3, 1, 2"),
    ({"empty_column": "decembr"}, "/rules/empty_column", "(did you mean december?)"),
    ({"point_scale": "hawaii"}, "/rules/point_scale", "has an effect only with"),
    ({"preset": "klondike12", "foundation_suits": "any"}, "/rules", "foundation_order has an"),
]

NOT_CARDS: list[tuple[Any, str]] = [
    ("13a", "'13a' is no card; write a code from 01a to 12d or an id from 0 to 47"),
    ("00a", "is no card"),
    ("1e", "is no card"),
    ("01A", "is no card"),
    ("01a\n", r"'01a\n' is no card"),
    ("", "'' is no card"),
    ("0", "'0' is no card"),
    ("??", "'??' is no card"),
    ("x" * 9999, "xxx…' is no card"),
    ("\u202e\x00", r"'\u202e\x00' is no card"),
    (48, "48 is no card"),
    (-1, "-1 is no card"),
    (1.0, "1.0 is no card"),
    (True, "true is no card"),
    (False, "false is no card"),
    (None, "null is no card"),
    ([], "a list is no card"),
    ({}, "an object is no card"),
    (10**400, "a huge number is no card"),
]

UP_7_6 = {"up": ["07a", "06d"]}
BY_CLASS = {"foundation_suits": "by_class"}
SEQUENTIAL = {**BY_CLASS, "foundation_order": "sequential"}
BOTH_NON = "06d cannot lie on 07d: both are non-point cards (alternate=true)"

POSITION_FAULTS: list[tuple[dict[str, Any], str, str]] = [
    (HEAD, "", "there is neither a deal nor a position"),
    (a_deal(stock=[]), "/stock", '"deck" and "stock" exclude each other'),
    (a_deal(turns=0), "/turns", '"deck" and "turns" exclude each other'),
    # Lists and objects
    (a_deal(deck={}), "/deck", "a list […] must stand here, not an object"),
    (a_position(tableau={}), "/tableau", "a list […] must stand here"),
    (a_position(tableau=[]), "/tableau", "6 items must stand in this list, not 0"),
    (a_position(tableau=[{}] * 7), "/tableau", "6 items must stand in this list, not 7"),
    (a_position(tableau=[*columns({})[:5], []]), "/tableau/5", "an object {…} must stand here"),
    (a_position(tableau=columns({"upp": []})), "/tableau/0/upp", "(did you mean up?)"),
    (a_position(tableau=columns({"up": "01a"})), "/tableau/0/up", "a list […] must stand here"),
    (a_position(tableau=columns({"down": None})), "/tableau/0/down", "not null"),
    (a_position(stock="?"), "/stock", "a list […] must stand here, not '?'"),
    (a_position(waste=3), "/waste", "a list […] must stand here, not 3"),
    (a_position(foundations=[[]] * 3), "/foundations", "4 items must stand in this list, not 3"),
    (a_position(foundations=[[], [], [], 0]), "/foundations/3", "a list […] must stand here"),
    # Counts
    (a_deal(deck=[]), "/deck", "01a 01b 01c 01d 02a 02b … and 42 more; each card is there once"),
    (a_deal(deck=DECK[:-1]), "/deck", "cards are missing: 12d; each"),
    (a_deal(deck=DECK[6:]), "/deck", "cards are missing: 01a 01b 01c 01d 02a 02b; each"),
    (a_deal(deck=DECK[7:]), "/deck", "02b … and 1 more; each"),
    (a_deal(deck=[*DECK, "05c"]), "/deck/48", "05c stands twice, first at /deck/18"),
    (a_deal(deck=["12d", *DECK[1:]]), "/deck/47", "12d stands twice, first at /deck/0"),
    (a_deal(deck=[*DECK[:47], 0]), "/deck/47", "01a stands twice, first at /deck/0"),
    (a_deal(deck=["?", *DECK[1:]]), "/deck/0", '"?" cannot stand here: a deal with hidden cards'),
    (
        a_position(stock=DECK, tableau=columns({"up": ["05c"]})),
        "/stock/18",
        "05c stands twice, first at /tableau/0/up/0",
    ),
    (
        a_position(stock=DECK, foundations=[[], [], [], ["01b"]]),
        "/foundations/3/0",
        "01b stands twice, first at /stock/1",
    ),
    ({**HEAD, "waste": DECK[1:]}, "", "cards are missing: 01a; each card is there once"),
    ({**HEAD, "stock": [*DECK, "?", "?"]}, "", '2 "?" too many: 2 stand for 0 cards not named'),
    ({**HEAD, "stock": [*DECK[2:], *"???"]}, "", '1 "?" too many: 3 stand for 2 cards not'),
    ({**HEAD, "stock": [*DECK[2:], "?"]}, "", 'only 1 "?" stand for 2 cards not named, 01a 01b'),
    ({**HEAD, "stock": ["?"] * 49}, "/stock/48", 'there are more "?" than the 48 cards'),
    (a_position(waste=["?"]), "/waste/0", '"?" cannot stand here: this card lies face up'),
    (a_position(tableau=columns({"up": ["?"]})), "/tableau/0/up/0", "this card lies face up"),
    (a_position(foundations=[["?"], [], [], []]), "/foundations/0/0", "lies face up"),
    # Columns
    (
        a_position(tableau=columns({}, {"down": ["05a"]})),
        "/tableau/1",
        "the last card of a column lies face up; move it from down to up",
    ),
    (
        a_position(tableau=columns({"up": ["07a", "06d", "04a"]})),
        "/tableau/0/up/2",
        "04a cannot lie on 06d: it must be exactly one month earlier (tableau_step=consecutive)",
    ),
    (a_position(tableau=columns({"up": ["06d", "07a"]})), "/tableau/0/up/1", "07a cannot lie on"),
    (
        a_position(tableau=columns({"up": ["06d", "06a"]}), rules={"tableau_step": "any_earlier"}),
        "/tableau/0/up/1",
        "it must be a month earlier (tableau_step=any_earlier)",
    ),
    (
        a_position(tableau=columns({}, {"up": ["07a", "06b"]}), rules="rule2"),
        "/tableau/1/up/1",
        "06b cannot lie on 07a: both are point cards (alternate=true)",
    ),
    (
        a_position(tableau=columns({"up": ["07d", "06d"]}), rules="rule2"),
        "/tableau/0/up/1",
        BOTH_NON,
    ),
    (
        a_position(tableau=columns({"up": ["07d", "05d"]}), rules="rule2"),
        "/tableau/0/up/1",
        "it must be exactly one month earlier",
    ),
    # Foundations
    (
        a_position(foundations=[[], ["02a"], [], []]),
        "/foundations/1/0",
        "02a cannot be card 1 of a pile: piles go up month by month from January, so a card of"
        " January is due",
    ),
    (
        a_position(foundations=[["01a", "01b"], [], [], []]),
        "/foundations/0/1",
        "so a card of February is due",
    ),
    (
        a_position(foundations=[[*pile(0, 12), "12b"], [], [], []]),
        "/foundations/0/12",
        "12b is too much: a pile is complete with its December card",
    ),
    (
        a_position(foundations=[[], ["01a"], [], []], rules="rule1"),
        "/foundations/1/0",
        "01a belongs to F1, not F2 (foundation_suits=by_class)",
    ),
    (
        a_position(foundations=[[], [], ["01d"], []], rules="rule1"),
        "/foundations/2/0",
        "01d belongs to F4, not F3",
    ),
    (
        a_position(
            foundations=[["01d"], [], [], []],
            rules={**BY_CLASS, "nonpoint_piles": "interchangeable"},
        ),
        "/foundations/0/0",
        "01d belongs to F3 or F4, not F1",
    ),
    (
        a_position(foundations=[pile(0, 11), pile(1, 11), pile(2, 12), []], rules="rule1"),
        "/foundations/2/11",
        "F3 cannot take its December before F1, F2 are complete (foundation_order=completion)",
    ),
    (
        a_position(foundations=[pile(0, 11), pile(1, 1), [], []], rules=SEQUENTIAL),
        "/foundations/1/0",
        "F2 cannot start before F1 are complete (foundation_order=sequential)",
    ),
    # Turns
    (a_position(turns=-1), "/turns", "an integer from 0 to 1000000000000 must stand here, not -1"),
    (a_position(turns=1.0), "/turns", "not 1.0"),
    (a_position(turns=True), "/turns", "not true"),
    (a_position(turns="1"), "/turns", "not '1'"),
    (a_position(turns=None), "/turns", "not null"),
    (a_position(turns=1_000_000_000_001), "/turns", "not 1000000000001"),
    (a_position(turns=10**400), "/turns", "not a huge number"),
    (a_position(turns=3, rules="rule3"), "/turns", "from 0 to 2 must stand here (max_passes=3)"),
    (a_position(turns=1, rules={"max_passes": 1}), "/turns", "from 0 to 0"),
]


@pytest.mark.parametrize(("document", "pointer", "fragment"), ENVELOPE_FAULTS + POSITION_FAULTS)
def test_refused(document: Any, pointer: str, fragment: str) -> None:
    error = refused(document)
    assert error.pointer == pointer
    assert fragment in error.message


@pytest.mark.parametrize(("rules", "pointer", "fragment"), RULES_FAULTS)
def test_refused_rules(rules: Any, pointer: str, fragment: str) -> None:
    error = refused(a_deal(rules=rules))
    assert error.pointer == pointer
    assert fragment in error.message


@pytest.mark.parametrize(("value", "fragment"), NOT_CARDS)
@pytest.mark.parametrize("where", ["deck", "stock", "waste"])
def test_refused_card(value: Any, fragment: str, where: str) -> None:
    error = refused({**HEAD, where: ["01b", value]})
    assert error.pointer == f"/{where}/1"
    assert fragment in error.message


TEXT_FAULTS: list[tuple[bytes | str, str, str]] = [
    (b"", "", "it is empty"),
    (" \n\t\n", "", "it is empty"),
    (b"\xef\xbb\xbf{}", "", "starts with a byte order mark; save it as UTF-8 without BOM"),
    ("\ufeff{}", "", "byte order mark"),
    (b'{"a":\n"\xff"}', "", "byte 7 (line 2) is not UTF-8"),
    ("{}".encode("utf-16"), "", "byte 0 (line 1) is not UTF-8"),
    (b'"\xed\xa0\x80"', "", "is not UTF-8"),
    ('"\ud800"', "", "is not UTF-8"),
    ("nonsense", "", "this is not JSON: expecting value (line 1, column 1)"),
    ('{"format":\n "hanasolve/1",\n}', "", "(line 3, column 1)"),
    ('{"a": 1', "", "this is not JSON: expecting ',' delimiter (line 1, column 8)"),
    ('{"a": "', "", "this is not JSON: unterminated string"),
    ("{} {}", "", "this is not JSON: extra data (line 1, column 4)"),
    ("{}\0", "", "this is not JSON: extra data"),
    ("['a']", "", "this is not JSON: expecting value"),
    ('["\n"]', "", "this is not JSON: invalid control character"),
    ('["\\x"]', "", "this is not JSON: invalid \\escape (line 1, column 3)"),
    ("[01]", "", "this is not JSON"),
    ('{"id": NaN}', "", "this is not JSON: NaN is no number of it"),
    ('{"id": -Infinity}', "", "this is not JSON: -Infinity is no number of it"),
    ('{"id": [NaN, ' + "[" * 9999, "", "this is not JSON: brackets are nested too deep"),
    ('{"id": "\\ud800"}', "", "half of a surrogate pair"),
    ('{"id": "\\ud800", "note": ""}', "", "half of a surrogate pair"),
    ('{"id": "\\udc00\\udc00"}', "", "half of a surrogate pair"),
    ('{"id": 1e400}', "", "a number is out of range"),
    ('{"id": ' + "1" * 5000 + "}", "", "a number is out of range"),
    ("[" * 10_000, "", "brackets are nested too deep"),
    ("[" * 10_000 + "]" * 10_000, "", "brackets are nested too deep"),
    ('{"a":' * 10_000, "", "brackets are nested too deep"),
    ('{"expect": ' + "[" * 10_000 + "]" * 10_000 + "}", "", "brackets are nested too deep"),
    ('{"game": "solitaire2", "game": "solitaire2"}', "/game", "the key 'game' stands twice"),
    ('{"a": 1, "\\u0061": 2}', "/a", "the key 'a' stands twice; leave one"),
    ('{"tableau": [{}, {"up": [], "up": []}]}', "/tableau/1/up", "the key 'up' stands twice"),
    ('{"expect": {"x": [0, {"a/b": 1, "c": 2, "a/b": 3}]}}', "/expect/x/1/a~1b", "'a/b' stands"),
    ('{"a": {"b": 1, "b": 1}, "a": 1}', "/a", "the key 'a' stands twice"),
    ('{"a\\n": 1, "a\\n": 1}', "", r"the key 'a\n' stands twice"),
    ('[{"\\n": {"b": 1, "b": 1}}]', "/0", "the key 'b' stands twice"),
]


@pytest.mark.parametrize(("text", "pointer", "fragment"), TEXT_FAULTS)
def test_refused_text(text: bytes | str, pointer: str, fragment: str) -> None:
    error = refused_text(text)
    assert error.pointer == pointer
    assert fragment in error.message


NONSENSE: dict[str, bytes] = {
    "random": random.Random(1).randbytes(MIB),
    "printable": bytes(random.Random(2).choices(range(32, 127), k=MIB)),
    "zeros": bytes(MIB),
    "brackets": b"[" * MIB,
    "lists": b"[" + b"[]," * (MIB // 3 - 1) + b"1]",
    "objects": b'{"a":' * (MIB // 5),
    "quotes": b'"' * MIB,
    "backslashes": b'"' + b"\\" * (MIB - 1),
    "digits": b"1" * MIB,
    "blank": b"\n" * MIB,
    "open lines": b"{\n" * (MIB // 2),
    "broken lines": b"{x}\n" * (MIB // 4),
    "keys": b"{" + b",".join(b'"%x":1' % n for n in range(90_000)) + b"}",
    "double key": b"{" + b",".join(b'"%x":1' % n for n in range(90_000)) + b',"0":1}',
    "unknown cards": json.dumps({**HEAD, "stock": ["?"] * 150_000}).encode(),
    "long game": json.dumps({**HEAD, "game": "g" * 1_000_000}).encode(),
    "long rules": json.dumps(a_deal(rules="r" * 1_000_000)).encode(),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_a_mebibyte_of_nonsense(name: str, tmp_path: Path) -> None:
    assert len(NONSENSE[name]) <= MIB
    assert "too large" not in refused_text(NONSENSE[name]).message
    path = tmp_path / "nonsense.json"
    path.write_bytes(NONSENSE[name])
    document = load(str(path))
    ((number, error),) = document.items
    assert number is None
    assert isinstance(error, InstanceError)
    assert not document.is_lines


def test_too_large_a_document() -> None:
    text = json.dumps(a_deal())
    assert decode(text + " " * (MIB - len(text)))
    assert "too large" in refused_text(text + " " * (MIB - len(text) + 1)).message
    assert "too large" in refused_text('"' + "é" * (MIB // 2) + '"').message


def test_what_json_cannot_hold_but_python_can() -> None:
    documents: list[Any] = [a_deal(id=10**5000), a_deal(note="\ud800"), {**a_deal(), 5: 1}]
    for document in documents:
        with pytest.raises(InstanceError) as caught:
            check(document)
        assert_pleasant(caught.value)


@pytest.mark.parametrize(
    ("text", "id"),
    [
        (json.dumps(a_deal(id="x", deck=[])), "x"),
        (json.dumps({"id": 5}), 5),
        ('{"id": 5, "game": 1, "game": 2}', 5),
        (json.dumps({"id": True}), None),
        (json.dumps({"id": [1]}), None),
        ("[]", None),
        ('{"id": 5', None),
    ],
)
def test_an_error_carries_the_id(text: str, id: str | int | None) -> None:
    assert refused_text(text).id == id


# Files


def write(path: Path, *documents: Any) -> str:
    path.write_text("\n".join(json.dumps(document) for document in documents) + "\n")
    return str(path)


def test_one_object(tmp_path: Path) -> None:
    document = load(write(tmp_path / "a.json", a_deal(id=1)))
    assert not document.is_lines
    assert document.source == str(tmp_path / "a.json")
    assert list(document.items) == [(None, check(a_deal(id=1)))]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@pytest.mark.parametrize("indent", [0, 2])
def test_one_object_over_many_lines(tmp_path: Path, name: str, indent: int) -> None:
    path = tmp_path / name
    path.write_text("\n" + json.dumps(a_deal(), indent=indent) + "\n\n")
    document = load(str(path))
    assert not document.is_lines
    assert document.only() == check(a_deal())


def test_a_broken_object_over_many_lines_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(a_position(tableau=[{}] * 6), indent=1).replace("]", "", 1))
    document = load(str(path))
    assert not document.is_lines
    with pytest.raises(InstanceError, match="not JSON"):
        document.only()


def test_one_line_is_json_lines_by_its_name(tmp_path: Path) -> None:
    document = load(write(tmp_path / "a.jsonl", a_deal(id=1)))
    assert document.is_lines
    assert list(document.items) == [(1, check(a_deal(id=1)))]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "lines"])
def test_json_lines(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    good = json.dumps(a_deal(id="good"))
    bad = json.dumps(a_deal(id="bad", deck=[*DECK[:47], 0]))
    path.write_bytes("\n".join(["", bad, "", " \r", good + "\r", "{not JSON", good]).encode())
    document = load(str(path))
    assert document.is_lines
    items = dict(document.items)
    assert list(items) == [2, 5, 6, 7]
    assert items[5] == items[7] == check(a_deal(id="good"))
    twice, broken = items[2], items[6]
    assert isinstance(twice, InstanceError)
    assert str(twice) == f"{path}:2: /deck/47: 01a stands twice, first at /deck/0; leave one"
    assert twice.id == "bad"
    assert isinstance(broken, InstanceError)
    assert broken.source == f"{path}:6"
    assert broken.id is None
    assert "not JSON" in broken.message


def test_only_wants_one_object(tmp_path: Path) -> None:
    with pytest.raises(InstanceError, match="not JSON Lines"):
        load(write(tmp_path / "a.jsonl", a_deal(), a_deal())).only()


def test_read_gives_each(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", a_deal(id=1), [], a_deal(id=3))
    one, error, three = read(path)
    assert isinstance(one, Instance)
    assert isinstance(three, Instance)
    assert isinstance(error, InstanceError)
    assert (one.id, three.id) == (1, 3)


def test_too_large_a_line_is_one_item(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps(a_deal()).encode()
    path.write_bytes(b"\n".join([good, b"[" * (3 * MIB), good, b"x" * (MIB + 1)]))
    kinds = [(number, isinstance(item, Instance)) for number, item in load(str(path)).items]
    assert kinds == [(1, True), (2, False), (3, True), (4, False)]


def test_lines_around_the_first_mebibyte(tmp_path: Path) -> None:
    path = tmp_path / "many"
    path.write_text((json.dumps(a_deal()) + "\n") * 8000)
    document = load(str(path))
    assert document.is_lines
    assert path.stat().st_size > 2 * MIB
    items = list(document.items)
    assert [number for number, _ in items] == [*range(1, 8001)]
    assert all(isinstance(item, Instance) for _, item in items)


def test_lines_are_read_as_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BytesIO((json.dumps(a_deal()).encode() + b"\n") * 10_000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
    document = load("-")
    assert next(document.items)[0] == 1
    assert stream.tell() <= MIB + 1


@pytest.mark.parametrize("lines", [1, 2])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    stream = io.BytesIO((json.dumps(a_deal()).encode() + b"\n") * lines + b"\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
    document = load("-")
    assert document.source == "standard input"
    assert document.is_lines == (lines == 2)
    assert len(list(document.items)) == lines
    assert not stream.closed


def refused_file(path: str) -> InstanceError:
    document = load(path)
    assert not document.is_lines
    ((number, error),) = document.items
    assert number is None
    assert isinstance(error, InstanceError)
    assert error.pointer == ""
    assert error.source == document.source
    assert_pleasant(error)
    return error


def test_refused_files(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    marked = tmp_path / "bom.jsonl"
    marked.write_text("\ufeff" + json.dumps(a_deal()) + "\n" + json.dumps(a_deal()))
    large = tmp_path / "large.jsonl"
    large.touch()
    os.truncate(large, instances.MAX_BYTES + 1)
    document = tmp_path / "document.json"
    document.write_text(json.dumps(a_deal(note="n" * MIB)))
    for path, fragment in {
        tmp_path / "none.json": "there is no such file",
        tmp_path: "this is a directory",
        empty: "it is empty",
        marked: "byte order mark",
        large: "the file is too large; split it",
        document: "the document is too large",
    }.items():
        error = refused_file(str(path))
        assert fragment in error.message
        assert error.source == str(path)


@pytest.mark.parametrize("path", ["a\0b", "x" * 9999, "no\nsuch", "no\udcffsuch", ""])
def test_strange_names(path: str) -> None:
    refused_file(path)


@pytest.mark.parametrize(
    ("raised", "fragment"),
    [
        (PermissionError(13, "denied"), "the file may not be read; check its permissions"),
        (OSError(5, "Input/output error"), "the file cannot be read: Input/output error"),
    ],
)
def test_unreadable(monkeypatch: pytest.MonkeyPatch, raised: OSError, fragment: str) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr("builtins.open", fail)
    assert fragment in refused_file(__file__).message


class Failing(io.BytesIO):
    """A stream that fails after some text."""

    def read(self, size: int | None = -1, /) -> bytes:
        text = super().read(size)
        if not text:
            raise OSError(5, "Input/output error")
        return text


def test_a_failure_on_the_way_is_the_last_item(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Failing((json.dumps(a_deal()).encode() + b"\n") * 2)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
    *good, (number, error) = load("-").items
    assert [type(item) for _, item in good] == [Instance] * 2
    assert number == 3
    assert isinstance(error, InstanceError)
    assert "Input/output error" in error.message


def test_a_stream_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "MAX_BYTES", 2 * MIB)
    stream = io.BytesIO((json.dumps(a_deal()).encode() + b"\n") * 10_000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
    *_, (_, error) = load("-").items
    assert isinstance(error, InstanceError)
    assert "the file is too large" in error.message
    assert stream.tell() <= 3 * MIB + 1


@pytest.mark.parametrize("closed", [True, False])
def test_no_standard_input(monkeypatch: pytest.MonkeyPatch, closed: bool) -> None:
    stdin = io.TextIOWrapper(io.BytesIO())
    stdin.close()
    monkeypatch.setattr("sys.stdin", stdin if closed else None)
    assert "there is no standard input" in refused_file("-").message


def through_fifo(path: Path, text: bytes) -> list[instances.Item]:
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(text,))
    writer.start()
    items = list(load(str(path)).items)
    writer.join()
    return items


def test_fifo(tmp_path: Path) -> None:
    line = json.dumps(a_deal()).encode() + b"\n"
    assert through_fifo(tmp_path / "one", line) == [(None, check(a_deal()))]
    assert len(through_fifo(tmp_path / "many", line * 5000)) == 5000
    ((_, error),) = through_fifo(tmp_path / "none", b"")
    assert isinstance(error, InstanceError)
    assert "it is empty" in error.message


# Writing


def test_encode() -> None:
    position = Position(
        down=((), (None,), (), (), (), ()),
        up=((8,), (24, 23), (), (), (), ()),
        stock=(None,) * 42,
        waste=(12,),
        foundations=((), (), (2,), ()),
        turns=2,
    )
    rules = PRESETS["rule12"]
    instance = Instance(game="solitaire2", rules=rules, position=position, id=1, note="n")
    written = encode(instance)
    assert written == {
        **HEAD,
        "id": 1,
        "note": "n",
        "rules": "rule12",
        "tableau": [
            {"down": [], "up": ["03a"]},
            {"down": ["?"], "up": ["07a", "06d"]},
            *[{"down": [], "up": []}] * 4,
        ],
        "stock": ["?"] * 42,
        "waste": ["04a"],
        "foundations": [[], [], ["01c"], []],
        "turns": 2,
    }
    assert check(written) == instance
    own = dataclasses.replace(instance, rules=Rules(draw_count=1), expect={"status": "solved"})
    assert encode(own)["rules"] == {"draw_count": 1}
    assert encode(own)["expect"] == {"status": "solved"}


def test_encode_refuses_another_game() -> None:
    with pytest.raises(InstanceError, match="there is no game"):
        encode(Instance(game="chess", rules=None, position=None))


@st.composite
def some_rules(draw: Callable[[Any], Any]) -> Rules:
    switches = {
        name: draw(st.sampled_from(choices(Rules, name) or range(5))) for name in defaults(Rules)
    }
    try:
        return Rules(**switches)
    except RulesError:
        return Rules(**{**switches, "foundation_suits": "by_class"})


@st.composite
def some_instances(draw: Callable[[Any], Any]) -> Instance:
    rules = draw(some_rules())
    chance = random.Random(draw(st.integers(0, 2**32)))
    return Instance(
        game="solitaire2",
        rules=rules,
        position=a_random_position(rules, chance),
        id=draw(st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=9)),
        note=draw(st.none() | st.text(max_size=9)),
        expect=draw(st.none() | st.dictionaries(st.text(max_size=3), st.booleans(), max_size=2)),
    )


def a_random_position(rules: Rules, chance: random.Random) -> Position:
    """Make a position of any stage of a game, some cards of it perhaps unknown."""
    cards = chance.sample(range(48), 48)
    foundations = some_foundations(rules, cards, chance)
    down, up = [], []
    for _ in range(6):
        run = [cards.pop()] if cards and chance.random() < 0.8 else []
        hidden = [cards.pop() for _ in range(min(len(cards), chance.randrange(6) if run else 0))]
        for card in [*cards]:
            if run and rules.fits(card, run[-1]) and chance.random() < 0.5:
                run.append(card)
                cards.remove(card)
        down.append(tuple(hidden))
        up.append(tuple(run))
    cut = chance.randint(0, len(cards))
    unknown = chance.choice([0, 0.5, 1])

    def seen(pile: Any) -> tuple[int | None, ...]:
        return tuple(None if chance.random() < unknown else card for card in pile)

    return Position(
        down=tuple(map(seen, down)),
        up=tuple(up),
        stock=seen(cards[:cut]),
        waste=tuple(cards[cut:]),
        foundations=foundations,
        turns=chance.randrange(rules.max_passes or 9),
    )


def some_foundations(
    rules: Rules, cards: list[int], chance: random.Random
) -> tuple[tuple[int, ...], ...]:
    piles: list[tuple[int, ...]] = []
    ordered = rules.foundation_suits == "by_class" and not rules.foundation_return
    for number in range(4):
        height = chance.choice([0, 3, 11, 12, 12])
        if ordered and any(len(pile) < 12 for pile in piles):
            height = min(
                height, {"none": 12, "completion": 11, "sequential": 0}[rules.foundation_order]
            )
        pile = []
        for month in range(height):
            card = next(c for c in cards if c // 4 == month and rules.takes(number, c))
            cards.remove(card)
            pile.append(card)
        piles.append(tuple(pile))
    return tuple(piles)


@unhurried
@given(some_instances())
def test_round_trip(instance: Instance) -> None:
    written = encode(instance)
    assert check(written) == instance
    assert decode(json.dumps(written)) == instance
    assert encode(check(written)) == written


def places(value: Any) -> list[tuple[Any, Any]]:
    """Give every container of a document with every key or index in it."""
    steps = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    found = [(value, step) for step in steps]
    return found + [deeper for step in steps for deeper in places(value[step])]


@unhurried
@given(some_instances(), st.data())
def test_a_card_exchanged_is_refused(instance: Instance, data: st.DataObject) -> None:
    written = encode(instance)
    spots = [(where, step) for where, step in places(written) if where[step] in CODES]
    if not spots:
        return
    where, step = data.draw(st.sampled_from(spots))
    other = data.draw(st.sampled_from(CODES))
    changed = other != where[step]
    known = None not in instance.position.cards()
    where[step] = other
    if changed and known:
        refused(written)


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["?", "01a", "base", "rule1", "up", "deck", "\n"])
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@unhurried
@given(some_instances(), JUNK, st.data())
def test_a_value_replaced_is_read_or_refused(
    instance: Instance, junk: Any, data: st.DataObject
) -> None:
    written = copy.deepcopy(encode(instance))
    where, step = data.draw(st.sampled_from(places(written)))
    where[step] = junk
    try:
        assert check(encode(check(written)))
    except InstanceError:
        refused(written)


@unhurried
@given(st.binary(max_size=60) | JUNK.map(json.dumps))
def test_any_text_is_refused(text: bytes | str) -> None:
    refused_text(text)
