"""Whole games and move counts, written down by the reference game and replayed by the package.

The files in ``golden`` come from ``golden/make.py``, which does not know the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State
from hanasolve.treasures.game import deal_game
from hanasolve.treasures.rules import Rules as TreasuresRules
from tests.golden import make, make_treasures

FOLDER = Path(__file__).parent / "golden"
PLAYTHROUGHS = sorted(path for path in FOLDER.glob("*.json") if path.stem != "perft")
PERFT = json.loads((FOLDER / "perft.json").read_text(encoding="utf-8"))
COUNTS = [
    pytest.param(deck, rules, counts, id=f"{deck}-{rules}")
    for deck, rows in PERFT.items()
    for rules, counts in rows.items()
]


def lists(piles: Any) -> list[list[int]]:
    return [list(pile) for pile in piles]


def sorted_moves(state: State) -> str:
    return " ".join(sorted(str(move) for move in state.legal_moves()))


def test_every_preset_has_a_playthrough() -> None:
    assert {path.stem for path in PLAYTHROUGHS} == make.RULES.keys()


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    start, end = golden["start"], golden["end"]
    state = State.deal(start["deck"], rules=Rules.of(start["rules"]))
    for number, (move, legal) in enumerate(golden["steps"], 1):
        assert sorted_moves(state) == legal, f"before step {number}"
        state = state.apply(move)
    assert sorted_moves(state) == end["legal"]
    final = state.position
    assert lists(final.down) == end["down"]
    assert lists(final.up) == end["up"]
    assert [*final.stock] == end["stock"]
    assert [*final.waste] == end["waste"]
    assert lists(final.foundations) == end["foundations"]
    assert final.turns == end["turns"]
    assert state.is_won == (sum(map(len, end["foundations"])) == 48)


@pytest.mark.parametrize("name", make.RULES)
def test_the_reference_still_writes_the_same(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert text == make.playthrough(name)
    assert len(text) < 60_000


def test_the_playthroughs_tell_rules_apart() -> None:
    """Some games are won, turns run out, cards come back, and piles are named."""
    ends, moves = {}, set()
    for path in PLAYTHROUGHS:
        golden = json.loads(path.read_text(encoding="utf-8"))
        ends[path.stem] = golden["end"]
        moves |= {move for move, _ in golden["steps"]}
    won = {name for name, end in ends.items() if sum(map(len, end["foundations"])) == 48}
    assert {"base", "rule1", "rule2", "rule12"} <= won
    assert all(ends[name]["turns"] == 2 for name in ("rule3", "rule13", "rule23", "rule123"))
    assert any(move[0] == "F" for move in moves)
    assert any(move[-2:-1] == "F" for move in moves)


@pytest.mark.parametrize(("deck", "rules", "counts"), COUNTS)
def test_perft(deck: str, rules: str, counts: list[int]) -> None:
    switches = Rules.of(make.differing(make.PERFT_RULES[rules]))
    state = State.deal(make.PERFT_DECKS[deck], rules=switches)
    assert [state.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert len(counts) == make.PERFT_DEPTH


TREASURES = FOLDER / "treasures"


@pytest.mark.parametrize("name", make_treasures.files())
def test_the_reference_of_treasures_still_writes_the_same(name: str) -> None:
    text = (TREASURES / f"{name}.json").read_text(encoding="utf-8")
    assert text == make_treasures.files()[name]()


@pytest.mark.parametrize("name", make_treasures.GAMES)
def test_playthrough_of_treasures(name: str) -> None:
    golden = json.loads((TREASURES / f"{name}.json").read_text(encoding="utf-8"))
    start = golden["start"]
    rules = TreasuresRules.of(start["rules"])
    game, _ = deal_game(start["seed"], rules)
    for number, (event, legal) in enumerate(golden["steps"], 1):
        assert not game.is_over
        decisions = [] if game.chance(lambda: 0.0) else game.view.legal_moves()
        assert " | ".join(sorted(map(str, decisions))) == legal, f"before step {number}"
        game = game.apply(event)
    assert game.is_over
    assert game.is_won == golden["won"]


def test_perft_of_treasures() -> None:
    golden = json.loads((TREASURES / "perft.json").read_text(encoding="utf-8"))
    assert golden.keys() == {*make_treasures.PERFT_OF}
    for name, counts in golden.items():
        state = hanasolve.load(make_treasures.INSTANCES / f"{name}.json")
        assert [state.perft(depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_reference_still_counts_the_same() -> None:
    assert make.perft(3) == {
        deck: {rules: counts[:3] for rules, counts in rows.items()} for deck, rows in PERFT.items()
    }
