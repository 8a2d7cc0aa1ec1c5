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
import dataclasses
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.search.workspace import Workspace
from hanasolve.solitaire2 import arranged, quotient
from hanasolve.solitaire2.book import labels
from hanasolve.solitaire2.move import DRAW, TURN
from hanasolve.solitaire2.question import Question
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State
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


def alike(rules: Rules, card: int) -> tuple[int, int]:
    """What the rules tell a card by: its month, and its pile or kind as far as they matter."""
    pile = rules.pile_of(card)
    if rules.foundation_suits == "any":
        return card // 4, int(pile >= 2) if rules.alternate else 0
    return card // 4, min(pile, 2) if rules.nonpoint_piles == "interchangeable" else pile


def canonical(state: State) -> object:
    """Write an arranged position down in full, leaving out only what cannot matter."""
    rules, now = state.rules, state.position

    def told(cards: Iterable[Any]) -> tuple[tuple[int, int], ...]:
        return tuple(alike(rules, card) for card in cards)

    drawing = (*now.waste, *now.stock)
    waste: int | None = len(now.waste)
    turns = 0
    if rules.max_passes:
        turns = min(rules.max_passes - 1 - now.turns, len(drawing))
    elif waste == len(drawing) or len(now.waste) % rules.draw_count == 0:
        waste = 0
    columns = zip(now.down, now.up, strict=True)
    piles: object = ()
    if rules.foundation_return or rules.nonpoint_piles == "interchangeable":
        piles = tuple(map(len, now.foundations))
    if rules.foundation_return and rules.foundation_suits == "any":
        piles = tuple(map(told, now.foundations))
    return (
        # The cards themselves: the order of drawing tells even like cards apart.
        drawing,
        waste,
        turns,
        tuple(sorted((told(down), told(up)) for down, up in columns)),
        piles,
    )


@settings(deadline=None, max_examples=80)
@given(rules=all_rules(), seed=seeds)
def test_arranged_keys_are_the_same_exactly_when_the_positions_are(rules: Rules, seed: int) -> None:
    """Many games from one deal: a key for each canonical position, and the other way round."""
    chance = random.Random(seed)
    root = State.deal(chance.sample(range(48), 48), rules=rules)
    kind = chance.choice(["deal", "endgame", "nothing face down"])
    if kind != "deal":
        root = random_endgame(rules, seed, chance.randint(10, 40))
    if kind == "nothing face down":
        now = root.position
        stock = (*now.stock, *(card for down in now.down for card in down))
        root = State(dataclasses.replace(now, down=((),) * 6, stock=stock), rules)
    states = []
    for _ in range(30):
        state = root
        for _ in range(25):
            legal = state.legal_moves()
            cards_only = [move for move in legal if move not in (DRAW, TURN)]
            if not legal:
                break
            state = state.apply(chance.choice(cards_only or legal))
            states.append(state)
    keys = keys_of(root, arranged, [state.packed[1] for state in states])
    pairs = {(keys[state.packed[1]], canonical(state)) for state in states}
    assert len({key for key, _ in pairs}) == len({form for _, form in pairs}) == len(pairs)


@settings(deadline=None, max_examples=100)
@given(rules=all_rules(), seed=seeds)
def test_a_column_has_the_code_of_another_only_if_they_are_alike(rules: Rules, seed: int) -> None:
    """All that a column may hold in a game: any of its own heads, or a starter, with any run."""
    chance = random.Random(seed)
    root = State.deal(chance.sample(range(48), 48), rules=rules)
    if chance.random() < 0.7:
        root = random_endgame(rules, seed, chance.randint(10, 40))
    label = labels(rules)
    book = Question(root, dominance=True, ask=True, merge=False).book
    pairs = set()
    now = root.position
    for column in range(6):
        own = tuple(c for c in (*now.down[column], *now.up[column][:1]) if c is not None)
        beginnings = [own[: down + 1] for down in range(len(own))]
        beginnings += [(card,) for card in range(48) if rules.starts_column(card)]
        for beginning in beginnings * 3:
            run = [beginning[-1]]
            for card in chance.sample(range(48), 48):
                if card not in beginning and rules.fits(card, run[-1]) and chance.random() < 0.8:
                    run.append(card)
            down = beginning[:-1]
            word = len(down) << 48 | sum(1 << label[card] for card in run)
            told = tuple(alike(rules, card) for card in down), tuple(alike(rules, c) for c in run)
            pairs.add((arranged.column_code(book, column, word), told))
    assert len({code for code, _ in pairs}) == len({told for _, told in pairs}) == len(pairs)


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
