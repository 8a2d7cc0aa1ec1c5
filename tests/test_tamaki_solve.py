"""Margin, paranoid and max-n of Hanafuda by Tamaki, against values found by trying everything."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hanasolve.errors import HanasolveError
from hanasolve.search.limits import Limits, Meter
from hanasolve.tamaki.result import Result, Value
from hanasolve.tamaki.searches import EachForItself, TwoSides
from hanasolve.tamaki.solve import solve
from hanasolve.tamaki.state import State
from tests.random_rounds import as_reference, as_turn, random_round
from tests.reference import tamaki as reference

LEFT = {2: 4, 3: 6, 4: 5, 5: 5, 6: 5, 7: 5}
"""For each number of seats the cards in the hands, at most."""
ASKED = [(2, "margin"), *((n, objective) for n in LEFT for objective in ("paranoid", "maxn"))]
POSITIONS = 160
"""For each of them."""


def small_rounds(players: int, count: int = POSITIONS) -> Iterator[State]:
    for seed in range(count):
        yield random_round(seed, players, random.Random(f"left {seed}").randint(0, LEFT[players]))


def valuing(objective: str, seat: int) -> Callable[[reference.State], Value]:
    """Give what the reference finds, with a memory for all positions."""
    memory: dict[reference.State, Any] = {}

    def value(position: reference.State) -> Value:
        found = reference.search(position, at_end, pick, memory)
        return tuple(found) if objective == "maxn" else found

    def at_end(end: reference.State) -> Any:
        scores = reference.round_scores(end)
        if objective == "maxn":
            return scores
        return scores[seat] - (scores[1 - seat] if objective == "margin" else 0)

    def pick(mover: int, values: list[Any]) -> Any:
        if objective == "maxn":
            return max(values, key=lambda vector: vector[mover])
        return max(values) if mover == seat else min(values)

    return value


def assert_line(state: State, result: Result, value: Callable[[reference.State], Value]) -> None:
    """Every turn of the line is the first one that keeps the value, as the reference plays it."""
    position = as_reference(state)
    for seat, move in result.line:
        assert seat == position.turn
        after = reference.turns_and_after(position)
        best = next(turn for turn, after in after if value(after) == value(position))
        assert as_turn(move) == best
        position = reference.apply(position, best)
    assert reference.is_over(position)
    assert value(position) == result.value


@pytest.mark.parametrize(("players", "objective"), ASKED)
def test_all_values_are_those_of_the_reference(players: int, objective: str) -> None:
    for state in small_rounds(players):
        position, seat = as_reference(state), state.position.seat
        value = valuing(objective, seat)
        result = solve(state, objective=objective, values=True)
        assert result.seat == seat
        assert result.optimal
        assert result.value == result.bound == value(position)
        assert_line(state, result, value)
        moves = [(as_turn(move), found) for move, found in result.moves]
        expected = reference.turn_values(position, value)
        expected.sort(key=lambda item: liked(item[1], objective, seat, state.turn), reverse=True)
        assert moves == expected


def liked(value: Any, objective: str, seat: int, mover: int) -> int:
    """Give how much the seat to move likes a value."""
    if objective == "maxn":
        return int(value[mover])
    return int(value) if mover == seat else -int(value)


# What makes the searches fast changes no value


def found(state: State, objective: str, **options: Any) -> tuple[int, ...]:
    """Give the value from the root on, found with other switches of the search."""
    limits, seat = Limits(), state.position.seat
    meter = Meter(limits)
    if objective == "maxn":
        each = EachForItself(state.position, state.rules, limits, meter, **options)
        return each.unpack(each.sure + each.value())
    two = TwoSides(
        state.position,
        state.rules,
        limits,
        meter,
        seat=seat,
        is_margin=objective == "margin",
        **options,
    )
    low, high = two.bounds
    while low < high:
        answer = two.test(low + 1)
        low, high = (answer, high) if answer > low else (low, low)
    return (two.sure + low,)


@pytest.mark.parametrize(("players", "objective"), ASKED)
def test_neither_merges_nor_the_size_of_the_table_change_a_value(
    players: int, objective: str
) -> None:
    """Also of longer rounds than the reference can do."""
    for seed in range(40):
        state = random_round(seed, players, 2 * LEFT[players] if objective != "maxn" else 8)
        value = found(state, objective)
        assert found(state, objective, merges=False) == value
        assert found(state, objective, slots=1) == value
        assert found(state, objective, slots=1 << 18) == value


def test_a_table_that_grows_forgets_nothing_that_matters() -> None:
    """A whole deal, from a table of one entry on, in as many nodes on every run."""
    state = State.deal(seed=3)
    whole = solve(state)
    again = solve(state)
    assert (whole.value, whole.line, whole.nodes) == (again.value, again.line, again.nodes)
    assert found(state, "margin", slots=1)[0] * 5 == whole.value


# Limits


@pytest.mark.parametrize("objective", ["margin", "paranoid"])
def test_bounds_hold_whenever_a_limit_ends_the_search(objective: str) -> None:
    state = State.deal(seed=7)
    whole = solve(state, objective=objective)
    assert isinstance(whole.value, int)
    widths = []
    for nodes in (0, 1, 10, 100, 1_000):
        part = solve(state, Limits(nodes=nodes), objective=objective)
        assert isinstance(part.value, int)
        assert isinstance(part.bound, int)
        assert part.value <= whole.value <= part.bound
        assert part.nodes <= nodes
        assert part.limit == "nodes" or part.line == whole.line
        widths.append(part.bound - part.value)
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0


def test_max_n_stopped_by_a_limit_claims_nothing() -> None:
    part = solve(State.deal(seed=7, players=4), Limits(nodes=10), objective="maxn")
    assert (part.value, part.bound, part.optimal, part.line) == (None, None, False, ())
    assert part.limit == "nodes"


# What cannot be asked


@pytest.mark.parametrize(
    ("players", "asked", "says"),
    [
        (3, {"objective": "margin"}, "margin is for two seats, not 3"),
        (2, {"objective": "margn"}, "did you mean margin"),
        (2, {"seat": 2}, "a seat is a number from 0 to 1, not 2"),
        (2, {"seat": True}, "a seat is a number from 0 to 1, not True"),
        (2, {"objective": "yaku", "values": True}, "moves have values for"),
    ],
)
def test_what_cannot_be_asked(players: int, asked: dict[str, Any], says: str) -> None:
    with pytest.raises(HanasolveError, match=says):
        solve(State.deal(seed=1, players=players), **asked)


def test_defaults() -> None:
    assert solve(State.deal(seed=1)).objective == "margin"
    state = random_round(1, 4, 4)
    result = solve(state)
    assert (result.objective, result.seat) == ("paranoid", state.position.seat)
