"""The compiled rules against the naive reference, move by move, over all switches."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanasolve.errors import HanasolveError
from hanasolve.solitaire2.position import Position
from hanasolve.solitaire2.rules import PRESETS, Rules
from hanasolve.solitaire2.state import State
from tests.random_games import all_rules, as_reference, random_endgame, reference_rules
from tests.reference import solitaire2 as reference

seeds = st.integers(0, 10**9)
REST = tuple(card for card in range(48) if card not in (0, 4))


def play_both(state: State, rules: reference.Rules, chance: random.Random, moves: int) -> None:
    """Play random moves on both sides and compare everything after each."""
    position = as_reference(state.position)
    for _ in range(moves):
        legal = sorted(map(str, state.legal_moves()))
        assert legal == sorted(reference.legal_moves(rules, position))
        assert state.is_won == reference.is_won(position)
        if not legal:
            return
        ups = [move for move in legal if "-F" in move]
        move = chance.choice(ups if ups and chance.random() < 0.6 else legal)
        state = state.apply(move)
        position = reference.apply(rules, position, move)
        assert as_reference(state.position) == position


@settings(deadline=None, max_examples=150)
@given(rules=all_rules(), seed=seeds)
def test_whole_games_agree(rules: Rules, seed: int) -> None:
    chance = random.Random(seed)
    state = State.deal(chance.sample(range(48), 48), rules=rules)
    play_both(state, reference_rules(rules), chance, 120)


@settings(deadline=None, max_examples=150)
@given(rules=all_rules(), seed=seeds, cards=st.integers(1, 20))
def test_endgames_agree(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    play_both(state, reference_rules(rules), random.Random(seed), 60)


@settings(deadline=None, max_examples=25)
@given(rules=all_rules(), seed=seeds, cards=st.integers(4, 24))
def test_perft_agrees(rules: Rules, seed: int, cards: int) -> None:
    state = random_endgame(rules, seed, cards)
    position = as_reference(state.position)
    for depth in range(4):
        assert state.perft(depth) == reference.perft(reference_rules(rules), position, depth)


@settings(deadline=None, max_examples=60)
@given(rules=all_rules(), seed=seeds, cards=st.integers(1, 20))
def test_a_named_pile_is_accepted_exactly_when_it_takes_the_card(
    rules: Rules, seed: int, cards: int
) -> None:
    state = random_endgame(rules, seed, cards)
    position = as_reference(state.position)
    for source in ["W", *"123456"]:
        for pile in range(1, 5):
            move = f"{source}-F{pile}"
            try:
                expected = reference.apply(reference_rules(rules), position, move)
            except ValueError:
                with pytest.raises(HanasolveError):
                    state.apply(move)
            else:
                assert as_reference(state.apply(move).position) == expected


def test_the_two_tables_of_cards_agree() -> None:
    for scale in ("standard", "hawaii"):
        rules = Rules(foundation_suits="by_class", point_scale=scale)
        piles = [rules.pile_of(card) + 1 for card in range(48)]
        assert piles == [int(pile) for pile in reference.FOUNDATION_CLASS[scale]]
        points = "".join("p" if rules.is_point(card) else "n" for card in range(48))
        assert points == reference.ALTERNATION


def test_the_presets_are_the_same() -> None:
    assert {name: reference_rules(rules) for name, rules in PRESETS.items()} == reference.PRESETS


@pytest.mark.parametrize("cards", [range(47), [*range(47), 46], [*range(47), None]])
def test_a_state_needs_each_card_once(cards: list[int | None]) -> None:
    with pytest.raises(HanasolveError, match="each of the 48 cards once"):
        State(Position(stock=tuple(cards)))


@pytest.mark.parametrize(
    "changes",
    [
        {"up": ((0, 4), *((),) * 5), "stock": REST},
        {
            "foundations": ((4, 0), (), (), ()),
            "stock": tuple(c for c in range(48) if c not in (0, 4)),
        },
        {"down": ((0,), *((),) * 5), "stock": tuple(range(1, 48))},
        {"stock": tuple(range(48)), "turns": -1},
        {"stock": tuple(range(48)), "turns": 3},
    ],
    ids=["run", "pile", "face down", "turns", "passes"],
)
def test_a_state_refuses_what_cannot_be_packed(changes: dict[str, Any]) -> None:
    with pytest.raises(HanasolveError):
        State(Position(**changes), PRESETS["rule3"])
    assert State(Position(stock=tuple(range(48)), turns=2), PRESETS["rule3"]).position.turns == 2


@pytest.mark.parametrize("seed", [-1, None, "1", 1.0, True])
def test_a_seed_is_an_integer_from_zero(seed: Any) -> None:
    with pytest.raises(HanasolveError, match="seed"):
        State.deal(seed=seed)
    with pytest.raises(HanasolveError, match="depth"):
        State.deal(seed=1).perft(-1)
