"""Verdicts and solutions: against brute force, known deals, and with each part switched off."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve import instances
from hanasolve.cards import parse
from hanasolve.search.limits import Limits
from hanasolve.search.result import Status
from hanasolve.solitaire2.position import Position
from hanasolve.solitaire2.rules import PRESETS, Rules
from hanasolve.solitaire2.solve import Solver, lower_bound, solve
from hanasolve.solitaire2.state import State
from tests.random_games import (
    all_rules,
    as_reference,
    assert_replays,
    random_endgame,
    reference_rules,
)
from tests.reference import solitaire2 as reference

DEALS = Path(__file__).parent.parent / "instances" / "solitaire2"
BRUTE_FORCE = 4000
WAYS = [
    {},
    {"dominance": False},
    {"merge_arrangements": False},
    {"merge_arrangements": False, "ask_quotient": False},
    {"merge_arrangements": False, "ask_quotient": False, "dominance": False},
]
seeds = st.integers(0, 10**9)


def check_every_way(state: State, expected: bool | None) -> None:
    """Solve with and without each part of the search; all verdicts must agree."""
    for way in WAYS:
        result = Solver(**way).solve(state, Limits(nodes=200_000))
        if result.status is Status.UNDECIDED:
            assert result.limit == "nodes"
            continue
        if expected is None:
            expected = result.status is Status.SOLVED
        assert (result.status is Status.SOLVED) == expected, way
        if expected:
            assert_replays(state, result)
        else:
            assert result.moves is None
            assert result.lower_bound is None


@settings(deadline=None, max_examples=300)
@given(rules=all_rules(), seed=seeds, cards=st.integers(2, 14))
def test_verdicts_are_those_of_brute_force(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    position = as_reference(state.position)
    expected = reference.solvable(reference_rules(rules), position, BRUTE_FORCE)
    check_every_way(state, expected)


@settings(deadline=None, max_examples=150)
@given(
    rules=all_rules(empty_column="none", run_moves="any_suffix", foundation_return=False),
    seed=seeds,
    cards=st.integers(8, 18),
)
def test_verdicts_of_tight_endgames(rules: Rules, seed: int, cards: int) -> None:
    """Positions without spare columns are lost more often, and small enough for brute force."""
    state = random_endgame(rules, seed, cards)
    position = as_reference(state.position)
    expected = reference.solvable(reference_rules(rules), position, BRUTE_FORCE)
    check_every_way(state, expected)


@settings(deadline=None, max_examples=60)
@given(rules=all_rules(), seed=seeds, cards=st.integers(20, 30))
def test_all_ways_agree_on_larger_positions(rules: Rules, seed: int, cards: int) -> None:
    check_every_way(random_endgame(rules, seed, cards), None)


@settings(deadline=None, max_examples=60)
@given(rules=all_rules(), seed=seeds, cards=st.integers(1, 9))
def test_the_lower_bound_is_one(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    position = as_reference(state.position)
    distance = reference.distance(reference_rules(rules), position, BRUTE_FORCE)
    if distance is not None and distance < math.inf:
        assert lower_bound(state) <= distance


@pytest.mark.parametrize("preset", PRESETS)
def test_deals_of_every_preset(preset: str) -> None:
    """Whatever is found replays, and the two ways of forcing moves agree."""
    for seed in range(12):
        state = State.deal(seed=seed, rules=preset)
        results = [
            Solver(dominance=dominance).solve(state, Limits(nodes=60_000))
            for dominance in (True, False)
        ]
        for result in results:
            if result.status is Status.SOLVED:
                assert_replays(state, result)
        decided = {r.status for r in results if r.status is not Status.UNDECIDED}
        assert len(decided) <= 1


@pytest.mark.parametrize("name", ["base-any-suffix-100", "klondike12-100"])
def test_deals_that_other_solvers_decided(name: str) -> None:
    """The verdicts in these files were found by two independent solvers."""
    count = 0
    for instance in instances.read(str(DEALS / f"{name}.jsonl")):
        assert isinstance(instance, instances.Instance)
        assert instance.expect is not None
        state = State(instance.position, instance.rules)
        result = solve(state)
        assert result.status.value == instance.expect["status"], instance.id
        if result.moves is not None:
            assert_replays(state, result)
        count += 1
    assert count == 100


def test_a_relaxation_never_loses_a_win() -> None:
    """What can be won with whole runs can be won with parts of runs, and by class by any suit."""
    harder = {"rule12": "klondike12", "rule1": "base", "rule3": "base", "rule23": "rule2"}
    for seed in range(40):
        for hard, easy in harder.items():
            one = solve(State.deal(seed=seed, rules=hard), Limits(nodes=20_000))
            other = solve(State.deal(seed=seed, rules=easy), Limits(nodes=20_000))
            assert not (one.status is Status.SOLVED and other.status is Status.UNSOLVABLE)


def test_a_waste_card_that_goes_up_at_once_can_lose_the_game() -> None:
    """The safe foundation moves from columns are not safe from the waste; the search knows.

    The rules name a position of this kind: all piles stand at June, 07b is the waste top, the stock
    is 12b 09d 11a, and 10c and 10a are the last cards of two columns.
    """
    plain = Solver(dominance=False, merge_arrangements=False, ask_quotient=False)
    state = trap(985)
    assert plain.solve(state.apply("W-F"), Limits()).status is Status.UNSOLVABLE
    assert_replays(state, solve(state))


def trap(seed: int) -> State:
    """Lay the cards that the description leaves open at random into the columns, face down."""
    stock, waste, ends = (45, 35, 40), (25,), [38, 36]
    left = [card for card in range(24, 48) if card not in (*stock, *waste, *ends)]
    random.Random(seed).shuffle(left)
    columns = [[*left[column::6], *ends[column : column + 1]] for column in range(6)]
    return State(
        Position(
            down=tuple(tuple(column[:-1]) for column in columns),
            up=tuple(tuple(column[-1:]) for column in columns),
            stock=stock,
            waste=waste,
            foundations=tuple(tuple(range(pile, 24, 4)) for pile in range(4)),
        )
    )


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse(code) for code in text.split())


def test_columns_over_nothing_keep_their_heads_apart() -> None:
    """A position whose key once took 05d for 05c, and so for every other card of the fourth pile.

    Brute force finds a win in 28 moves; the solutions found are replayed by the reference.
    """
    position = Position(
        down=(
            *((),) * 4,
            cards("05a"),
            cards("12d 11b 12a 11a 10d 10c 09c 09a 08d 08c 08a 07c 06d 06c 05c 04d 04c"),
        ),
        up=tuple(map(cards, ("05d", "09d", "07d 06a", "11d 10a", "12c", "07a"))),
        foundations=(
            cards("01a 02a 03a 04a"),
            cards("01b 02b 03b 04b 05b 06b 07b 08b 09b 10b 11c 12b"),
            cards("01c 02c 03c"),
            cards("01d 02d 03d"),
        ),
    )
    rules = Rules(foundation_suits="by_class", alternate=True, nonpoint_piles="interchangeable")
    state = State(position, rules)
    assert_replays(state, solve(state))
    check_every_way(state, True)


@pytest.mark.parametrize("run_moves", ["whole", "any_suffix"])
def test_cards_compete_for_a_pile_while_the_next_one_is_closed(run_moves: Any) -> None:
    """With ``sequential`` 01c goes up at once only at the cost of 01d, which frees both Februaries.

    Won by hand: 01d, and later 02d, go up; 01c can wait on 02c.
    """
    rules = Rules(
        foundation_suits="by_class",
        foundation_order="sequential",
        nonpoint_piles="interchangeable",
        draw_count=1,
        run_moves=run_moves,
    )
    later = "03c 03d 04c 04d 05c 05d 06c 06d 07c 07d 08c 08d 09c 09d 10c 10d 11b 11d 12c 12d"
    points = [
        tuple(card for card in range(48) if Rules(foundation_suits="by_class").pile_of(card) == p)
        for p in range(2)
    ]
    position = Position(
        down=((), cards("02c 02d"), (), (), (), ()),
        up=(cards("01c"), cards("01d"), (), (), (), ()),
        stock=cards(later),
        foundations=(*points, (), ()),
    )
    state = State(position, rules)
    assert_replays(state, solve(state))
    check_every_way(state, True)


def test_limits_are_kept_and_named() -> None:
    hard = State.deal(seed=3, rules="rule12")
    for nodes in (0, 1, 100, 5000):
        result = solve(hard, Limits(nodes=nodes))
        assert (result.status, result.limit) == (Status.UNDECIDED, "nodes")
        assert result.nodes == nodes
    assert solve(hard, Limits(time=0)).limit == "time"
    result = solve(hard, Limits(memory=1))
    assert (result.status, result.limit) == (Status.UNDECIDED, "memory")


def test_a_search_is_repeatable_and_leaves_nothing_behind() -> None:
    solver = Solver()
    states = [State.deal(seed=seed, rules=name) for seed in range(8) for name in PRESETS]
    first = [solver.solve(state, Limits(nodes=3000)) for state in states]
    again = [solver.solve(state, Limits(nodes=3000)) for state in reversed(states)][::-1]
    fresh = [solve(state, Limits(nodes=3000)) for state in states]
    for one, two, three in zip(first, again, fresh, strict=True):
        assert (one.status, one.moves, one.nodes) == (two.status, two.moves, two.nodes)
        assert (one.status, one.moves, one.nodes) == (three.status, three.moves, three.nodes)


def test_a_won_position_needs_no_moves() -> None:
    piles = tuple(tuple(range(pile, 48, 4)) for pile in range(4))
    result = solve(State(Position(foundations=piles)))
    assert (result.moves, result.length, result.lower_bound) == ((), 0, 0)
    assert result.optimal


def test_the_last_card_on_the_waste_is_a_shortest_win() -> None:
    piles = tuple(tuple(range(pile, 48, 4)) for pile in range(4))
    last = Position(foundations=(*piles[:3], piles[3][:-1]), waste=(47,))
    result = solve(State(last))
    assert [str(move) for move in result.moves or ()] == ["W-F"]
    assert result.optimal


def test_positions_of_odd_shape() -> None:
    """All cards in one column, all in the stock, all in the waste: decided and replayed."""
    order = tuple(sorted(range(48), key=lambda card: -card))
    column = Position(down=(order[:-1], *((),) * 5), up=(order[-1:], *((),) * 5))
    for position in (
        column,
        Position(stock=order),
        Position(waste=order),
        Position(stock=order[:20], waste=order[20:]),
    ):
        for rules in PRESETS.values():
            state = State(position, rules)
            result = solve(state, Limits(nodes=100_000))
            if result.status is Status.SOLVED:
                assert_replays(state, result)
    assert solve(State(column)).status is Status.SOLVED
