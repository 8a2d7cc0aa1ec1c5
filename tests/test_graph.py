"""The graph of what can follow a position, its text in DRN, and ``hanasolve analyze``."""

from __future__ import annotations

import os
import random
import re
import signal
import stat
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve.analysis.graph import Choice, explore
from hanasolve.report import drn
from hanasolve.search.limits import Limits, Progress
from hanasolve.treasures.chances import fillings
from hanasolve.treasures.state import State
from tests.reference import treasures as reference
from tests.test_treasures_play import some_state

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "instances" / "treasures"
START, HIDDEN = FOLDER / "start.json", FOLDER / "hidden.json"
DRN = ("--format", "drn")


def followers(state: State) -> list[State]:
    """Give all states that can follow one, breadth first; those with equal beliefs once."""
    found, waiting = {state}, [state]
    for now in waiting:
        for after in map(now.apply, now.legal_moves()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return [*{now.words: now for now in reversed(waiting)}.values()][::-1]


@pytest.mark.parametrize("seed", range(30))
def test_a_graph_is_all_that_can_follow(seed: int) -> None:
    state = some_state(random.Random(f"graph {seed}"), 3)
    graph = explore(state)
    states = followers(state)
    numbers = {now.words: number for number, now in enumerate(states)}
    for number, (now, choices) in enumerate(zip(states, graph, strict=True)):
        assert graph.is_won(number) == now.is_won
        if now.is_chance:
            ((text, outcomes),) = ((choice.text, choice.outcomes) for choice in choices)
            assert text is None
            assert [target for target, _ in outcomes] == sorted(dict(outcomes))
            for target, chance in outcomes:
                leading = (p for move, p in now.outcomes() if led(now, move, numbers) == target)
                assert chance == sum(leading)
            assert sum(dict(outcomes).values()) == 1
        else:
            assert choices == [
                Choice(str(move), ((led(now, move, numbers), Fraction(1)),))
                for move in now.legal_moves()
            ]
    assert graph.limit is None
    assert graph.states == len(states)
    assert graph.choices == sum(map(len, graph))
    assert graph.transitions == sum(len(choice.outcomes) for row in graph for choice in row)
    assert graph.won == sum(now.is_won for now in states)
    assert graph.lost == sum(now.is_lost for now in states)


def led(state: State, move: Any, numbers: dict[Any, int]) -> int:
    return numbers[state.apply(move).words]


def test_fillings_agree_with_the_reference() -> None:
    """Places of up to three kinds, each barring more than the one before."""
    stream = random.Random("fillings")
    some = 0
    for _ in range(300):
        cards = stream.sample(range(48), stream.randint(1, 6))
        order = ["?", "?a", "?b"]
        cuts = sorted(stream.randint(0, len(cards)) for _ in order[1:])
        bars = {kind: cards[:cut] for kind, cut in zip(order, [0, *cuts], strict=True)}
        places = [stream.choice(order) for _ in cards]
        forbidden = {kind: frozenset(barred) for kind, barred in bars.items()}
        expected = len(reference.fillings(places, frozenset(cards), forbidden))
        counted = {kind: places.count(kind) for kind in {*places}}
        sets = {kind: sum(1 << card for card in barred) for kind, barred in bars.items()}
        assert fillings(sum(1 << card for card in cards), counted, sets) == expected
        some += expected > 0
    assert some > 100


# Limits


def test_limits() -> None:
    """A graph of just so many states is whole."""
    state = hanasolve.load(START)
    states = explore(state).states
    assert explore(state, Limits(nodes=states)).limit is None
    stopped = explore(state, Limits(nodes=states - 1))
    assert (stopped.limit, stopped.states) == ("nodes", states - 1)
    assert explore(state, Limits(nodes=0)).states == 0
    assert explore(hanasolve.load(HIDDEN), Limits(memory=1)).limit == "memory"
    stopped = explore(hanasolve.load(HIDDEN), Limits(time=0.3))
    assert stopped.limit == "time"
    assert 0.3 <= stopped.seconds < 0.6


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    graph = explore(hanasolve.load(START), None, seen.append)
    assert seen[-1].nodes == graph.states
    assert [now.nodes for now in seen] == sorted({now.nodes for now in seen})


# DRN

SIMPLE = """\
// treasures, rules: base
@type: MDP
@parameters

@reward_models

@nr_states
6
@nr_choices
8
@model
state 0 init
\taction chance
\t\t1 : 1
state 1
\taction chance
\t\t2 : 1
state 2
\taction wander_03c
\t\t3 : 1
\taction wander_07c
\t\t4 : 1
\taction starve_03c_07c
\t\t5 : 1
state 3 won
\taction over
\t\t3 : 1
state 4 won
\taction over
\t\t4 : 1
state 5 lost
\taction over
\t\t5 : 1
"""


def test_simple(run: Any) -> None:
    done = run("analyze", FOLDER / "simple-won.json", *DRN)
    assert (done.code, done.out, done.err) == (0, SIMPLE, "")


def test_a_label_that_no_state_has(run: Any) -> None:
    """Storm cannot be asked for one, so there is a state that nothing leads to."""
    out = run("analyze", FOLDER / "simple-lost.json", *DRN).out
    number = re.search(r"^state (\d+) won$", out, re.MULTILINE)
    assert number is not None
    assert re.findall(rf"^\t\t{number[1]} : (.*)$", out, re.MULTILINE) == ["1"]
    assert out.splitlines()[7] == str(int(number[1]) + 1) == str(len(re.findall("state ", out)))
    assert out.splitlines()[9] == str(len(re.findall("action ", out)))


def test_fractions_are_exact(run: Any) -> None:
    out = run("analyze", START, *DRN).out
    assert out.count("\t\t1 : 1/4\n") == 1
    assert "." not in out


def test_the_same_on_every_run() -> None:
    """Also in other processes, whose texts have other hashes."""
    command = [sys.executable, "-m", "hanasolve", "analyze", str(START), *DRN]
    texts = {
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


# The command


def test_into_a_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "out.drn"
    path.write_text("what was there before")
    written = run("analyze", START, *DRN).out
    done = run("analyze", START, *DRN, "--output", path)
    assert done.code == 0
    assert re.fullmatch(r"2,694 states, \S+ choices, \S+ outcomes\n", done.out)
    assert path.read_text() == written
    assert [*tmp_path.iterdir()] == [path]


def test_into_a_file_as_json(run: Any, tmp_path: Path) -> None:
    done = run("analyze", START, *DRN, "--output", tmp_path / "out.drn", "--json")
    result = done.object
    assert done.code == 0
    graph = explore(hanasolve.load(START))
    assert result["rules"]["kill_pick"] == "blind"
    assert result["seconds"] > 0
    assert {name: value for name, value in result.items() if name not in ("rules", "seconds")} == {
        "id": "start",
        "game": "treasures",
        "information": "hidden",
        "states": graph.states,
        "choices": graph.choices,
        "transitions": graph.transitions,
        "nodes": graph.states,
        "limit": None,
    }


def test_a_seed(run: Any) -> None:
    done = run("analyze", "--game", "treasures", "--seed", 1, *DRN, "--nodes", 50)
    assert (done.code, done.out) == (11, "")


@pytest.mark.parametrize("limit", [("nodes", 5), ("time", 0.1), ("memory", 1)])
def test_over_a_limit_nothing_is_written(run: Any, tmp_path: Path, limit: tuple[str, Any]) -> None:
    name, value = limit
    done = run("analyze", HIDDEN, *DRN, f"--{name}", value)
    assert (done.code, done.out) == (11, "")
    assert f"the limit of {name} was met" in done.err
    assert done.err.count("\n") == 1
    path = tmp_path / "out.drn"
    path.write_text("what was there before")
    done = run("analyze", HIDDEN, *DRN, f"--{name}", value, "--output", path, "--json")
    assert (done.code, done.object["limit"]) == (11, name)
    assert path.read_text() == "what was there before"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_is_not_whole_is_none(run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    def broken(*_: object, **__: object) -> Any:
        yield "state 0"
        raise KeyboardInterrupt

    monkeypatch.setattr(drn, "lines", broken)
    assert run("analyze", START, *DRN, "--output", tmp_path / "out.drn").code == 130
    assert [*tmp_path.iterdir()] == []


def test_an_output_that_is_no_file(run: Any, tmp_path: Path) -> None:
    """A device stays one, a link leads where it did, and what cannot be written is one line."""
    assert run("analyze", START, *DRN, "--output", "/dev/null").code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    link = tmp_path / "link"
    link.symlink_to("out.drn")
    assert run("analyze", START, *DRN, "--output", link).code == 0
    assert link.is_symlink()
    assert (tmp_path / "out.drn").read_text().startswith("// treasures")


@pytest.mark.parametrize("path", ["/dev/full", "no/such/folder/out.drn", "."])
def test_what_cannot_be_written(path: str) -> None:
    command = [sys.executable, "-m", "hanasolve", "analyze", str(START), *DRN, "--output", path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hanasolve: the output cannot be written: ")
    assert done.stderr.count("\n") == 1


def test_an_interrupt(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hanasolve", "analyze", str(HIDDEN), *DRN]
    with subprocess.Popen(
        [*command, "--output", str(tmp_path / "out.drn")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.communicate(timeout=3)
        running.send_signal(signal.SIGINT)
        out, said = running.communicate()
    assert (running.returncode, out, said) == (130, b"", b"hanasolve: interrupted\n")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "1", *DRN], "solitaire2 has no chance"),
        ([ROOT / "instances" / "solitaire2" / "demo.json", *DRN], "solitaire2 has no chance"),
        ([START, *DRN, "--json"], "--output FILE"),
        ([START], "--format"),
        ([START, "--format", "dot"], "--format"),
        ([*DRN], "FILE"),
        ([START, *DRN, "--seed", "1"], "--seed"),
    ],
)
def test_wrong_usage(refused: Any, arguments: list[object], said: str) -> None:
    message = refused("analyze", *arguments)
    assert said in message
    assert "usage: " in message or message.count("\n") == 1


@pytest.mark.parametrize("text", ["{}\n", "no JSON", '{"game": "treasures"}\n{"game": 1}\n'])
def test_an_invalid_instance(run: Any, tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    for more in ([], ["--output", tmp_path / "out.drn", "--json"]):
        done = run("analyze", path, *DRN, *more)
        assert done.code == 12
        assert done.err.count("\n") == 1
        if more:
            assert done.pointer == ""
    assert run("analyze", tmp_path / "none.json", *DRN).code == 12
