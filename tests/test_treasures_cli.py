"""The command line on Three Treasures; what holds for every game is in `test_cli`."""

from __future__ import annotations

import functools
import io
import itertools
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve import instances
from hanasolve.treasures.game import Game, play
from hanasolve.treasures.move import Move
from hanasolve.treasures.position import deal_seed
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State
from tests.conftest import Object
from tests.reference import treasures as reference

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "instances" / "treasures"
RESULT_KEYS = {
    "game", "rules", "information", "value", "exact", "best", "actions", "states", "nodes",
    "transitions", "seconds", "limit",
}  # fmt: skip


def stored(name: str) -> Object:
    document: Object = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


def write(path: Path, *values: object) -> str:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return str(path)


BROKEN = {**stored("dispel"), "id": "broken", "hand": ["08d", "08d"]}
SOLVED = [path.stem for path in sorted(FOLDER.glob("*.json")) if "expect" in stored(path.stem)]


def timeless(result: Object) -> Object:
    return {name: value for name, value in result.items() if name != "seconds"}


@functools.cache
def _worth(text: str) -> tuple[Fraction, dict[str, Fraction]]:
    memo: reference.Memo = {}
    rules, belief = reference.belief_of(json.loads(text))
    actions = dict(reference.action_values(rules, belief, memo))
    return reference.value(rules, belief, memo), actions


def worth(document: Object) -> tuple[Fraction, dict[str, Fraction]]:
    """Give what the reference says that an instance and its actions are worth."""
    return _worth(json.dumps(document))


def check_result(document: Object, result: Object) -> None:
    """Check a result of solve against the reference."""
    assert result.keys() == RESULT_KEYS | {"id"}
    assert (result["id"], result["game"]) == (document.get("id"), "treasures")
    assert result["rules"] == instances.check(document).rules.as_dict()
    assert result["information"] == ("hidden" if document["unknown"] else "thoughtful")
    value, actions = worth(document)
    low, high = result["value"]
    assert low <= value <= high
    if result["exact"]:
        assert high - low < 1e-9
        assert result["limit"] is None
    assert {entry["action"] for entry in result["actions"]} == actions.keys()
    for entry in result["actions"]:
        low, high = entry["value"]
        assert low <= actions[entry["action"]] <= high
    for one, other in itertools.pairwise(result["actions"]):
        assert one["value"] >= other["value"] or not result["exact"]
    if actions:
        assert result["best"] == result["actions"][0]["action"]
        assert not result["exact"] or actions[result["best"]] == max(actions.values())
    else:
        assert result["best"] is None


# deal and show


def test_deal(run: Any) -> None:
    done = run("deal", "--game", "treasures", "--seed", 7, "-n", 3)
    assert done.code == 0
    for seed, document in zip((7, 8, 9), done.objects, strict=True):
        table = reference.deal(seed, reference.Rules())
        assert document["id"] == f"seed-{seed}"
        assert document["deck"] == [reference.code(card) for card in table.deck]
        assert document["hand"] == [reference.code(card) for card in sorted(table.hand)]
        assert document["present"] == [reference.code(table.present)]
        assert (document["phase"], document["unknown"]) == ("start", [])
        assert instances.check(document).position == deal_seed(seed, Rules())


def test_deal_under_other_rules(run: Any) -> None:
    options = ["--game", "treasures", "--seed", 3, "--rules", "animal_cards=tane"]
    document = run("deal", *options).object
    table = reference.deal(3, reference.Rules(animal_cards="tane"))
    assert document["rules"] == {"animal_cards": "tane"}
    assert document["deck"] == [reference.code(card) for card in table.deck]
    assert run("show", *options, "--json").object == document


def test_show(run: Any) -> None:
    done = run("show", FOLDER / "restricted.json")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "restricted: Three Treasures, rules: base"
    words = [line.split() for line in lines]
    assert ["hand", "02b", "07c"] in words
    assert ["trial", "?a", "?a", "?a"] in words
    assert ["victory", "03a", "09a"] in words
    assert "?a is none of 05a 08a" in lines
    assert any(line.startswith("present 07a (bush clover boar, animal)") for line in lines)
    at = next(n for n, line in enumerate(lines) if line.startswith("unknown, 6 cards"))
    assert lines[at + 1].split() == stored("restricted")["unknown"]


def test_show_as_seen(run: Any) -> None:
    """Of a deal the player sees hand and present, and knows the moon to be at the bottom."""
    done = run("show", "--game", "treasures", "--seed", 1, "--hidden")
    dealt = deal_seed(1, Rules())
    board = done.out[: done.out.index("unknown")]
    seen = {reference.code(card) for card in (*dealt.hand, *dealt.present)}
    assert set(re.findall(r"\d\d[abcd]", board)) == {*seen, "08a"}
    as_json = run("show", FOLDER / "deal.json", "--hidden", "--json").object
    assert timeless(as_json) | {"id": "hidden", "note": ""} == stored("hidden") | {"note": ""}


def test_the_stored_instances_are_shown(run: Any) -> None:
    for path in FOLDER.glob("*.json"):
        done = run("show", path, "--json")
        assert done.code == 0
        assert instances.check(done.object) == instances.load(str(path)).only()


# solve


@pytest.mark.parametrize("name", SOLVED)
def test_solve(run: Any, name: str) -> None:
    """Also that what the files expect is what the reference says."""
    document = stored(name)
    done = run("solve", FOLDER / f"{name}.json", "--json")
    assert (done.code, done.err) == (0, "")
    check_result(document, done.object)
    assert done.object["exact"]
    value, actions = worth(document)
    assert Fraction(document["expect"]["value"]) == value
    if "best" in document["expect"]:
        assert document["expect"]["best"] == [name for name, of in actions.items() if of == value]


def test_solve_in_words(run: Any) -> None:
    done = run("solve", FOLDER / "dispel.json")
    assert done.code == 0
    first, *rest = done.out.splitlines()
    assert first.startswith("value 0.600000 (what the player knows; ")
    ranked = [line.split() for line in rest[-3:]]
    assert ranked[0] == ["0.600000", "dispel", "08d"]
    assert ranked[1] == [f"{4 / 15:.6f}", "avoid", "03c"]
    assert ranked[2] == ["0.000000", "starve", "03c", "08d"]
    assert "hand    03c 08d" in rest


def test_a_limit_leaves_it_open(run: Any) -> None:
    done = run("solve", FOLDER / "deal.json", "--nodes", 50, "--json")
    assert done.code == 11
    result = done.object
    assert (result["exact"], result["limit"], result["best"]) == (False, "nodes", None)
    assert 0 <= result["value"][0] <= result["value"][1] <= 1
    assert result["nodes"] <= 50
    assert "the limit of nodes was met" in run("solve", FOLDER / "deal.json", "--nodes", 50).out


def test_json_lines_and_workers(run: Any, tmp_path: Path) -> None:
    """Games may be mixed; results do not depend on the workers."""
    other = json.loads((ROOT / "instances/solitaire2/simple-solvable.json").read_text())
    documents = [stored(name) for name in SOLVED]
    path = write(tmp_path / "a.jsonl", *documents, BROKEN, other)
    outputs = []
    for workers in (1, 2):
        done = run("solve", path, "--json", "--workers", workers)
        assert done.code == 12
        *results, error, last = done.objects
        for document, result in zip(documents, results, strict=True):
            check_result(document, result)
        assert (error["id"], error["error"]["pointer"]) == ("broken", "/hand/1")
        assert last["status"] == "solved"
        outputs.append([timeless(result) for result in done.objects])
    assert outputs[0] == outputs[1]
    in_words = run("solve", path).out.splitlines()
    assert len(in_words) == len(documents) + 1
    assert in_words[1].startswith("dispel: value 0.600000 (")


@pytest.mark.parametrize(
    "arguments",
    [
        ["winnable", FOLDER / "dispel.json"],
        ["winnable", "--game", "treasures", "--seed", 1, "--json"],
        ["solve", FOLDER / "dispel.json", "--optimal"],
        ["solve", FOLDER / "dispel.json", "--optimal", "--metric", "turns", "--json"],
        ["deal", "--game", "treasures", "--solvable"],
        ["deal", "--game", "treasures", "--unsolvable", "-n", 2],
    ],
)
def test_what_is_no_question_of_this_game(refused: Any, arguments: list[Any]) -> None:
    said = refused(*arguments)
    assert "treasures" in said
    assert said.count("\n") == 1


def test_winnable_with_workers_is_wrong_usage_too(refused: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", stored("dispel"), stored("kill"))
    assert "treasures" in refused("winnable", path, "--workers", 2)


@pytest.mark.parametrize("rules", ["kill_pick=lok", "rule1", "reshuffle_moon=true"])
def test_wrong_rules(refused: Any, rules: str) -> None:
    assert "--rules" in refused("deal", "--game", "treasures", "--rules", rules)


@pytest.mark.parametrize("command", ["show", "solve"])
def test_an_invalid_instance(run: Any, tmp_path: Path, command: str) -> None:
    done = run(command, write(tmp_path / "a.json", BROKEN), "--json")
    assert (done.code, done.pointer) == (12, "/hand/1")
    assert "a.json" in done.err
    in_words = run(command, write(tmp_path / "a.json", BROKEN))
    assert (in_words.code, in_words.out, in_words.err.count("\n")) == (12, "", 1)


# verify


@pytest.fixture(scope="module")
def won() -> tuple[Object, list[str]]:
    """Give a deal and a record that wins it."""

    def policy(view: State) -> Move:
        moves = view.legal_moves()
        return next((m for m in moves if m.verb in ("wander", "avoid", "take")), moves[0])

    for seed in range(1000):
        state = State.deal(seed=seed)
        end, events = play(Game.start(state), policy, lambda: 0.5)
        if end.is_won:
            made = instances.Instance(game="treasures", rules=state.rules, position=state.position)
            return instances.encode(made), events
    raise AssertionError("no game is won")


def test_verify(
    run: Any,
    tmp_path: Path,
    won: tuple[Object, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document, events = won
    path = write(tmp_path / "a.json", document)
    for record in ({"events": events}, {"game": "treasures", "events": events, "value": [0, 1]}):
        done = run("verify", path, write(tmp_path / "r.json", record), "--json")
        assert (done.code, done.err) == (0, "")
        assert done.object == {"valid": True, "failed_at": None, "reason": None}
    in_words = run("verify", path, tmp_path / "r.json")
    assert in_words.out == f"holds: {len(events)} legal events, and the game is won\n"
    text = json.dumps({"events": events})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run("verify", path, "-").code == 0


def test_verify_a_record_that_does_not_hold(
    run: Any, tmp_path: Path, won: tuple[Object, list[str]]
) -> None:
    document, events = won
    path = write(tmp_path / "a.json", document)
    for at in (0, 1, len(events) - 1):
        record = {"events": [*events[:at], "pick 01a", *events[at + 1 :]]}
        done = run("verify", path, write(tmp_path / "r.json", record), "--json")
        assert done.code == 10
        assert (done.object["valid"], done.object["failed_at"]) == (False, at)
        in_words = run("verify", path, tmp_path / "r.json")
        assert in_words.out.startswith(f"does not hold: event {at + 1}: pick 01a ")
    cut = write(tmp_path / "r.json", {"events": events[:-1]})
    assert run("verify", path, cut).out == (
        "does not hold: at the end: the game is not won: it is not over\n"
    )


@pytest.mark.parametrize(
    ("record", "pointer"),
    [
        ({}, ""),
        ({"moves": ["draw"]}, ""),
        ({"events": "draw 01a"}, "/events"),
        ({"events": ["draw 01a", 5]}, "/events/1"),
        ({"events": [], "game": "solitaire2"}, "/game"),
    ],
)
def test_verify_what_is_no_record(run: Any, tmp_path: Path, record: Any, pointer: str) -> None:
    done = run("verify", FOLDER / "deal.json", write(tmp_path / "r.json", record), "--json")
    assert (done.code, done.pointer) == (12, pointer)


def test_verify_needs_all_cards_known(run: Any, tmp_path: Path) -> None:
    record = write(tmp_path / "r.json", {"events": []})
    done = run("verify", FOLDER / "dispel.json", record, "--json")
    assert (done.code, done.pointer) == (12, "/trial/0")
    assert "dispel.json" in done.err


# From Python


def test_from_python(tmp_path: Path) -> None:
    state = hanasolve.load(FOLDER / "kill.json")
    assert isinstance(state, State)
    result = hanasolve.solve(state)
    assert result.value[0] <= 17 / 40 <= result.value[1]
    hanasolve.save(state, tmp_path / "a.json")
    assert hanasolve.load(tmp_path / "a.json") == state
    assert hanasolve.deal("treasures", seed=1).position == deal_seed(1, Rules())
    with pytest.raises(hanasolve.HanasolveError, match="treasures"):
        hanasolve.solve(state, optimal=True)
