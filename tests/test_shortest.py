"""Cheapest solutions against a search in the reference, and the bound against true distances."""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections import deque
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.cards import parse
from hanasolve.errors import HanasolveError
from hanasolve.search import ida_star
from hanasolve.search.limits import Limits, Meter, Progress
from hanasolve.search.result import Status
from hanasolve.search.workspace import Workspace
from hanasolve.solitaire2 import arranged, counted
from hanasolve.solitaire2.position import Position
from hanasolve.solitaire2.question import Question
from hanasolve.solitaire2.rules import PRESETS, Rules
from hanasolve.solitaire2.shortest import METRICS, Shortest, shortest
from hanasolve.solitaire2.solve import Result
from hanasolve.solitaire2.state import State
from tests.random_games import (
    all_rules,
    as_reference,
    assert_replays,
    random_endgame,
    reference_rules,
)
from tests.reference import solitaire2 as reference

MOST_POSITIONS = 3_000
MOST_STATES = 600
seeds = st.integers(0, 10**9)
Cost = tuple[int, ...]
PRICES: dict[str, Callable[[str], Cost]] = {
    "moves": lambda move: (1,),
    "card-moves": lambda move: (move not in ("draw", "turn"),),
    "turns": lambda move: (move == "turn", 1),
}
"""What a move costs; costs are compared as tuples."""


def cheapest(state: State, metric: str) -> Cost | float | None:
    """Cost of a cheapest win, by Dijkstra's search in the reference; None if there is too much."""
    rules, start = reference_rules(state.rules), as_reference(state.position)
    price = PRICES[metric]
    zero = (0,) * len(price("draw"))
    best = {start: zero}
    queue: list[tuple[Cost, int, reference.Position]] = [(zero, 0, start)]
    count = 0
    while queue:
        cost, _, here = heapq.heappop(queue)
        if reference.is_won(here):
            return cost
        if cost > best[here]:
            continue
        for move in reference.legal_moves(rules, here):
            there = reference.search_key(rules, reference.apply(rules, here, move))
            total = tuple(a + b for a, b in zip(cost, price(move), strict=True))
            if there not in best or total < best[there]:
                best[there] = total
                count += 1
                heapq.heappush(queue, (total, count, there))
        if len(best) > MOST_POSITIONS:
            return None
    return math.inf


def paid(result: Result, metric: str) -> Cost:
    """Cost of a solution."""
    assert result.moves is not None
    prices = [PRICES[metric](str(move)) for move in result.moves]
    return tuple(map(sum, zip(*prices, strict=True))) or (0,) * len(PRICES[metric]("draw"))


def check(state: State, metric: str) -> None:
    """Compare all ways of searching with the reference, or with each other if it is too much."""
    expected = cheapest(state, metric)
    for dominance in (True, False):
        for ask, best_first in ((True, True), (True, False), (False, True)):
            search = Shortest(dominance=dominance, ask_quotient=ask, best_first=best_first)
            result = search.solve(state, Limits(nodes=100_000), metric=metric)
            if result.limit is not None:
                assert result.limit == "nodes"
                continue
            if result.status is Status.UNSOLVABLE:
                assert expected in (math.inf, None)
                continue
            assert_replays(state, result)
            assert result.optimal
            if expected is None:
                expected = paid(result, metric)
            assert paid(result, metric) == expected, (dominance, ask, best_first)


@pytest.mark.parametrize("metric", METRICS)
@settings(deadline=None, max_examples=60)
@given(rules=all_rules(), seed=seeds, cards=st.integers(1, 11))
def test_endgames_agree_with_the_reference(
    metric: str, rules: Rules, seed: int, cards: int
) -> None:
    check(random_endgame(rules, seed, cards), metric)


@settings(deadline=None, max_examples=60)
@given(
    rules=all_rules(max_passes=0) | all_rules(empty_column="none", draw_count=2),
    seed=seeds,
    cards=st.integers(8, 16),
)
def test_larger_endgames_agree_with_the_reference(rules: Rules, seed: int, cards: int) -> None:
    check(random_endgame(rules, seed, cards), "moves")


@pytest.mark.parametrize("preset", PRESETS)
@settings(deadline=None, max_examples=8)
@given(seed=seeds, cards=st.integers(14, 26))
def test_all_ways_agree_on_larger_positions(preset: str, seed: int, cards: int) -> None:
    check(random_endgame(PRESETS[preset], seed, cards), "moves")


def distances(state: State) -> dict[State, float] | None:
    """Moves to a win from every position that can be reached; None if there are too many."""
    before: dict[State, list[State]] = {state: []}
    waiting = [state]
    while waiting:
        here = waiting.pop()
        for move in here.legal_moves():
            there = here.apply(move)
            if there not in before:
                before[there] = []
                waiting.append(there)
            before[there].append(here)
        if len(before) > MOST_STATES:
            return None
    found = {here: 0.0 for here in before if here.is_won}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for earlier in before[here]:
            if earlier not in found:
                found[earlier] = found[here] + 1
                queue.append(earlier)
    return found | {here: math.inf for here in before if here not in found}


@settings(deadline=None, max_examples=60)
@given(
    rules=all_rules(max_passes=2) | all_rules(max_passes=1), seed=seeds, cards=st.integers(3, 13)
)
def test_the_bound_is_never_above_the_distance(rules: Rules, seed: int, cards: int) -> None:
    """On every position of a game, those that no search would visit included."""
    root = random_endgame(rules, seed, cards)
    truth = distances(root)
    if truth is None:
        return
    question = Question(root, dominance=True, ask=False, merge=False, costs=True)
    space = Workspace(arranged.KEY, arranged.WIDEST, ida_star.VALUES)
    space.reset(question.arranged_words)
    for state, distance in truth.items():
        words = np.array([state.packed[1]], np.int64)
        least = counted.enter(question.book, words, space.stack)
        assert least <= distance, state
        if state.is_won:
            assert least == 0


def bound_of(state: State) -> int:
    question = Question(state, dominance=True, ask=False, merge=False, costs=True)
    space = Workspace(arranged.KEY, arranged.WIDEST, ida_star.VALUES)
    space.reset(question.arranged_words)
    return int(counted.enter(question.book, question.position, space.stack))


def without(*cards: int) -> tuple[tuple[int, ...], ...]:
    """Give the piles by class with all cards up but these."""
    return tuple(
        tuple(c for c in range(48) if c not in cards and Rules().pile_of(c) == pile)
        for pile in range(4)
    )


NOVEMBER, DECEMBER = 40, 44
"""The last two cards of the first pile."""
KLONDIKE = PRESETS["klondike12"]


def two_branches(
    rules: str, pairs: list[tuple[int, int]], waste: tuple[int, ...], stock: tuple[int, ...]
) -> State:
    """A position where one move is the first use of two columns that were uncovered in turn.

    The left chaff of each month is in the columns, so that five runs must move before the first
    of them goes up; all other cards but those named are up.
    """
    (first, second), (third, fourth), (fifth, sixth), (seventh, eighth), (ninth, tenth) = pairs

    def chaff(*months: int) -> tuple[int, ...]:
        return tuple(4 * month - 1 for month in months)

    left = {*chaff(*range(1, 13)), *waste, *stock}
    position = Position(
        down=((), chaff(fourth), chaff(1, first), chaff(second, seventh), (), chaff(12)),
        up=tuple(chaff(month) for month in (sixth, fifth, third, ninth, eighth, tenth)),
        waste=waste,
        stock=stock,
        foundations=tuple(
            tuple(c for c in range(48) if c not in left and Rules().pile_of(c) == pile)
            for pile in range(4)
        ),
    )
    return State(position, Rules.of(rules))


@pytest.mark.parametrize(
    ("rules", "pairs", "waste", "stock", "length"),
    [
        ("base", [(2, 3), (4, 5), (6, 7), (8, 9), (10, 11)], "12a", "", 18),
        ("base", [(2, 3), (6, 7), (8, 9), (4, 5), (10, 11)], "11a 09a 12a 11b 12c 12b", "10a", 25),
        (
            *("rule1", [(4, 5), (2, 3), (6, 7), (10, 11), (8, 9)]),
            *("11a 12c 12b 09b 11c", "12a 11b 10b", 29),
        ),
    ],
)
def test_uncovered_columns_need_not_be_used_at_once(
    rules: str, pairs: list[tuple[int, int]], waste: str, stock: str, length: int
) -> None:
    """Lines of these lengths were found without any dominance and replayed in the reference."""
    cards = [tuple(map(parse, codes.split())) for codes in (waste, stock)]
    state = two_branches(rules, pairs, *cards)
    for search in (Shortest(), Shortest(best_first=False), Shortest(dominance=False)):
        result = search.solve(state, Limits())
        assert_replays(state, result)
        assert result.optimal
        assert result.length == length


def test_a_card_on_one_that_goes_first_must_move() -> None:
    """The December to an empty column, then both go up."""
    position = Position(
        down=((NOVEMBER,), (), (), (), (), ()),
        up=((DECEMBER,), (), (), (), (), ()),
        foundations=without(NOVEMBER, DECEMBER),
    )
    state = State(position, KLONDIKE)
    assert bound_of(state) == 3
    assert shortest(state).length == 3


def test_a_waste_card_on_one_that_goes_first_must_move() -> None:
    """The December to a column; a turn and a draw would bring back the same."""
    position = Position(waste=(NOVEMBER, DECEMBER), foundations=without(NOVEMBER, DECEMBER))
    state = State(position, KLONDIKE)
    assert bound_of(state) == 3
    assert shortest(state).length == 3
    result = shortest(state, metric="card-moves")
    assert result.optimal
    assert paid(result, "card-moves") == (3,)


def test_a_turn_may_be_cheaper_than_moves_to_columns() -> None:
    """Drawn one by one the cards come in order: a turn and two draws against one move more."""
    rules = Rules.of({"preset": "klondike12", "draw_count": 1, "empty_column": "none"})
    position = Position(waste=(NOVEMBER, DECEMBER), foundations=without(NOVEMBER, DECEMBER))
    result = shortest(State(position, rules))
    assert [str(move) for move in result.moves or ()] == ["turn", "draw", "W-F", "draw", "W-F"]
    assert bound_of(State(position, rules)) <= 5
    no_turn = State(position, Rules.of({**rules.differing(), "max_passes": 1}))
    assert shortest(no_turn).status is Status.UNSOLVABLE


@settings(deadline=None, max_examples=40)
@given(
    rules=all_rules(max_passes=0) | all_rules(max_passes=2), seed=seeds, cards=st.integers(2, 10)
)
def test_first_moves_are_those_that_lose_nothing(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    truth = distances(state)
    if truth is None or truth[state] == math.inf:
        return
    result = shortest(state, first_moves=True)
    assert result.first_moves is not None
    expected = {m for m in state.legal_moves() if truth[state.apply(m)] == truth[state] - 1}
    assert set(result.first_moves) == expected
    assert len(result.first_moves) == len(expected)


def test_few_turns_are_worth_more_moves() -> None:
    """The metric of turns finds no more turns than the one of moves, and no fewer moves."""
    state = State.deal(seed=213, rules="klondike12")
    turns, moves = (shortest(state, metric=metric) for metric in ("turns", "moves"))
    assert turns.optimal
    assert moves.optimal
    assert paid(turns, "turns") <= paid(moves, "turns")
    assert paid(moves, "moves") <= paid(turns, "moves")


@pytest.mark.parametrize("nodes", [0, 1, 300, 5_000, 40_000])
def test_what_a_limit_leaves_is_valid(nodes: int) -> None:
    state = State.deal(seed=213, rules="klondike12")
    least = shortest(state).length
    assert least is not None
    reports: list[Progress] = []
    result = shortest(state, Limits(nodes=nodes), report=reports.append)
    assert result.nodes <= nodes
    assert result.limit == "nodes"
    assert not result.optimal
    assert result.lower_bound is not None
    assert result.lower_bound <= least
    if result.moves is not None:
        assert_replays(state, result)
        assert len(result.moves) >= least
        assert result.status is Status.SOLVED
    for report in reports:
        assert report.best is None or report.best >= least
        assert report.least is None or report.least <= least
    bests = [report.best for report in reports if report.best is not None]
    assert bests == sorted(bests, reverse=True)


def test_little_memory_is_a_limit() -> None:
    result = shortest(State.deal(seed=3), Limits(memory=1, nodes=2_000_000))
    assert result.limit == "memory"
    assert not result.optimal
    assert result.moves is not None


@pytest.mark.parametrize(("seed", "rules", "memory"), [(213, "klondike12", 1), (2007, "base", 16)])
def test_without_memory_for_best_first_search_ida_goes_on(
    seed: int, rules: str, memory: int
) -> None:
    state = State.deal(seed=seed, rules=rules)
    search = Shortest()
    result = search.solve(state, Limits(memory=memory))
    assert search._iterations.nodes > 0
    assert_replays(state, result)
    by_ida_alone = Shortest(best_first=False).solve(state, Limits())
    best_first = Shortest().solve(state, Limits())
    for other in (by_ida_alone, best_first):
        assert result.optimal
        assert other.optimal
        assert (result.length, result.lower_bound) == (other.length, other.lower_bound)


@pytest.mark.parametrize("memory", [1, 4, 16])
def test_all_tables_together_keep_within_the_memory(memory: int) -> None:
    search = Shortest()
    solver = search._solver
    spaces = [search._best_first, search._iterations, search._quotient]
    spaces += [solver._quotient, solver._arranged]
    empty = sum(space.nbytes for space in spaces)
    most = 0

    def look(now: Progress) -> None:
        nonlocal most
        most = max(most, sum(space.nbytes for space in spaces))

    search.solve(State.deal(seed=2007), Limits(memory=memory, nodes=200_000), look)
    # What each has to begin with is not counted.
    assert most <= (memory << 20) + empty
    assert most > empty


def test_a_search_can_be_stopped_from_outside() -> None:
    """As by any limit, the best solution so far and what is proven are kept."""
    state = State.deal(seed=2007)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 30

    result = shortest(state, Limits(stop=stop))
    assert (result.limit, result.optimal) == ("interrupt", False)
    assert_replays(state, result)
    assert result.length is not None
    assert result.lower_bound is not None
    assert 57 <= result.lower_bound <= 64 <= result.length
    at_once = shortest(state, Limits(stop=lambda: True))
    assert (at_once.status, at_once.limit, at_once.nodes) == (Status.UNDECIDED, "interrupt", 0)


def test_a_run_is_repeatable() -> None:
    state = State.deal(seed=8, rules="rule123")
    search = Shortest()
    first = search.solve(state, Limits())
    search.solve(State.deal(seed=6, rules="rule123"), Limits(nodes=10_000))
    again = search.solve(state, Limits())
    assert (first.moves, first.nodes) == (again.moves, again.nodes)


@pytest.mark.parametrize("slice_", [300, 7_000, 1_000_000])
def test_a_run_does_not_depend_on_how_fast_the_machine_is(
    slice_: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slices of work are sized by the clock; moves and nodes are the same whatever they are."""
    state = State.deal(seed=213, rules="klondike12")
    expected = shortest(state)
    monkeypatch.setattr(Meter, "_FIRST_SLICE", slice_)
    monkeypatch.setattr(Meter, "_SLICE_SECONDS", 0.0)
    result = shortest(state)
    assert (result.moves, result.nodes) == (expected.moves, expected.nodes)
    assert result.lower_bound == expected.lower_bound


def test_a_first_solution_that_is_very_long_does_not_take_the_memory() -> None:
    """The depth-first line has some ten thousand moves."""
    rules = Rules.of({"preset": "klondike12", "draw_count": 1, "empty_column": "any"})
    search = Shortest()
    sizes: list[int] = []

    def look(now: Progress) -> None:
        sizes.append(search._best_first.nbytes)

    result = search.solve(State.deal(seed=57, rules=rules), Limits(memory=16, nodes=150_000), look)
    assert result.status is Status.SOLVED
    assert result.limit is not None
    assert max(sizes) <= 16 << 20


def test_a_won_position_needs_no_move() -> None:
    state = State(Position(foundations=without()), Rules())
    for metric in METRICS:
        result = shortest(state, metric=metric, first_moves=True)
        assert (result.moves, result.lower_bound, result.optimal) == ((), 0, True)


ONE_LEFT = Position(stock=(DECEMBER,), foundations=without(DECEMBER))


@pytest.mark.parametrize(("metric", "length"), [("moves", 2), ("card-moves", 1), ("turns", 2)])
def test_a_bound_that_is_reached_is_a_proof(metric: str, length: int) -> None:
    """A draw and the card going up: as soon as that is found nothing is left to search."""
    state = State(ONE_LEFT, Rules())
    for nodes in range(8):
        result = shortest(state, Limits(nodes=nodes), metric=metric)
        assert result.lower_bound == length
        assert result.optimal == (result.moves is not None)
    assert result.optimal


def test_very_many_turns_before_are_no_limit() -> None:
    position = dataclasses.replace(ONE_LEFT, turns=10**6)
    result = shortest(State(position, Rules()), metric="turns")
    assert [str(move) for move in result.moves or ()] == ["draw", "W-F"]
    assert result.optimal


def test_an_unsolvable_position_has_no_shortest_solution() -> None:
    position = Position(
        down=((NOVEMBER,), (), (), (), (), ()),
        up=((DECEMBER,), (), (), (), (), ()),
        foundations=without(NOVEMBER, DECEMBER),
    )
    rules = Rules.of({"preset": "klondike12", "empty_column": "none"})
    result = shortest(State(position, rules))
    assert result.status is Status.UNSOLVABLE
    assert (result.moves, result.lower_bound, result.optimal) == (None, None, False)


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(HanasolveError, match="moves"):
        shortest(State.deal(seed=1), metric="steps")
