"""The command line on Hanafuda by Tamaki; what holds for every game is in `test_cli`."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve import instances
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import deal_seed
from hanasolve.tamaki.rules import Rules
from hanasolve.tamaki.state import State
from tests.conftest import Object
from tests.random_rounds import as_reference, random_round
from tests.reference import tamaki as reference

FOLDER = Path(__file__).parent.parent / "instances" / "tamaki"
RESULT_KEYS = {
    "game", "rules", "information", "objective", "seat", "value", "bound", "status", "line",
    "nodes", "seconds", "limit",
}  # fmt: skip


PLAY_OUT = [
    move.as_dict(seat)
    for seat, move in hanasolve.solve(hanasolve.load(FOLDER / "play-out.json")).line
]
"""A line to the end of the round."""


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


class Person:
    """Stands for standard input: types nonsense first, and then the last of what is offered."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.asked = 0
        self._capsys = capsys

    def readline(self) -> str:
        """Answer the question on standard error."""
        self.asked += 1
        question = self._capsys.readouterr().err.splitlines()[-1]
        assert question.startswith("exchange ")
        return "05x\n" if self.asked % 2 else question.removesuffix("? ").split(" or ")[-1] + "\n"


@pytest.mark.parametrize("hand_three", ["compulsory", "optional"])
def test_deal_with_choices(
    run: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    hand_three: str,
) -> None:
    person = Person(capsys)
    monkeypatch.setattr("sys.stdin", person)
    for seed in range(12):
        rules = f"hand_three={hand_three}"
        options = ["--game", "tamaki", "--seed", seed, "--players", 2, "--rules", rules]
        done = run("deal", *options, "--choose")
        expected = reference.deal(
            2,
            seed=seed,
            rules=reference.Rules(hand_three=hand_three),
            choose=lambda _, __, three: three[-1] if hand_three == "compulsory" else None,
        )
        position = instances.check(done.object).position
        assert [*map(set, position.hands)] == [*map(set, expected.hands)]
        assert position.mountain == tuple(expected.mountain)
    assert person.asked > 4


def test_choices_that_end_early(refused: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = next(n for n in range(50) if threes(deal_seed(n, Rules(hand_three="off")).hands[0]))
    monkeypatch.setattr("sys.stdin", io.StringIO("05x\n"))
    says = refused("deal", "--game", "tamaki", "--seed", seed, "--choose")
    assert says.endswith("standard input ended before all cards were chosen\n")


def threes(hand: Sequence[int | None]) -> list[int]:
    """Give the months of which there are three cards."""
    months = [card // 4 for card in hand if card is not None]
    return [month for month in set(months) if months.count(month) == 3]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["deal", "--seed", 1, "--choose"], "in solitaire2 nobody chooses"),
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
        (["solve", "--seed", 1, "--known", 1], "solitaire2 has no option --known"),
        (["solve", "--seed", 1, "--fixed", 1, "--record", FOLDER / "ties.json"], "solitaire2 has"),
        (["solve", "-", "--record", "-"], "only one of FILE and RECORD"),
        (["solve", FOLDER / "ties.json", "--fixed", 1], "--fixed takes the turns from --record"),
        (["solve", FOLDER / "ties.json", "--fixed", "1;2"], "'1;2' is no integer from 0 up"),
        (["solve", FOLDER / "ties.json", "--fixed", ""], "'' is no integer from 0 up"),
        (["solve", FOLDER / "ties.json", "--known", 1], "go with ceiling, not with paranoid"),
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
        ({"line": ["play 05c"]}, "/line/0"),
        ({"line": [{"seat": 7}]}, "/line/0/seat"),
        ({"line": [{"seat": 0, "play": "13a", "capture": [], "draw": None}]}, "/line/0/play"),
        ({"line": [], "game": "treasures"}, "/game"),
        ({"line": [], "mountain": ["01a"]}, "/mountain"),
        ({"line": PLAY_OUT, "value": 5, "seat": 0, "objective": "foo"}, "/objective"),
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


def test_known_cards_go_with_ceiling_of_a_record_too(refused: Any, tmp_path: Path) -> None:
    record = write(tmp_path / "r.json", {"line": []})
    says = refused("solve", FOLDER / "play-out.json", "--record", record, "--known", 1)
    assert "known cards of the mountain go with ceiling, not with margin" in says


def recorded(path: Path, state: State, seed: int) -> tuple[list[tuple[int, Move]], str]:
    """Play to the end at random; gives the line, and a file with it."""
    chance, line = random.Random(seed), []
    while not state.is_over:
        line.append((state.turn, chance.choice(state.legal_moves())))
        state = state.apply(line[-1][1])
    return line, write(path, {"line": [move.as_dict(seat) for seat, move in line]})


def test_yaku_and_help_lost_by_a_record(run: Any, tmp_path: Path) -> None:
    found = 0
    for seed in range(40):
        state = random_round(seed, 3, 5)
        path = write(tmp_path / "a.json", document(seed, 3, 5))
        line, record = recorded(tmp_path / "r.json", state, seed)
        positions = [as_reference(state)]
        for _, move in line:
            state = state.apply(move)
            positions.append(as_reference(state))
        reach = [reference.yaku_possible(position, memo=True) for position in positions]
        done = run("solve", path, "--record", record, "--objective", "yaku", "--json")
        assert done.code == 0
        expected = [
            {"seat": seat, "yaku": name, "turn": turn, "by": mover}
            for turn, (mover, _) in enumerate(line, 1)
            for seat in range(3)
            for name in reach[0][seat]
            if reach[turn - 1][seat][name] and not reach[turn][seat][name]
        ]
        assert done.object["lost"] == expected
        words = run("solve", path, "--record", record, "--objective", "yaku").out
        assert words.count(": lost in turn ") == len(expected)
        found += len(expected)
        helped = run("solve", path, "--record", record, "--objective", "cooperative", "--json")
        for turn, (seat, _) in enumerate(line):
            before, after = (
                reference.cooperative(position, seat, memo=True)
                for position in positions[turn : turn + 2]
            )
            told = helped.object["losses"][turn]
            assert (told["best"], told["lost"]) == (before, before - after)
    assert found > 5


def test_lost_yaku_under_a_limit(run: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", document(3, 4, 20))
    _, record = recorded(tmp_path / "r.json", random_round(3, 4, 20), 3)
    done = run("solve", path, "--record", record, "--objective", "yaku", "--nodes", 1, "--json")
    assert (done.code, done.object["limit"]) == (11, "nodes")
    assert "lost" not in done.object


@pytest.mark.parametrize("objective", ["cooperative", "yaku", "ceiling"])
def test_seats_fixed_to_a_record(run: Any, tmp_path: Path, objective: str) -> None:
    state = random_round(6, 3, 9)
    path = write(tmp_path / "a.json", document(6, 3, 9))
    line, record = recorded(tmp_path / "r.json", state, 6)
    asked = ["--objective", objective, "--seat", 0, "--record", record, "--json"]
    result = run("solve", path, *asked, "--fixed", "1,2").object
    turns = {seat: [move for one, move in line if one == seat] for seat in (1, 2)}
    expected = hanasolve.solve(state, objective=objective, seat=0, fixed=turns)
    assert result["status"] == "optimal"
    assert result["value"] == expected.value
    assert "losses" not in result
    if objective == "yaku":
        assert result["most"] == [*expected.most]
    for turn, (seat, move) in zip(result["line"], line, strict=False):
        assert turn["seat"] == seat
        assert seat == 0 or turn == move.as_dict(seat)
    refused = run("solve", path, *asked, "--fixed", "0,3")
    assert (refused.code, "from 0 to 2, not 3" in refused.err) == (2, True)


def test_a_ceiling_with_known_cards(run: Any) -> None:
    """What is known can only take away, and all known is what all can reach."""
    dealt = ["solve", "--game", "tamaki", "--seed", 3, "--players", 6, "--seat", 2, "--json"]
    values = [
        run(*dealt, "--objective", "ceiling", "--known", known).object["value"]
        for known in (0, 6, 12, 18)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] == run(*dealt, "--objective", "cooperative").object["value"]


def test_from_python(tmp_path: Path) -> None:
    state = hanasolve.load(FOLDER / "deal.json")
    assert state.turn == 2
    result = hanasolve.solve(state, objective="paranoid", seat=1, values=True)
    assert (result.seat, result.optimal, len(result.line)) == (1, True, 20)
    with pytest.raises(hanasolve.HanasolveError, match="cannot be asked for 'objective'"):
        hanasolve.solve(hanasolve.deal("solitaire2"), objective="margin")
    with pytest.raises(hanasolve.HanasolveError, match="treasures has one player"):
        hanasolve.deal("treasures", players=3)
