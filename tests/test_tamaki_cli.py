"""The command line on Hanafuda by Tamaki; what holds for every game is in `test_cli`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve import instances
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import deal_seed
from hanasolve.tamaki.rules import Rules
from tests.conftest import Object
from tests.random_rounds import as_reference, random_round
from tests.reference import tamaki as reference

FOLDER = Path(__file__).parent.parent / "instances" / "tamaki"
RESULT_KEYS = {
    "game", "rules", "information", "objective", "seat", "value", "bound", "status", "line",
    "nodes", "seconds", "limit",
}  # fmt: skip


def write(path: Path, *values: object) -> str:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return str(path)


def document(seed: int, players: int, left: int) -> Object:
    """Give an instance file in the middle of a random round."""
    state = random_round(seed, players, left)
    whole = instances.Instance(game="tamaki", rules=state.rules, position=state.position)
    return dict(instances.encode(whole))


def timeless(result: Object) -> Object:
    return {name: value for name, value in result.items() if name != "seconds"}


# Deals and drawings


@pytest.mark.parametrize("players", range(2, 8))
def test_deal(run: Any, players: int) -> None:
    done = run("deal", "--game", "tamaki", "--seed", 5, "--players", players, "--leader", 1)
    expected = deal_seed(5, Rules(), players=players, leader=1)
    assert done.code == 0
    assert instances.check(done.object).position == expected
    assert hanasolve.deal("tamaki", seed=5, players=players, leader=1).position == expected


def test_deal_many(run: Any) -> None:
    done = run("deal", "--game", "tamaki", "--seed", 5, "--players", 3, "-n", 4)
    assert [one["id"] for one in done.objects] == [f"seed-{seed}" for seed in range(5, 9)]
    assert {len(one["hands"]) for one in done.objects} == {3}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["deal", "--seed", 1, "--players", 3], "solitaire2 has one player"),
        (["deal", "--game", "treasures", "--leader", 0], "treasures has one player"),
        (["deal", "--game", "tamaki", "--players", 8], "2 to 7 can play, not 8"),
        (["deal", "--game", "tamaki", "--leader", 2], "from 0 to 1, not 2"),
        (["show", FOLDER / "deal.json", "--players", 3], "leave it out when a FILE is given"),
        (["winnable", FOLDER / "play-out.json"], "no verdict"),
        (["solve", FOLDER / "play-out.json", "--optimal"], "no cheapest solutions"),
        (["solve", FOLDER / "play-out.json", "--seat", 2], "from 0 to 1, not 2"),
        (["solve", FOLDER / "ties.json", "--objective", "margin"], "margin is for two seats"),
        (["solve", FOLDER / "ties.json", "--objective", "yaku", "--values"], "moves have values"),
        (["solve", FOLDER / "ties.json", "--objective", "best"], "invalid choice"),
        (["solve", "--seed", 1, "--objective", "margin"], "solitaire2 has no objectives"),
        (["solve", "--seed", 1, "--seat", 0], "solitaire2 has no seats"),
        (["solve", "--seed", 1, "--values"], "solitaire2 has no option --values"),
        (["solve", "-", "--record", "-"], "only one of FILE and RECORD"),
    ],
)
def test_wrong_usage(refused: Any, arguments: list[Any], says: str) -> None:
    assert says in refused(*arguments)


def test_the_stored_instances_are_shown(run: Any) -> None:
    for path in sorted(FOLDER.iterdir()):
        in_words, shown = run("show", path), run("show", path, "--json")
        assert in_words.out.startswith(f"{path.stem}: Hanafuda by Tamaki, rules: ")
        assert instances.check(shown.object).position == instances.load(str(path)).only().position


def test_show_as_seen(run: Any) -> None:
    dealt = ["--game", "tamaki", "--seed", 7]
    shown = run("show", *dealt, "--hidden", "--json").object
    stored = json.loads((FOLDER / "hidden.json").read_text(encoding="utf-8"))
    assert (shown["hands"], shown["mountain"]) == (stored["hands"], stored["mountain"])
    assert set(shown["hands"][1]) == set(shown["mountain"]) == {"?"}
    assert " ? ? " in run("show", *dealt, "--hidden").out


# Values


@pytest.mark.parametrize("name", ["simple-margin", "ties", "paranoid", "negative"])
def test_solve(run: Any, name: str) -> None:
    path = FOLDER / f"{name}.json"
    expect = instances.load(str(path)).only().expect
    assert expect is not None
    asked = ["--objective", expect["objective"], "--seat", expect["seat"]]
    done = run("solve", path, *asked, "--json")
    result = done.object
    assert done.code == 0
    assert result.keys() == RESULT_KEYS | {"id"}
    assert {name: result[name] for name in expect} == expect
    assert (result["bound"], result["status"]) == (result["value"], "optimal")
    assert (result["information"], result["limit"]) == ("thoughtful", None)
    for turn in result["line"]:
        assert turn.keys() == {"seat", "play", "capture", "draw", "draw_capture"}


def test_values_of_moves(run: Any, tmp_path: Path) -> None:
    file = document(4, 3, 5)
    result = run("solve", write(tmp_path / "a.json", file), "--values", "--json").object
    position = as_reference(random_round(4, 3, 5))
    values = reference.turn_values(
        position, lambda after: reference.paranoid(after, result["seat"], memo=True)
    )
    assert sorted(move["value"] for move in result["moves"]) == sorted(v for _, v in values)
    assert result["moves"][0]["value"] == result["value"]
    assert {move["seat"] for move in result["moves"]} == {position.turn}


def test_solve_in_words(run: Any) -> None:
    out = run("solve", FOLDER / "simple-margin.json", "--values").out
    assert out.startswith("margin of seat 0: 95 (all cards known; ")
    assert "Hanafuda by Tamaki, rules: base" in out
    assert "turn  seat  plays  takes" in out
    assert "seat  cards  for yaku  score  yaku" in out


def test_a_limit_leaves_it_open(run: Any) -> None:
    done = run("solve", "--game", "tamaki", "--seed", 7, "--nodes", 3, "--json")
    result = done.object
    assert done.code == 11
    assert (result["status"], result["limit"], result["line"]) == ("feasible", "nodes", [])
    assert result["value"] < result["bound"]
    words = run("solve", "--game", "tamaki", "--seed", 7, "--nodes", 3)
    assert f"{result['value']} to {result['bound']}; the limit of nodes was met" in words.out


def test_unknown_cards_are_refused(run: Any) -> None:
    done = run("solve", FOLDER / "hidden.json", "--json")
    assert (done.code, done.pointer) == (12, "/hands/1/0")


def test_json_lines_and_workers(run: Any, tmp_path: Path) -> None:
    broken = {**document(1, 2, 4), "id": "broken", "turn": 2}
    files = [{**document(seed, 2 + seed % 6, 5), "id": seed} for seed in range(12)]
    path = write(tmp_path / "a.jsonl", *files[:5], broken, *files[5:])
    one, two = (run("solve", path, "--json", "--workers", n) for n in (1, 2))
    assert one.code == two.code == 12
    assert [*map(timeless, one.objects)] == [*map(timeless, two.objects)]
    assert [result["id"] for result in one.objects] == [0, 1, 2, 3, 4, "broken", *range(5, 12)]
    assert one.objects[5]["error"]["pointer"] == "/turn"


# Records


@pytest.mark.parametrize("objective", ["margin", "paranoid", "maxn"])
def test_verify_a_result(run: Any, tmp_path: Path, objective: str) -> None:
    path = write(tmp_path / "a.json", document(8, 2, 6))
    result = run("solve", path, "--objective", objective, "--json").object
    record = write(tmp_path / "r.json", result)
    done = run("verify", path, record, "--json")
    assert (done.code, done.object) == (0, {"valid": True, "failed_at": None, "reason": None})
    turns = len(result["line"])
    assert run("verify", path, record).out == (
        f"holds: {turns} legal turns, and the round is over\n"
    )
    wrong = [value + 5 for value in result["value"]] if objective == "maxn" else 1000
    claims = run("verify", path, write(tmp_path / "r.json", {**result, "value": wrong}), "--json")
    assert (claims.code, claims.object["failed_at"]) == (10, turns)
    assert "the record claims" in claims.object["reason"]


def test_verify_a_record_that_does_not_hold(run: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", document(8, 2, 6))
    line = run("solve", path, "--json").object["line"]
    faults: list[tuple[list[Object], int, str]] = [
        (line[:-1], len(line) - 1, "the round is not over"),
        ([{**line[0], "seat": 1 - line[0]["seat"]}, *line[1:]], 0, "is to move, not"),
        ([line[0], line[0], *line[2:]], 1, "is not legal here"),
        ([*line, line[-1]], len(line), "is not legal here"),
        ([{**line[0], "play": None, "draw": None}, *line[1:]], 0, "is no move"),
    ]
    for turns, at, says in faults:
        record = write(tmp_path / "r.json", {"line": turns})
        done = run("verify", path, record, "--json")
        assert (done.code, done.object["valid"], done.object["failed_at"]) == (10, False, at)
        assert says in done.object["reason"]


@pytest.mark.parametrize(
    ("record", "pointer"),
    [
        ({}, ""),
        ({"line": "play"}, "/line"),
        ({"line": [{"seat": 7}]}, "/line/0/seat"),
        ({"line": [{"seat": 0, "play": "13a", "capture": [], "draw": None}]}, "/line/0/play"),
        ({"line": [], "game": "treasures"}, "/game"),
        ({"line": [], "mountain": ["01a"]}, "/mountain"),
    ],
)
def test_verify_what_is_no_record(run: Any, tmp_path: Path, record: Any, pointer: str) -> None:
    done = run("verify", FOLDER / "play-out.json", write(tmp_path / "r.json", record), "--json")
    assert (done.code, done.pointer) == (12, pointer)


def test_losses_of_a_record(run: Any, tmp_path: Path) -> None:
    """A turn loses what the reference says, and the turns of a best line lose nothing."""
    path = write(tmp_path / "a.json", document(12, 2, 6))
    best = run("solve", path, "--json").object["line"]
    record = write(tmp_path / "r.json", {"line": best})
    kept = run("solve", path, "--record", record, "--json").object["losses"]
    assert [turn["lost"] for turn in kept] == [0] * len(best)
    position = as_reference(random_round(12, 2, 6))
    line, expected = [], []
    while turns := reference.turns_and_after(position):
        mover, (turn, after) = position.turn, turns[-1]
        worth = [reference.margin(there, mover, memo=True) for there in (position, after)]
        expected.append((worth[0], worth[0] - worth[1]))
        line.append(Move(*turn).as_dict(mover))
        position = after
    record = write(tmp_path / "r.json", {"line": line})
    lost = run("solve", path, "--record", record, "--json").object["losses"]
    assert [(turn["best"], turn["lost"]) for turn in lost] == expected
    assert "turn  seat  best  lost  played" in run("solve", path, "--record", record).out
    illegal = write(tmp_path / "r.json", {"line": [line[0], line[0]]})
    done = run("solve", path, "--record", illegal, "--json")
    assert (done.code, done.pointer) == (12, "/line/1")


def test_from_python(tmp_path: Path) -> None:
    state = hanasolve.load(FOLDER / "deal.json")
    assert state.turn == 2
    result = hanasolve.solve(state, objective="paranoid", seat=1, values=True)
    assert (result.seat, result.optimal, len(result.line)) == (1, True, 20)
    with pytest.raises(hanasolve.HanasolveError, match="cannot be asked for 'objective'"):
        hanasolve.solve(hanasolve.deal("solitaire2"), objective="margin")
    with pytest.raises(hanasolve.HanasolveError, match="treasures has one player"):
        hanasolve.deal("treasures", players=3)
