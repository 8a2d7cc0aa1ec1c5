"""Instance files of Three Treasures: what is read, what is refused and where, and writing."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from hanasolve.cards import CODES
from hanasolve.errors import InstanceError
from hanasolve.instances import Instance, check, decode, encode
from hanasolve.treasures.instance import refuse_unknown
from hanasolve.treasures.position import Position, deal_seed
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State
from tests.reference import treasures as reference
from tests.test_treasures import random_position, random_rules

HEAD = {"format": "hanasolve/1", "game": "treasures"}
GAME = [code for code in CODES if code != "11a"]


def a_position(**more: Any) -> dict[str, Any]:
    """Give a position whose piles are as told; all other cards lie under the present."""
    document: dict[str, Any] = {
        **HEAD,
        "phase": "act",
        "hand": ["06c"],
        "present": ["04a"],
        "trial": [],
        "deck": [],
        "unknown": [],
        "discard": [],
        "victory": [],
        **more,
    }
    piles = [document[name] for name in ("hand", "trial", "deck", "unknown", "discard", "victory")]
    named = {card for pile in piles if isinstance(pile, list) for card in map(str, pile)}
    if isinstance(document["present"], list):
        named |= set(map(str, document["present"]))
        document["present"] = [c for c in GAME if c not in named] + document["present"]
    return document


HIDDEN = {"trial": ["?", "?", "?"], "deck": ["?", "08a"], "unknown": ["02c", "05a", "07d", "12d"]}
MARKED: dict[str, Any] = {
    "trial": ["?a", "?a", "?b"],
    "deck": ["?", "?", "?"],
    "unknown": ["02c", "05a", "07d", "08a", "12c", "12d"],
    "not": {"?a": ["08a"], "?b": ["08a", "05a"]},
    "discard": ["06b", "09b"],
}


def attempt(document: dict[str, Any]) -> Instance | InstanceError:
    """Read an instance; gives it, or the error."""
    try:
        return check(document)
    except InstanceError as error:
        return error


# What is read


def test_position() -> None:
    document = a_position(
        id=5, note="n", trial=["02c", "?", "07d"], deck=["05a", "?", "08a"], unknown=["12d", "01a"],
        discard=["11d", "09c"], victory=["09a", "03a"], hand=["06c", "01b"],
    )  # fmt: skip
    instance = check(document)
    position = instance.position
    assert (instance.game, instance.rules, instance.id, instance.note) == (
        "treasures", Rules(), 5, "n",
    )  # fmt: skip
    assert (position.phase, position.hand, position.present[-1]) == ("act", (1, 22), 12)
    assert (position.trial, position.deck) == ((6, "?", 27), (16, "?", 28))
    assert (position.unknown, position.discard) == ((0, 47), (34, 43))
    assert position.victory == (8, 32)
    assert position.barred == ()
    assert position.is_hidden


def test_restrictions() -> None:
    position = check(a_position(**MARKED)).position
    assert position.trial == ("?a", "?a", "?b")
    assert position.barred == (("?a", (28,)), ("?b", (16, 28)))


def test_what_may_be_left_out() -> None:
    document = a_position(deck=["08a"])
    whole = check(document).position
    for name in ("trial", "unknown", "discard", "victory"):
        del document[name]
    assert check(document).position == whole
    assert not whole.is_hidden


def test_ids_and_short_codes() -> None:
    document = a_position(**HIDDEN)
    same = json.loads(json.dumps(document).replace('"0', '"'))
    assert check(same) == check(document)
    document["hand"] = [22]
    assert check(document) == check(a_position(**HIDDEN))


@pytest.mark.parametrize("phase", ["start", "act", "acted"])
def test_phases(phase: str) -> None:
    assert check(a_position(phase=phase, **HIDDEN)).position.phase == phase


@pytest.mark.parametrize(
    "more",
    [
        {"hand": []},
        {"deck": []},
        {"hand": ["08a", "05a", "01a", "11d"], "phase": "acted"},
        {"present": ["02b"], "trial": ["05a", "05b", "05c"]},
        {"present": ["05a"]},
        {"trial": GAME[10:40], "present": ["11c"], "hand": ["12d"]},
        {"trial": ["?"] * 2, "deck": [], "unknown": ["01a", "01b"]},
        {"victory": ["03a", "05a", "09a"]},
        {**MARKED, "not": {"?a": ["08a"], "?b": ["08a"]}},
        {**MARKED, "not": {"?a": [], "?b": ["08a", "12a"]}},
        {**MARKED, "discard": ["06b", "09b", "10b"], "trial": ["?a", "?b", "?c"],
         "not": {"?a": ["08a"], "?b": ["08a", "05a"], "?c": ["08a", "05a", "12d"]}},
        {**MARKED, "trial": ["?a", "?z", "?z"], "not": {"?z": ["05a"], "?a": ["05a", "08a"]}},
        {"rules": {"covered_trial": "merge"}, "trial": ["?", "?", "?"], "unknown": GAME[:3]},
    ],
)  # fmt: skip
def test_positions_that_can_be(more: dict[str, Any]) -> None:
    """Only counts and kinds are checked, not whether play can lead there."""
    instance = check(a_position(**more))
    assert isinstance(State(instance.position, instance.rules), State)


# What is refused, and where

ANIMALS = ["01a", "02a", "04a", "06a", "07a", "08b", "10a", "11b", "12a"]

FAULTS: list[tuple[dict[str, Any], str, str]] = [
    (HEAD, "", 'the key "phase" is missing'),
    ({**a_position(), "tableau": []}, "/tableau", "there is no key 'tableau'"),
    ({**a_position(), "dekc": []}, "/dekc", "(did you mean deck?)"),
    # Phases
    (a_position(phase="over"), "/phase", "there is no phase 'over'"),
    (a_position(phase="atc"), "/phase", "(did you mean act?)"),
    (a_position(phase=1), "/phase", "a text must stand here, not 1"),
    # Cards
    (a_position(hand=["11a"]), "/hand/0", "11a is not among the cards of this game; leave it out"),
    (a_position(deck=["40"]), "/deck/0", "'40' is no card"),
    (a_position(deck=[40]), "/deck/0", "11a is not among the cards"),
    (a_position(deck=["13a"]), "/deck/0", "is no card"),
    (a_position(deck=["?A"]), "/deck/0", "'?A' is no card"),
    (a_position(deck=["??"]), "/deck/0", "'??' is no card"),
    (a_position(deck=[None]), "/deck/0", "null is no card"),
    (a_position(hand=["?"]), "/hand/0", '"?" cannot stand here: the hand is known'),
    (a_position(hand=["?a"]), "/hand/0", "'?a' is no card"),
    (a_position(unknown=["?"]), "/unknown/0", '"?" cannot stand here'),
    (a_position(victory=["?"]), "/victory/0", '"?" cannot stand here'),
    (a_position(discard=["?"]), "/discard/0", '"?" cannot stand here'),
    ({**a_position(), "present": ["?"]}, "/present/0", '"?" cannot stand here'),
    (
        {**a_position(), "hand": ["04a"]},
        "/present/45",
        "04a stands twice, first at /hand/0; leave one",
    ),
    ({**a_position(), "hand": []}, "", "cards are missing: 06c; each card is there once"),
    ({**a_position(), "present": ["04a"]}, "", "cards are missing: 01a 01b 01c 01d 02a 02b … and"),
    ({**a_position(), "present": []}, "/present", "there is always a present"),
    (a_position(hand="06c"), "/hand", "a list […] must stand here"),
    (a_position(deck={}), "/deck", "a list […] must stand here"),
    ({**a_position(), "unknown": None}, "/unknown", "a list […] must stand here, not null"),
    (a_position(victory=["08a"]), "/victory/0", "08a cannot be won; the treasures are 03a 05a 09a"),
    # Unknown cards
    (
        a_position(**{**HIDDEN, "trial": ["?", "?"]}),
        "/unknown",
        '3 "?" in "trial" and "deck" cannot stand for the 4 cards of "unknown"',
    ),
    (a_position(**{**HIDDEN, "deck": ["?", "?", "08a"]}), "/unknown", '5 "?" in'),
    ({k: v for k, v in a_position(deck=["?"]).items() if k != "unknown"}, "", '1 "?" in'),
    # Restrictions
    (a_position(deck=["?a"], unknown=["01a"]), "/deck/0", '"not" does not say which cards'),
    (
        a_position(**{**MARKED, "trial": ["?a", "?a", "?c"]}),
        "/trial/2",
        "in the places marked ?c",
    ),
    (a_position(**{**MARKED, "trial": ["?a"] * 3}), "/not/?b", "no place is marked ?b"),
    (a_position(**MARKED) | {"not": []}, "/not", "an object {…} must stand here"),
    (a_position(**MARKED) | {"not": {"?": ["08a"]}}, "/not/?", "'?' is no mark of restricted"),
    (a_position(**MARKED) | {"not": {"a": ["08a"]}}, "/not/a", "'a' is no mark of restricted"),
    (a_position(**MARKED) | {"not": {"?a": "08a"}}, "/not/?a", "a list […] must stand here"),
    (a_position(**MARKED) | {"not": {"?a": ["08a", 28]}}, "/not/?a/1", "08a stands twice"),
    (a_position(**MARKED) | {"not": {"?a": ["11a"]}}, "/not/?a/0", "11a is not among the cards"),
    (a_position(**MARKED) | {"not": {"?a": ["?"]}}, "/not/?a/0", '"?" cannot stand here'),
    (
        a_position(**MARKED) | {"not": {"?a": ["08a"], "?b": ["05a", "12d"]}},
        "/not/?a",
        "08a can be in the places marked ?b; of two marks, one must bar all unknown cards",
    ),
    (
        a_position(**{**MARKED, "discard": ["06b"], "hand": ["09b", "10b"]}),
        "/not",
        "2 different restrictions, and 2 blue banners that can still be played and make one each,"
        " are too many; at most 3 can be held",
    ),
    (
        a_position(**MARKED) | {"not": {"?a": ["08a"], "?b": MARKED["unknown"]}},
        "/not/?b",
        "there is no way to fill the places: only 0 unknown cards can be in the 1 places",
    ),
    (
        a_position(**MARKED) | {"not": {"?a": MARKED["unknown"][:4], "?b": MARKED["unknown"][:4]}},
        "/not/?",
        "only 2 unknown cards can be in the 3 places",
    ),
    # Switches
    (
        a_position(**MARKED, rules={"reshuffle_moon": "stays_bottom"}),
        "/unknown/3",
        "the place of the moon is always known (reshuffle_moon=stays_bottom); write 08a where",
    ),
    (
        a_position(trial=GAME[10:41], present=["11c"], hand=["12d"]),
        "/trial",
        "the trial has 31 cards; at most 30 can be held",
    ),
    (
        a_position(
            trial=["?"] * 7,
            unknown=["01c", "01d", "02c", "02d", "03c", "03d", "04c"],
            rules={"covered_trial": "merge"},
            deck=ANIMALS[3:],
            present=["12b"],
            discard=ANIMALS[:3],
        ),
        "/trial",
        "the trial has 7 cards and up to 27 more can join it (covered_trial=merge); at most 30",
    ),
    (a_position(rules="rule1"), "/rules", "there is no preset 'rule1'"),
    (a_position(rules={"kill_pick": "lok"}), "/rules/kill_pick", "(did you mean look?)"),
]


@pytest.mark.parametrize(("document", "pointer", "fragment"), FAULTS)
def test_refused(document: dict[str, Any], pointer: str, fragment: str) -> None:
    with pytest.raises(InstanceError) as caught:
        decode(json.dumps(document), "a.json")
    error = caught.value
    assert error.pointer == pointer or (pointer.endswith("?") and error.pointer[:-1] == pointer)
    assert fragment in error.message
    assert error.source == "a.json"
    assert str(error).isprintable()
    assert len(str(error)) < 400


def test_any_card_left_out_or_doubled_is_refused() -> None:
    document = a_position(**HIDDEN)
    present = document["present"]
    for at, card in enumerate(present):
        with pytest.raises(InstanceError, match=f"cards are missing: {card}"):
            check({**document, "present": present[:at] + present[at + 1 :]})
        with pytest.raises(InstanceError, match=f"{card} stands twice"):
            check({**document, "discard": [card]})


def test_whether_places_can_be_filled_as_the_reference_says() -> None:
    """Restrictions at random: refused exactly when there is no way to fill the places."""
    stream = random.Random("fillings")
    filled = refused = 0
    for _ in range(300):
        unknown = stream.sample(["01c", "02c", "05a", "07d", "08a"], 4)
        sets = [unknown[: stream.randint(0, 4)] for _ in range(2)]
        places = [stream.choice(["?", "?a", "?b"]) for _ in range(4)]
        barred = {m: s for m, s in zip(("?a", "?b"), sets, strict=True) if m in places}
        document = a_position(
            deck=places, unknown=unknown, discard=["06b", "09b", "10b"], **{"not": barred}
        )
        try:
            reference.belief_of(document)
        except ValueError:
            with pytest.raises(InstanceError, match="no way to fill"):
                check(document)
            refused += 1
        else:
            check(document)
            filled += 1
    assert min(filled, refused) > 30


# Writing


def test_encode() -> None:
    instance = check(a_position(**MARKED, id=1, expect={"value": "1/2"}))
    written = encode(instance)
    assert written == {
        **HEAD,
        "id": 1,
        "rules": "base",
        "phase": "act",
        "hand": ["06c"],
        "present": a_position(**MARKED)["present"],
        "trial": ["?a", "?a", "?b"],
        "deck": ["?", "?", "?"],
        "unknown": ["02c", "05a", "07d", "08a", "12c", "12d"],
        "not": {"?a": ["08a"], "?b": ["05a", "08a"]},
        "discard": ["06b", "09b"],
        "victory": [],
        "expect": {"value": "1/2"},
    }
    assert check(written) == instance


def test_a_seeded_deal_stays_the_same_for_ever() -> None:
    instance = Instance(game="treasures", rules=Rules(), position=deal_seed(1, Rules()), id=1)
    written = encode(instance)
    table = reference.deal(1, reference.Rules())
    assert written["deck"] == [CODES[card] for card in table.deck]
    assert written["hand"] == [CODES[card] for card in sorted(table.hand)]
    assert written["hand"] == ["01b", "03b", "03c", "11c"]
    assert check(written) == instance


def test_round_trip() -> None:
    stream = random.Random("round trip")
    read = 0
    for _ in range(200):
        rules = random_rules(stream)
        position = random_position(stream, stream.randint(0, 6), rules)
        instance = Instance(game="treasures", rules=rules, position=position)
        written = encode(instance)
        again = attempt(written)
        if isinstance(again, InstanceError):
            assert again.pointer == "/not"
            continue
        assert again == instance
        assert decode(json.dumps(written)) == instance
        read += 1
    assert read > 150


def test_a_value_replaced_is_read_or_refused() -> None:
    """Whatever stands anywhere: one line, and what is read can be played and written again."""
    stream = random.Random("junk")
    junk: list[Any] = [
        None,
        True,
        0,
        40,
        -1,
        1.5,
        "",
        "?",
        "?a",
        "01a",
        "11a",
        "start",
        [],
        {},
        ["?"],
        ["08a"],
    ]
    for _ in range(600):
        document = copy.deepcopy(a_position(**stream.choice([HIDDEN, MARKED])))
        name = stream.choice(list(document))
        where = document[name]
        if isinstance(where, list) and where and stream.random() < 0.6:
            where[stream.randrange(len(where))] = stream.choice(junk)
        else:
            document[name] = stream.choice(junk)
        instance = attempt(document)
        if isinstance(instance, InstanceError):
            assert str(instance).isprintable()
            continue
        assert check(encode(instance)) == instance
        state = State(instance.position, instance.rules)
        assert isinstance(state.legal_moves(), tuple)


def test_refuse_unknown_points_to_the_first_card() -> None:
    position = check(a_position(**HIDDEN)).position
    known = Position(present=(0,), deck=(1,))
    refuse_unknown(known)
    with pytest.raises(InstanceError) as caught:
        refuse_unknown(position, "a.json")
    assert (caught.value.pointer, caught.value.source) == ("/trial/0", "a.json")


def test_an_empty_hand_before_a_start_draw_is_kept() -> None:
    """A lightning took the last card, and the draw is due again: the hand is judged after it."""
    document = a_position(
        rules={"lightning_redraw": True, "zero_hand": "end_of_action"},
        phase="start",
        hand=["06b"],
        present=["12d"],
        deck=["11d", "01b", "05a", "03c", "04c", "08a"],
        victory=["03a", "09a"],
        discard=["02a"],
    )
    instance = check(document)
    state = State(instance.position, instance.rules).apply("draw 11d").apply("penalty blue 06b")
    saved = encode(Instance(game="treasures", rules=state.rules, position=state.position))
    again = State(check(saved).position, state.rules)
    assert state == again
    assert not again.is_over
    for event in (
        "draw 01b",
        "red-draw 01b",
        "draw 05a",
        "draw 03c",
        "keep 05a",
        "end",
        "draw 04c",
    ):
        again = again.apply(event)
    assert again.is_won
