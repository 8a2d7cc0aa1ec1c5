"""Exact keys: positions that share one can be won or lost together, shown on whole state graphs.

For every position that can be reached from a small endgame, the key is taken from the search, and
all moves from the rules. Positions with one key must agree in whether they can be won, found by
going backward over the graph. Without a limit of passes they must even be *bisimilar*: the keys
that can be reached from them by one move of a card that changes the key, after draws, turns and
moves that do not, must be the same set. (With a limit, turns that can bring no card are not told
apart, so only the former holds.)
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.search.workspace import Workspace
from hanasolve.solitaire2 import arranged, quotient
from hanasolve.solitaire2.question import Question
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import DRAW, TURN, State
from tests.random_games import all_rules, random_endgame

MOST_STATES = 1500
seeds = st.integers(0, 10**9)
Words = tuple[int, ...]
Graph = dict[Words, set[tuple[bool, Words]]]
"""For each position those after one move, each with whether that was a draw or turn."""


def forget_turns(state: State) -> Words:
    """Packed words; without a limit of passes the number of turns is no part of the position."""
    words = state.packed[1]
    return words if state.rules.max_passes else (*words[:-1], words[-1] & 63)


def state_graph(root: State) -> Graph | None:
    """All positions that can be reached, with those one move further; None if there are many."""
    graph: Graph = {}
    waiting = {forget_turns(root): root}
    while waiting:
        words, state = waiting.popitem()
        graph[words] = set()
        for move in state.legal_moves():
            successor = state.apply(move)
            graph[words].add((move in (DRAW, TURN), forget_turns(successor)))
            if forget_turns(successor) not in graph:
                waiting[forget_turns(successor)] = successor
        if len(graph) > MOST_STATES:
            return None
    return graph


def keys_of(root: State, engine: Any, positions: Iterable[Words]) -> dict[Words, Words]:
    """Give the engine's key of each position of a game."""
    merge = engine is quotient
    question = Question(root, dominance=True, ask=True, merge=merge)
    words = question.quotient_words if merge else question.arranged_words
    keys = {}
    for position in positions:
        space = Workspace(engine.KEY, engine.WIDEST)
        space.reset(words)
        packed = np.array([position], np.int64)
        engine.enter(question.book, packed, space.stack, space.table, space.control)
        keys[position] = tuple(space.stack[0, engine.KEY :].tolist())
    return keys


def can_be_won(graph: Graph) -> set[Words]:
    """Positions from which a won one can be reached."""
    before: dict[Words, list[Words]] = collections.defaultdict(list)
    for position, successors in graph.items():
        for _, successor in successors:
            before[successor].append(position)
    waiting = [position for position in graph if sum(map(int.bit_count, position[6:10])) == 48]
    won = set(waiting)
    while waiting:
        new = set(before[waiting.pop()]) - won
        won |= new
        waiting += new
    return won


def future(graph: Graph, keys: dict[Words, Words], position: Words) -> frozenset[Words]:
    """Keys after one card move that changes the key, after draws, turns and moves that do not."""
    seen, waiting, found = {position}, [position], set()
    while waiting:
        here = waiting.pop()
        for is_drawing, successor in graph[here]:
            if keys[successor] != keys[here] and not is_drawing:
                found.add(keys[successor])
            elif successor not in seen:
                seen.add(successor)
                waiting.append(successor)
    return frozenset(found)


def check(root: State, engine: Any) -> int:
    """Check every pair of positions with one key; gives how many positions shared theirs."""
    graph = state_graph(root)
    if graph is None:
        return 0
    keys = keys_of(root, engine, graph)
    won = can_be_won(graph)
    classes = collections.defaultdict(list)
    for position, key in keys.items():
        classes[key].append(position)
    for alike in classes.values():
        assert len({position in won for position in alike}) == 1
        if not root.rules.max_passes:
            assert len({future(graph, keys, position) for position in alike}) == 1
    return len(graph) - len(classes)


@settings(deadline=None, max_examples=60)
@given(rules=all_rules(), seed=seeds, cards=st.integers(3, 11))
def test_positions_with_one_arranged_key_have_one_future(
    rules: Rules, seed: int, cards: int
) -> None:
    check(random_endgame(rules, seed, cards), arranged)


@settings(deadline=None, max_examples=60)
@given(
    rules=all_rules(run_moves="any_suffix", tableau_step="consecutive", foundation_return=False),
    seed=seeds,
    cards=st.integers(3, 11),
)
def test_positions_with_one_quotient_key_have_one_future(
    rules: Rules, seed: int, cards: int
) -> None:
    if rules.empty_column != "any":
        check(random_endgame(rules, seed, cards), quotient)


@pytest.mark.parametrize("engine", [arranged, quotient])
def test_keys_do_merge_positions(engine: Any) -> None:
    """The tests above would hold for keys that never merge anything; these do."""
    rules = Rules(run_moves="any_suffix")
    merged = [check(random_endgame(rules, seed, 4), engine) for seed in range(12)]
    assert sum(merged) > 100


@settings(deadline=None, max_examples=40)
@given(rules=all_rules(), seed=seeds, cards=st.integers(3, 16))
def test_the_order_of_cleared_columns_does_not_matter(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    _, words = state.packed
    swapped = list(words)
    cleared = [column for column in range(6) if words[column] >> 48 == 0]
    for column, other in zip(cleared, reversed(cleared), strict=True):
        swapped[column] = words[other]
    keys = keys_of(state, arranged, [words, tuple(swapped)])
    assert keys[words] == keys[tuple(swapped)]
