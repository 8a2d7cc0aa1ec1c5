"""Exact values from the model checker Storm, which knows the game by its DRN text alone.

There are packages of Storm for Linux only; elsewhere these tests cannot be run.
"""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve import instances
from hanasolve.analysis.graph import Graph, explore
from hanasolve.report import drn
from hanasolve.search.limits import Limits
from hanasolve.switches import choices
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State
from tests.test_treasures_play import some_state

stormpy = pytest.importorskip("stormpy", reason="Storm has packages for Linux only")

FOLDER = Path(__file__).parent.parent / "instances" / "treasures"


def backwards(graph: Graph) -> Fraction:
    """Give the value of the first state by induction from the end of the game."""
    rows = list(graph)
    values: dict[int, Fraction] = {}

    def value(state: int) -> Fraction:
        if state not in values:
            means = [
                sum((p * value(after) for after, p in choice.outcomes), Fraction())
                for choice in rows[state]
            ]
            values[state] = max(means, default=Fraction(graph.is_won(state)))
        return values[state]

    return value(0)


class Storm:
    """Storm's model of a text, with probabilities of a type."""

    def __init__(self, path: Path, number: Any) -> None:
        options = stormpy.io.DirectEncodingParserOptions()
        options.build_choice_labeling = True
        self.model = stormpy.build_model_from_drn[number](str(path), options=options)

    def value(self) -> Any:
        """Give the greatest probability that a game is won."""
        wanted = stormpy.parse_property('Pmax=? [F "won"]')
        found = stormpy.model_checking(self.model, wanted, only_initial_states=True)
        return found.get_value(self.model.initial_states[0])


def check(state: State, graph: Graph, path: Path) -> Fraction:
    """Compare all values of a state; gives it."""
    path.write_text("\n".join(drn.lines(graph, title="a test")))
    exact = Fraction(str(Storm(path, stormpy.Rational).value()))
    assert exact == backwards(graph)
    low, high = hanasolve.solve(state).value
    assert low <= exact <= high
    assert Storm(path, float).value() == pytest.approx(float(exact), abs=1e-12)
    return exact


def test_random_endings(tmp_path: Path) -> None:
    """Over all switches; what is too large for a test is left out."""
    stream = random.Random("storm")
    switches: set[tuple[str, object]] = set()
    count = between = 0
    while count < 220:
        state = some_state(stream, 4)
        graph = explore(state, Limits(nodes=3_000))
        if graph.limit is None:
            between += 0 < check(state, graph, tmp_path / "graph.drn") < 1
            switches |= state.rules.as_dict().items()
            count += 1
    assert between >= 60
    for field in dataclasses.fields(Rules):
        assert {(field.name, value) for value in choices(Rules, field.name)} <= switches


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_stored_instances(path: Path, tmp_path: Path) -> None:
    """Whose values the reference found, in every world that is possible."""
    expect = instances.load(str(path)).only().expect
    if expect is not None:
        state = hanasolve.load(path)
        value = check(state, explore(state), tmp_path / "graph.drn")
        assert value == Fraction(str(expect["value"]))


def test_labels(tmp_path: Path) -> None:
    """Storm sees the moves as the names of actions."""
    state = hanasolve.load(FOLDER / "acted.json")
    path = tmp_path / "graph.drn"
    graph = explore(state)
    path.write_text("\n".join(drn.lines(graph, title="a test")))
    model = Storm(path, float).model
    names = [model.choice_labeling.get_labels_of_choice(n) for n in range(graph.choices)]
    first = model.transition_matrix.get_row_group_end(0)
    moves = [str(move).replace(" ", "_") for move in state.legal_moves()]
    assert names[:first] == [{move} for move in moves]
    assert {"chance", "over"} <= model.choice_labeling.get_labels()
    assert model.nr_states == graph.states
    for label, count in (("init", 1), ("won", graph.won), ("lost", graph.lost)):
        assert len([*model.labeling.get_states(label)]) == count
