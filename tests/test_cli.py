"""The command line: exit codes, what stands on standard output, and what happens when it is cut."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import itertools
import json
import math
import os
import pty
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hanasolve import instances
from hanasolve.cli import main
from hanasolve.errors import InstanceError
from hanasolve.instances import Instance
from hanasolve.solitaire2.state import State
from tests.conftest import Object, Run
from tests.reference import solitaire2 as reference

ROOT = Path(__file__).parent.parent
HARD_FILE = ROOT / "instances" / "solitaire2" / "klondike12-100.jsonl"
CODES = [f"{month:02}{letter}" for month in range(1, 13) for letter in "abcd"]
HEAD: dict[str, Any] = {"format": "hanasolve/1", "game": "solitaire2"}
COMMANDS = ["deal", "show", "solve", "winnable", "verify", "analyze"]

RESULT_KEYS = {
    "game", "rules", "information", "seconds", "nodes", "limit",
    "status", "moves", "length", "lower_bound", "optimal",
}  # fmt: skip


def code(card: int) -> str:
    return CODES[card]


def pile(number: int, months: int) -> list[str]:
    """Give one card of each month from January on."""
    return CODES[number - 1 : 4 * months : 4]


def columns(*first: Object) -> list[Object]:
    return [*first, *({} for _ in range(6 - len(first)))]


def fisher_yates(seed: int) -> list[str]:
    """Give the deck of a seed as the interface tells."""
    stream, deck = random.Random(seed), CODES.copy()
    for i in range(47, 0, -1):
        j = math.floor(stream.random() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    return deck


THREE = [pile(1, 12), pile(2, 12), pile(3, 12)]

# 47 cards are up. With one pass there is no turn of the waste, and no column takes the last card.
FORCED: Object = {
    **HEAD,
    "rules": {"empty_column": "none", "max_passes": 1},
    "waste": ["12d"],
    "foundations": [*THREE, pile(4, 11)],
}

# 11d lies under 12d: that is lost if 12d can go nowhere, and won in three moves if it can.
LOST: Object = {
    **HEAD,
    "rules": {"empty_column": "none"},
    "tableau": columns({"down": ["11d"], "up": ["12d"]}),
    "foundations": [*THREE, pile(4, 10)],
}
THREE_MOVES: Object = {**LOST, "rules": "base"}

# Face-down cards, and the stock but for its last card, are unknown.
HIDDEN: Object = {
    **HEAD,
    "tableau": columns({"up": ["01a"]}, {"down": ["02b", "?"], "up": ["03c"]}),
    "stock": ["?"] * 43 + ["12d"],
}

BROKEN: Object = {**HEAD, "deck": [*CODES[:47], "01a"]}
"""The crane stands twice, and 12d is missing."""


def named(name: str | int, instance: Object) -> Object:
    return {**instance, "id": name}


def hard() -> Object:
    """Give a deal whose decision takes tens of millions of positions."""
    lines = HARD_FILE.read_text(encoding="utf-8").splitlines()
    instance: Object = json.loads(lines[95])
    assert instance["id"] == "klondike12-96"
    return instance


def write(path: Path, *values: object) -> str:
    """Write values as JSON, one a line; gives the file's name."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return str(path)


def give_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def process(*arguments: object, **more: Any) -> subprocess.Popen[bytes]:
    """Start the command as a process of its own."""
    options: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    options["stdin"] = subprocess.DEVNULL
    command = [sys.executable, "-m", "hanasolve", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, **(options | more))


def finished(*arguments: object, text: str = "") -> Run:
    """Run the command as a process of its own, to its end."""
    done = process(*arguments, stdin=subprocess.PIPE)
    out, err = done.communicate(text.encode())
    return Run(done.returncode, out.decode(), err.decode())


def timeless(result: Object) -> Object:
    return {name: value for name, value in result.items() if name != "seconds"}


def on_reference(document: Object) -> tuple[reference.Rules, reference.Position]:
    """Give rules and position of an instance as the reference writes them."""
    instance = instances.check(document)
    return (
        reference.Rules(**instance.rules.as_dict()),
        reference.Position(**dataclasses.asdict(instance.position)),
    )


def first_illegal(document: Object, moves: Sequence[str]) -> int | None:
    """Give the index of the first move that the reference refuses, or of the end if not won."""
    rules, position = on_reference(document)
    for index, move in enumerate(moves):
        try:
            position = reference.apply(rules, position, move)
        except ValueError:
            return index
    return None if reference.is_won(position) else len(moves)


def check_result(document: Object, result: Object) -> None:
    """Check a result of solve or winnable as far as the reference can say."""
    assert result.keys() >= RESULT_KEYS
    rules, position = on_reference(document)
    assert result["game"] == "solitaire2"
    assert result["rules"] == dataclasses.asdict(rules)
    assert result["information"] == "thoughtful"
    assert isinstance(result["seconds"], float)
    assert result["seconds"] >= 0
    assert type(result["nodes"]) is int
    assert result["limit"] in (None, "time", "nodes", "memory")
    assert (result["status"] == "undecided") == (result["limit"] is not None)
    moves = result["moves"]
    if moves is None:
        assert result["length"] is None
        assert result["optimal"] is False
    else:
        assert result["status"] == "solved"
        assert first_illegal(document, moves) is None
        assert result["length"] == len(moves)
        assert result["lower_bound"] <= len(moves)
        if result["optimal"]:
            assert result["lower_bound"] == len(moves)
    least = reference.distance(rules, position, 2000)
    if least is not None:
        assert result["status"] in ("undecided", "solved" if least < math.inf else "unsolvable")
        assert result["lower_bound"] is None or result["lower_bound"] <= least


# Every command


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert set(COMMANDS) <= set(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["--json"],
        ["deal", "FILE"],
        ["deal", "--solvable", "--unsolvable"],
        ["deal", "--seed", "1.5"],
        ["deal", "--seed", "x"],
        ["deal", "--game", "poker"],
        ["deal", "-n", "0"],
        ["solve"],
        ["winnable", "--json"],
        ["show"],
        ["verify"],
        ["verify", "FILE"],
        ["verify", "-", "-"],
        ["solve", "--rules", "rule1"],
        ["solve", "--seed", "1", "--nodes", "-1"],
        ["solve", "--seed", "1", "--nodes", "1e3"],
        ["solve", "--seed", "1", "--time", "-1"],
        ["solve", "--seed", "1", "--time", "nan"],
        ["solve", "--seed", "1", "--time", "inf"],
        ["solve", "--seed", "1", "--memory", "0"],
        ["solve", "--seed", "1", "--workers", "0"],
        ["solve", "--seed", "1", "--no-such-option"],
        ["solve", "--seed", "1", "--metric", "moves"],
        ["solve", "--seed", "1", "--first-moves"],
        ["solve", "--seed", "1", "--optimal", "--metric", "steps"],
        ["winnable", "--seed", "1", "--optimal"],
        ["show", "--seed", "1", "--nodes", "1"],
    ],
    ids=" ".join,
)
def test_wrong_usage(refused: Any, arguments: list[str]) -> None:
    refused(*arguments)


# The December lies face up on the November of its pile: it must go to an empty column first.
TWO_LEFT: Object = {
    **HEAD,
    "rules": "klondike12",
    "tableau": columns({"down": ["11a"], "up": ["12a"]}),
    "foundations": [pile(1, 10), *([f"{m:02}b" for m in range(1, 11)] + ["11c", "12b"],)],
}
TWO_LEFT["foundations"] += [
    [*pile(3, 10), "11b", "12c"],
    pile(4, 12),
]


@pytest.mark.parametrize("metric", ["moves", "card-moves", "turns"])
def test_optimal(run: Any, tmp_path: Path, metric: str) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(TWO_LEFT))
    done = run("solve", path, "--optimal", "--metric", metric, "--json")
    assert done.code == 0
    result = json.loads(done.out)
    assert result.keys() == {*RESULT_KEYS, "metric"}
    assert (result["length"], result["optimal"], result["metric"]) == (3, True, metric)
    check_result(TWO_LEFT, result)
    record = tmp_path / "record.json"
    record.write_text(done.out)
    assert run("verify", path, record).code == 0
    assert "3 moves" in run("solve", path, "--optimal", "--metric", metric).out


def test_first_moves(run: Any, tmp_path: Path) -> None:
    """Any empty column takes the December; nothing else is a beginning."""
    path = tmp_path / "two.json"
    path.write_text(json.dumps(TWO_LEFT))
    done = run("solve", path, "--optimal", "--first-moves", "--json")
    assert done.code == 0
    result = json.loads(done.out)
    assert sorted(result["first_moves"]) == [f"1-{column}x1" for column in range(2, 7)]
    assert "begin with 1-2x1, 1-3x1" in run("solve", path, "--optimal", "--first-moves").out


def test_optimal_left_open(run: Any) -> None:
    """A solution is known, but not that there is no shorter one: 11, and what is proven."""
    done = run("solve", "--seed", "3", "--optimal", "--nodes", "30000", "--json")
    assert done.code == 11
    result = json.loads(done.out)
    assert (result["status"], result["optimal"], result["limit"]) == ("solved", False, "nodes")
    assert 57 <= result["lower_bound"] < result["length"] == len(result["moves"])
    text = run("solve", "--seed", "3", "--optimal", "--nodes", "30000")
    assert text.code == 11
    assert f"at least {result['lower_bound']} moves are needed" in text.out


def test_optimal_with_workers(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    path.write_text("".join(run("deal", "--rules", "rule123", "--seed", "6", "-n", "6").out))
    one, two = (
        run("solve", path, "--optimal", "--nodes", "20000", "--json", "--workers", workers)
        for workers in (1, 2)
    )
    assert one.code == two.code == 11
    first, second = (
        [timeless(json.loads(row)) for row in done.out.splitlines()] for done in (one, two)
    )
    assert first == second


@pytest.mark.parametrize("command", ["solve", "winnable", "show"])
@pytest.mark.parametrize("option", [["--seed", "1"], ["--rules", "rule1"]], ids=lambda o: o[0])
@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["text", "json"])
def test_a_file_and_a_deal_exclude_each_other(
    refused: Any, tmp_path: Path, command: str, option: list[str], as_json: list[str]
) -> None:
    path = write(tmp_path / "a.json", FORCED)
    assert option[0] in refused(command, path, *option, *as_json)


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ("rule4", "rule4"),
        ("rule1,rule2", "rule2"),
        ("draw_count=4", "draw_count"),
        ("draw_count=three", "draw_count"),
        ("draw_count=true", "draw_count"),
        ("draw=1", "draw"),
        ("run_moves=some", "run_moves"),
        ("max_passes=-1", "max_passes"),
        ("alternate=yes", "alternate"),
        ("foundation_order=none", "foundation_order"),
        ("rule2,nonpoint_piles=interchangeable", "nonpoint_piles"),
        ("rule1,", "rules"),
        ("=", "rules"),
        (",", "rules"),
    ],
)
@pytest.mark.parametrize("command", ["deal", "show", "solve", "winnable"])
def test_wrong_rules(refused: Any, command: str, rules: str, named: str) -> None:
    said = refused(command, "--seed", 1, "--rules", rules)
    assert named in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("rules", "differing"),
    [
        (None, {}),
        ("base", {}),
        ("rule13", {"foundation_suits": "by_class", "max_passes": 3}),
        ("draw_count=1", {"draw_count": 1}),
        ("rule2,draw_count=2,alternate=false", {"draw_count": 2}),
        (
            "foundation_return=true,max_passes=7,empty_column=any",
            {"foundation_return": True, "max_passes": 7, "empty_column": "any"},
        ),
    ],
)
def test_rules_as_used(run: Any, rules: str | None, differing: Object) -> None:
    options = [] if rules is None else ["--rules", rules]
    result = run("winnable", "--seed", 1, "--nodes", 0, *options, "--json").object
    assert result["rules"] == dataclasses.asdict(reference.Rules(**differing))
    dealt = run("deal", "--seed", 1, *options).object
    assert instances.check(dealt).rules.as_dict() == result["rules"]


# deal


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_deal(run: Any, seed: int, as_json: list[str]) -> None:
    done = run("deal", "--seed", seed, *as_json)
    assert (done.code, done.err) == (0, "")
    assert done.object["format"] == "hanasolve/1"
    assert done.object["game"] == "solitaire2"
    assert done.object["deck"] == fisher_yates(seed)
    assert isinstance(instances.check(done.object), Instance)


def test_deal_many(run: Any) -> None:
    done = run("deal", "--seed", 5, "-n", 4, "--rules", "rule12")
    assert done.code == 0
    assert [each["deck"] for each in done.objects] == [fisher_yates(seed) for seed in range(5, 9)]
    assert len({each["id"] for each in done.objects}) == 4
    assert run("deal", "--seed", 5, "-n", 4, "--rules", "rule12") == done


def test_deal_some(run: Any) -> None:
    """Of these seeds the reference proves 19 and 21 lost."""
    options = ["--seed", 19, "--rules", "klondike12", "-n", 2, "--nodes", 100_000]
    lost, won = run("deal", "--unsolvable", *options), run("deal", "--solvable", *options)
    assert (lost.code, won.code) == (0, 0)
    rules = reference.PRESETS["klondike12"]
    for seed in (19, 21):
        deck = [CODES.index(card) for card in fisher_yates(seed)]
        assert reference.solvable(rules, reference.deal(deck), 2000) is False
    dealt = [each["deck"] for each in lost.objects]
    assert dealt in ([fisher_yates(19), fisher_yates(20)], [fisher_yates(19), fisher_yates(21)])
    decks = [fisher_yates(seed) for seed in range(19, 200)]
    seeds = [decks.index(each["deck"]) for each in won.objects]
    assert seeds == sorted(set(seeds) - {0, 2})
    for document in won.objects:
        moves = run_solve(run, document)["moves"]
        assert first_illegal(document, moves) is None
    assert run("deal", "--unsolvable", *options) == lost
    assert run("deal", "--solvable", *options) == won


def run_solve(run: Any, document: Object) -> Object:
    with pytest.MonkeyPatch.context() as patch:
        give_stdin(patch, json.dumps(document))
        result: Object = run("solve", "-", "--json").object
        return result


@pytest.mark.parametrize("rules", ["base", "rule12", "klondike12"])
def test_deal_then_solve(run: Any, rules: str) -> None:
    dealt = run("deal", "--seed", 1, "--rules", rules).object
    from_file = run_solve(run, dealt)
    from_seed = run("solve", "--seed", 1, "--rules", rules, "--json").object
    check_result(dealt, from_file)
    unnamed = {"id": None}
    assert timeless(from_seed | unnamed) == timeless(from_file | unnamed)


def test_deal_piped_into_solve() -> None:
    dealt = process("deal", "--seed", 1, "-n", 2)
    solving = process("solve", "-", "--json", stdin=dealt.stdout)
    assert dealt.stdout is not None
    dealt.stdout.close()
    out, _ = solving.communicate()
    _, said = dealt.communicate()
    results = Run(solving.returncode, out.decode(), said.decode()).objects
    assert (dealt.returncode, solving.returncode) == (0, 0)
    for seed, result in zip((1, 2), results, strict=True):
        check_result({**HEAD, "deck": fisher_yates(seed)}, result)


# show


def test_show(run: Any, tmp_path: Path) -> None:
    on_table = ["11a", "06b", "04b", "07c", "06c", "05c", "01a", "02b", "07b", "08d", "12c", "12b"]
    stock = ["12c", "12b", *(card for card in CODES if card not in on_table)]
    document = {
        **HEAD,
        "id": "my game",
        "rules": "rule3",
        "tableau": columns({"up": ["11a"]}, {"down": ["06b", "04b"], "up": ["07c", "06c", "05c"]}),
        "foundations": [["01a", "02b"], [], [], []],
        "waste": ["07b", "08d"],
        "stock": stock,
    }
    done = run("show", write(tmp_path / "a.json", document))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "my game" in lines[0]
    assert "rule3" in lines[0]
    words = [line.split() for line in lines]
    assert ["F1", "02b", "F2", "--", "F3", "--", "F4", "--"] in words
    assert ["07b", "08d"] in words
    top = words.index(["1", "2", "3", "4", "5", "6"])
    rows = [["11a", "[06b]"], ["[04b]"], ["07c"], ["06c"], ["05c"]]
    assert words[top + 1 : top + 6] == rows
    assert [word for line in words for word in line if word in stock] == stock

    hidden = run("show", write(tmp_path / "a.json", document), "--hidden")
    assert hidden.code == 0
    seen = set(re.findall(r"\d\d[abcd]", hidden.out))
    assert seen == {"11a", "07c", "06c", "05c", "02b", "07b", "08d"}
    assert str(len(stock)) in hidden.out.split("\n 1 ")[0]


def test_show_unknown_cards(run: Any, tmp_path: Path) -> None:
    done = run("show", write(tmp_path / "a.json", HIDDEN))
    assert done.code == 0
    assert set(re.findall(r"\d\d[abcd]", done.out)) == {"01a", "02b", "03c", "12d"}
    assert done.out.count("???") == 44


@pytest.mark.parametrize("document", [FORCED, LOST, HIDDEN, {**HEAD, "deck": CODES}])
def test_show_as_json(run: Any, tmp_path: Path, document: Object) -> None:
    done = run("show", write(tmp_path / "a.json", document), "--json")
    assert (done.code, done.err) == (0, "")
    assert instances.check(done.object) == instances.check(document)


def test_show_hidden_as_json(run: Any) -> None:
    done = run("show", "--seed", 1, "--hidden", "--json")
    assert done.code == 0
    position = instances.check(done.object).position
    assert not any(card is not None for down in position.down for card in down)
    assert not any(card is not None for card in position.stock)


# solve and winnable


@pytest.mark.parametrize("command", ["solve", "winnable"])
@pytest.mark.parametrize(
    ("document", "exit_code"),
    [(FORCED, 0), (THREE_MOVES, 0), (LOST, 10), ({**HEAD, "deck": fisher_yates(1)}, 0)],
    ids=["forced", "three-moves", "lost", "seed-1"],
)
def test_verdicts(run: Any, tmp_path: Path, command: str, document: Object, exit_code: int) -> None:
    path = write(tmp_path / "a.json", document)
    done = run(command, path, "--json")
    assert done.code == exit_code
    check_result(document, done.object)
    assert done.object["status"] == ("solved" if exit_code == 0 else "unsolvable")
    solution = command == "solve" and exit_code == 0
    assert (done.object["moves"] is not None) == solution
    assert run(command, path).code == exit_code
    named_path = write(tmp_path / "b.json", named("my game", document))
    assert run(command, named_path, "--json").object["id"] == "my game"


def test_the_only_solution(run: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", FORCED)
    result = run("solve", path, "--json").object
    assert result["moves"] == ["W-F"]
    assert result["length"] == 1
    text = run("solve", path)
    assert text.code == 0
    first, *_, last = text.out.splitlines()
    assert first.startswith("solved")
    assert re.search(r"\b1 move", first)
    assert last.split()[:2] == ["1", "W-F"]
    assert {"12d", "F4"} <= set(last.split())
    tops = ["F1", "12a", "F2", "12b", "F3", "12c", "F4", "11d"]
    assert tops in [line.split() for line in text.out.splitlines()]
    verdict = run("winnable", path)
    assert verdict.code == 0
    assert verdict.out.startswith("solved")
    assert "W-F" not in verdict.out


def test_a_turned_up_card_is_told(run: Any, tmp_path: Path) -> None:
    """The December card must leave for an empty column, which turns up 11d."""
    text = run("solve", write(tmp_path / "a.json", THREE_MOVES)).out
    moves = [line for line in text.splitlines() if re.match(r" +\d+  1-[2-6]x1 ", line)]
    assert len(moves) >= 1
    assert "12d" in moves[0]
    assert "11d" in moves[0]


@pytest.mark.parametrize("document", [LOST, hard()], ids=["lost", "undecided"])
def test_no_solution_in_text(run: Any, tmp_path: Path, document: Object) -> None:
    done = run("solve", write(tmp_path / "a.json", document), "--nodes", 20)
    word = "unsolvable" if document is LOST else "undecided"
    assert done.out.startswith(word)
    assert ("nodes" in done.out.splitlines()[0].split("(")[0]) == (word == "undecided")
    assert done.code == (10 if document is LOST else 11)


@pytest.mark.parametrize("command", ["solve", "winnable"])
@pytest.mark.parametrize(
    ("limit", "value", "named"),
    [
        ("--nodes", 0, "nodes"),
        ("--nodes", 1, "nodes"),
        ("--nodes", 1000, "nodes"),
        ("--time", 0, "time"),
        ("--time", 0.05, "time"),
        ("--memory", 1, "memory"),
    ],
)
def test_limits(
    run: Any, tmp_path: Path, command: str, limit: str, value: float, named: str
) -> None:
    document = hard()
    done = run(command, write(tmp_path / "a.json", document), limit, value, "--json")
    assert done.code == 11
    assert done.object["status"] == "undecided"
    assert done.object["limit"] == named
    check_result(document, done.object)
    if named == "nodes":
        assert done.object["nodes"] <= value


def test_a_limit_in_nodes_is_repeatable(run: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", hard())
    one, two = (run("solve", path, "--nodes", 12_345, "--json").object for _ in range(2))
    assert timeless(one) == timeless(two)


@pytest.mark.parametrize("command", ["solve", "winnable"])
@pytest.mark.parametrize("as_json", [True, False])
def test_unknown_cards_are_refused(run: Any, tmp_path: Path, command: str, as_json: bool) -> None:
    path = write(tmp_path / "a.json", HIDDEN)
    done = run(command, path, *(["--json"] if as_json else []))
    assert done.code == 12
    assert "/tableau/1/down/1" in done.err
    assert path in done.err
    if as_json:
        assert done.pointer == "/tableau/1/down/1"
    else:
        assert done.out == ""


def test_an_unknown_card_of_the_stock(run: Any, tmp_path: Path) -> None:
    stock = ["12d", "?", *CODES[2:47]]
    document = {**HEAD, "stock": stock, "waste": ["01b"]}
    assert run("solve", write(tmp_path / "a.json", document), "--json").pointer == "/stock/1"


# Instances that are refused


@pytest.mark.parametrize("command", ["show", "solve", "winnable"])
@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        (json.dumps(BROKEN), "/deck/47"),
        (json.dumps({**HEAD, "deck": CODES, "rules": "rule4"}), "/rules"),
        (json.dumps({**HEAD, "deck": CODES, "rules": {"draw_count": 4}}), "/rules/draw_count"),
        (json.dumps({**HEAD, "format": "hanasolve/2", "deck": CODES}), "/format"),
        (json.dumps({**HEAD, "deck": CODES, "dek": 1}), "/dek"),
        ('{"format": ', ""),
        ("", ""),
        ("[]", ""),
    ],
)
def test_an_invalid_instance(
    run: Any, tmp_path: Path, command: str, text: str, pointer: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    done = run(command, path, "--json")
    assert done.code == 12
    assert done.pointer == pointer
    assert "a.json" in done.err
    in_words = run(command, path)
    assert (in_words.code, in_words.out) == (12, "")
    assert pointer in in_words.err
    assert len(in_words.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["show", "solve", "winnable"])
def test_a_file_that_is_not_there(run: Any, tmp_path: Path, command: str) -> None:
    done = run(command, tmp_path / "none.json", "--json")
    assert (done.code, done.pointer) == (12, "")
    assert "none.json" in done.err


# JSON Lines

LINES = [named("first", FORCED), named(2, BROKEN), named("third", LOST), FORCED]


@pytest.mark.parametrize("command", ["solve", "winnable", "show"])
@pytest.mark.parametrize("from_stdin", [False, True])
def test_json_lines(
    run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    from_stdin: bool,
) -> None:
    path = write(tmp_path / "a.jsonl", *LINES)
    if from_stdin:
        give_stdin(monkeypatch, Path(path).read_text(encoding="utf-8"))
    done = run(command, "-" if from_stdin else path, "--json")
    assert done.code == 12
    first, second, third, fourth = done.objects
    assert (first["id"], second["id"], third["id"]) == ("first", 2, "third")
    assert second.keys() == {"id", "error"}
    assert second["error"].keys() == {"pointer", "message"}
    assert second["error"]["pointer"] == "/deck/47"
    assert "01a" in second["error"]["message"]
    for document, result in ((FORCED, first), (LOST, third), (FORCED, fourth)):
        if command == "show":
            assert instances.check(result).position == instances.check(document).position
        else:
            check_result(document, result)


@pytest.mark.parametrize("command", ["solve", "winnable", "show"])
def test_json_lines_in_words(run: Any, tmp_path: Path, command: str) -> None:
    path = write(tmp_path / "a.jsonl", *LINES[:3])
    done = run(command, path)
    assert done.code == 12
    assert done.out.index("first") < done.out.index("third")
    assert done.err.count("\n") == 1
    assert path in done.err
    assert "/deck/47" in done.err
    if command != "show":
        first, third = done.out.splitlines()
        assert re.match(r"first\b.*\bsolved", first)
        assert re.match(r"third\b.*\bunsolvable", third)


@pytest.mark.parametrize("command", ["solve", "winnable"])
@pytest.mark.parametrize(
    ("documents", "exit_code"),
    [
        ([FORCED], 0),
        ([LOST], 0),
        ([FORCED, LOST], 0),
        ([FORCED, hard(), LOST], 11),
        ([hard(), hard()], 11),
        ([hard(), BROKEN, FORCED], 12),
        ([FORCED, HIDDEN], 12),
        ([BROKEN], 12),
        (["no object", FORCED], 12),
    ],
)
def test_json_lines_exit_code(
    run: Any, tmp_path: Path, command: str, documents: list[Any], exit_code: int
) -> None:
    path = write(tmp_path / "a.jsonl", *documents)
    done = run(command, path, "--nodes", 50, "--json")
    assert done.code == exit_code
    assert len(done.objects) == len(documents)
    assert run(command, path, "--nodes", 50).code == exit_code


def test_a_line_that_is_not_json(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(FORCED) + '\n{"id": "lost"\n\n' + json.dumps(FORCED) + "\n")
    one, error, two = run("solve", path, "--json").objects
    assert error["id"] is None
    assert error["error"]["pointer"] == ""
    assert timeless(one) == timeless(two)


@pytest.mark.parametrize("command", ["solve", "winnable", "show"])
def test_one_object_on_standard_input(
    run: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    give_stdin(monkeypatch, json.dumps(FORCED, indent=1))
    assert run(command, "-", "--json").code == 0


def test_every_limit_holds_for_each_line(run: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", hard(), hard(), hard())
    results = run("solve", path, "--nodes", 777, "--json").objects
    assert [result["nodes"] for result in results] == [777] * 3


def test_workers_change_nothing(tmp_path: Path) -> None:
    deals = [{**HEAD, "id": n, "rules": "rule12", "deck": fisher_yates(n)} for n in range(10)]
    path = write(tmp_path / "a.jsonl", *deals[:4], BROKEN, HIDDEN, LOST, hard(), *deals[4:])
    outputs = set()
    for workers in (1, 2):
        done = finished("solve", path, "--nodes", 5000, "--json", "--workers", workers)
        assert done.code == 12
        text, count = re.subn(r'"seconds": [-+.e\d]+', '"seconds": 0', done.out)
        assert count == 12
        outputs.add((text, done.err))
    assert len(outputs) == 1
    ids = [result.get("id") for result in done.objects]
    assert ids == [0, 1, 2, 3, None, None, None, "klondike12-96", *range(4, 10)]


# verify


@pytest.fixture
def solved(run: Any, tmp_path: Path) -> tuple[str, Object, Object]:
    """Give a deal's file, the deal, and its result by solve."""
    document = {**HEAD, "rules": "rule3", "deck": fisher_yates(1)}
    path = write(tmp_path / "deal.json", document)
    result = run("solve", path, "--json").object
    assert first_illegal(document, result["moves"]) is None
    return path, document, result


def test_verify(
    run: Any, tmp_path: Path, solved: tuple[str, Object, Object], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, document, result = solved
    holds = {"valid": True, "failed_at": None, "reason": None}
    for record in (result, {"moves": result["moves"]}):
        record_path = write(tmp_path / "record.json", record)
        done = run("verify", path, record_path, "--json")
        assert (done.code, done.object, done.err) == (0, holds, "")
        in_words = run("verify", path, record_path)
        assert (in_words.code, in_words.err) == (0, "")
        assert str(len(result["moves"])) in in_words.out
    give_stdin(monkeypatch, json.dumps(document))
    assert run("verify", "-", record_path, "--json").object == holds
    give_stdin(monkeypatch, json.dumps(result))
    assert run("verify", path, "-", "--json").object == holds


def test_verify_a_record_that_does_not_hold(
    run: Any, tmp_path: Path, solved: tuple[str, Object, Object]
) -> None:
    """One move left out, doubled or exchanged with the next: the reference says what is wrong."""
    path, document, result = solved
    moves: list[str] = result["moves"]
    broken = 0
    for at in range(0, len(moves), 5):
        two = moves[at : at + 2]
        for instead in ([], [*two, two[-1]], two[::-1], ["turn", *two], ["1-1x1", *two]):
            record = moves[:at] + instead + moves[at + 2 :]
            wrong = first_illegal(document, record)
            done = run("verify", path, write(tmp_path / "r.json", {"moves": record}), "--json")
            assert done.object["failed_at"] == wrong
            assert done.object["valid"] == (wrong is None)
            assert (done.object["reason"] is None) == (wrong is None)
            assert done.object.keys() == {"valid", "failed_at", "reason"}
            assert done.code == (0 if wrong is None else 10)
            broken += wrong is not None
    assert broken > 50


@pytest.mark.parametrize(
    ("record", "failed_at"),
    [
        ({"moves": []}, 0),
        ({"moves": ["W-F", "draw"]}, 1),
        ({"moves": ["draw", "W-F"]}, 0),
        ({"moves": ["nonsense"]}, 0),
        ({"moves": ["W-F2"]}, 0),
        ({"moves": ["W-F4"]}, None),
        ({"moves": ["W-F"], "length": 1}, None),
        ({"moves": ["W-F"], "length": None}, None),
        ({"moves": ["W-F"], "length": 2}, 1),
        ({"moves": ["W-F"], "length": 0}, 1),
    ],
)
def test_verify_short_records(
    run: Any, tmp_path: Path, record: Object, failed_at: int | None
) -> None:
    path, record_path = write(tmp_path / "a.json", FORCED), write(tmp_path / "r.json", record)
    done = run("verify", path, record_path, "--json")
    assert done.object["valid"] == (failed_at is None)
    assert done.object["failed_at"] == failed_at
    assert done.code == (0 if failed_at is None else 10)
    in_words = run("verify", path, record_path)
    assert in_words.code == done.code
    assert len(in_words.out.splitlines()) == 1
    if done.object["reason"]:
        assert done.object["reason"] in in_words.out


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("", ""),
        ("nonsense", ""),
        ("[]", ""),
        ("null", ""),
        ("{}", ""),
        ('{"moves": null}', "/moves"),
        ('{"moves": "draw"}', "/moves"),
        ('{"moves": {"0": "draw"}}', "/moves"),
        ('{"moves": ["W-F", 1]}', "/moves/1"),
        ('{"moves": [["W-F"]]}', "/moves/0"),
        ('{"moves": ["W-F"], "moves": ["W-F"]}', "/moves"),
        ('{"moves": ["W-F"]}\n{"moves": ["W-F"]}', ""),
    ],
)
def test_verify_what_is_no_record(run: Any, tmp_path: Path, text: str, pointer: str) -> None:
    path, record = write(tmp_path / "a.json", FORCED), tmp_path / "record.json"
    record.write_text(text)
    done = run("verify", path, record, "--json")
    assert (done.code, done.pointer) == (12, pointer)
    assert "record.json" in done.err
    in_words = run("verify", path, record)
    assert (in_words.code, in_words.out) == (12, "")


def test_verify_what_is_no_instance(run: Any, tmp_path: Path) -> None:
    record = write(tmp_path / "record.json", {"moves": ["W-F"]})
    lines = write(tmp_path / "a.jsonl", FORCED, FORCED)
    for path, pointer in (
        (lines, ""),
        (str(tmp_path / "none.json"), ""),
        (write(tmp_path / "hidden.json", HIDDEN), "/tableau/1/down/1"),
        (write(tmp_path / "broken.json", BROKEN), "/deck/47"),
    ):
        done = run("verify", path, record, "--json")
        assert (done.code, done.pointer) == (12, pointer)
        assert path in done.err
    done = run("verify", write(tmp_path / "a.json", FORCED), tmp_path / "none.json", "--json")
    assert (done.code, done.pointer) == (12, "")
    assert "none.json" in done.err


# Processes


def read_until(descriptor: int, word: bytes) -> bytes:
    """Read from a terminal until a word comes; an end before that is an error."""
    text = b""
    while word not in text:
        text += os.read(descriptor, 4096)
    return text


def drain(descriptor: int) -> bytes:
    text = b""
    # A terminal nobody writes to any more ends with an error instead of an empty read.
    with contextlib.suppress(OSError):
        while part := os.read(descriptor, 4096):
            text += part
    return text


@pytest.mark.parametrize("command", ["solve", "winnable"])
def test_interrupt(tmp_path: Path, command: str) -> None:
    """The first deal is done at once; the others would take minutes."""
    path = write(tmp_path / "a.jsonl", named("easy", FORCED), *[hard()] * 9)
    with process(command, path, "--json") as running:
        assert running.stdout is not None
        assert running.stderr is not None
        first = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        rest, said = running.stdout.read(), running.stderr.read()
    assert running.returncode == 130
    assert json.loads(first)["id"] == "easy"
    assert json.loads(first)["status"] == "solved"
    assert rest == b""
    assert b"Traceback" not in said


def test_interrupt_while_progress_is_shown(tmp_path: Path) -> None:
    """On a terminal a long search says how far it is, on standard error only."""
    path = write(tmp_path / "a.json", hard())
    terminal, its_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with process("solve", path, "--json", stderr=its_end, env=environment) as running:
        os.close(its_end)
        assert running.stdout is not None
        read_until(terminal, b"searching")
        running.send_signal(signal.SIGINT)
        out, said = running.stdout.read(), drain(terminal)
    os.close(terminal)
    assert running.returncode == 130
    assert out == b""
    assert b"Traceback" not in said


def test_an_interrupt_leaves_the_best_solution_so_far() -> None:
    """It is written as at a limit; the proof would take seconds more."""
    terminal, its_end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    command = ["solve", "--seed", 2013, "--optimal", "--json"]
    with process(*command, stderr=its_end, env=environment) as running:
        os.close(its_end)
        assert running.stdout is not None
        read_until(terminal, b"best so far")
        running.send_signal(signal.SIGINT)
        out, said = running.stdout.read(), drain(terminal)
    os.close(terminal)
    assert running.returncode == 130
    result = json.loads(out)
    assert (result["limit"], result["optimal"]) == ("interrupt", False)
    assert 57 <= result["lower_bound"] <= result["length"] == len(result["moves"])
    assert functools.reduce(State.apply, result["moves"], State.deal(seed=2013)).is_won
    assert b"interrupted" in said
    assert b"Traceback" not in said


def test_interrupt_with_workers(tmp_path: Path) -> None:
    """As a terminal does it, the whole group of processes is interrupted."""
    path = write(tmp_path / "a.jsonl", named("easy", FORCED), *[hard()] * 9)
    command = ["solve", path, "--json", "--workers", 2]
    with process(*command, start_new_session=True) as running:
        try:
            assert running.stdout is not None
            first = running.stdout.readline()
            os.killpg(running.pid, signal.SIGINT)
            rest, said = running.communicate(timeout=30)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    assert running.returncode == 130
    assert json.loads(first)["id"] == "easy"
    assert rest == b""
    assert b"Traceback" not in said


@pytest.mark.parametrize(
    "command",
    [["deal", "-n", 400], ["solve"], ["solve", "--workers", 2], ["show"], ["winnable"]],
    ids=lambda command: " ".join(map(str, command)),
)
def test_nobody_reads_on(tmp_path: Path, command: list[Any]) -> None:
    """What is written is more than a pipe holds, so the writer meets its end."""
    if command[0] == "deal":
        arguments = command
    else:
        arguments = [*command, write(tmp_path / "a.jsonl", *[FORCED] * 400), "--json"]
    with process(*arguments) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert isinstance(json.loads(running.stdout.readline()), dict)
        running.stdout.close()
        said = running.stderr.read().decode()
    assert "Traceback" not in said
    assert "Exception" not in said
    assert "BrokenPipe" not in said
    assert running.returncode >= 0


@pytest.mark.parametrize("what", [["-m", "hanasolve", "--help"], ["-c", "import hanasolve"]])
def test_nothing_heavy_is_imported(what: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *what],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert "hanasolve" in imported
    heavy = {"numba", "numpy", "rich", "ortools"}
    assert not {name.partition(".")[0] for name in imported} & heavy


def test_as_a_process() -> None:
    """Exit codes reach the shell, and standard output holds the result alone."""
    text = json.dumps(LOST)
    done = finished("solve", "-", "--json", text=text)
    assert done.code == 10
    check_result(LOST, done.object)
    assert finished("solve", "-", "--json", text=json.dumps(HIDDEN)).code == 12
    assert finished("deal", "--rules", "none").code == 2
    wrong = finished("deal", "--no-such-option")
    assert (wrong.code, wrong.out) == (2, "")


def each_item(path: Path) -> Iterator[Instance | InstanceError]:
    return (item for _, item in instances.load(str(path)).items)


def test_the_stored_instances_are_shown(run: Any) -> None:
    """The instance files that come with the package can be read to their last line."""
    for path in sorted(HARD_FILE.parent.glob("*.jsonl")):
        done = run("show", path, "--json")
        assert done.code == 0
        for shown, item in itertools.zip_longest(done.objects, each_item(path)):
            assert instances.check(shown) == item


def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "wb") as full:
        running = process("deal", "--seed", 1, stdout=full)
        _, said = running.communicate()
    assert running.returncode == 2
    assert said.decode().startswith("hanasolve: the output cannot be written: ")
    assert said.count(b"\n") == 1


def test_a_record_of_another_game_or_with_a_wrong_length_is_refused(
    run: Any, tmp_path: Path
) -> None:
    file = write(tmp_path / "a.json", FORCED)
    solved = run("solve", file, "--json").object
    for name, value in (("game", "tamaki"), ("length", True), ("length", [1]), ("length", 1.0)):
        record = write(tmp_path / "r.json", {**solved, name: value})
        done = run("verify", file, record, "--json")
        assert (done.code, done.object["error"]["pointer"]) == (12, f"/{name}")


@pytest.mark.parametrize("rules", ["rule1,preset=rule2", "draw_count=1,draw_count=2"])
def test_a_switch_given_twice_is_refused(refused: Any, rules: str) -> None:
    assert "twice" in refused("deal", "--rules", rules)


def test_every_line_has_an_id(run: Any, tmp_path: Path) -> None:
    unnamed = {name: value for name, value in FORCED.items() if name != "id"}
    path = write(tmp_path / "a.jsonl", named("one", FORCED), unnamed)
    done = run("winnable", path, "--json")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == ["one", None]


def test_without_a_cache_folder_it_compiles_and_says_so() -> None:
    nowhere = {"HOME": "/dev/null", "NUMBA_CACHE_DIR": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
    running = process("winnable", "--seed", 1, "--json", env={**os.environ, **nowhere})
    out, said = running.communicate()
    assert running.returncode == 0
    assert json.loads(out)["status"] == "solved"
    assert b"no cache folder can be written" in said
    assert said.count(b"\n") == 1
