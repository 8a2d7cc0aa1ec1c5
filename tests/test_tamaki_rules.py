"""Rounds of Hanafuda by Tamaki, turn by turn as the reference plays them, and what must hold."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter

import pytest

from hanasolve.tamaki import kernel as k
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import PAYMENT, SIZES, Rules
from hanasolve.tamaki.state import State, next_round
from tests.random_rounds import as_reference, as_turn, random_round, random_rules
from tests.reference import tamaki as reference

ROUNDS = 300
"""For each number of seats."""
MANY_ROUNDS = 20_000
"""Where nothing is compared with the reference."""


def deals(players: int, count: int) -> list[State]:
    """Give fresh deals under random switches."""
    found = []
    for seed in range(count):
        chance = random.Random(f"deal {seed} of {players}")
        leader, rules = chance.randrange(players), random_rules(chance)
        found.append(State.deal(seed=seed, rules=rules, players=players, leader=leader))
    return found


def months(position: Position) -> Counter[int]:
    """Count the cards of each month on the table."""
    return Counter(card // 4 for card in position.table)


@pytest.mark.parametrize("players", SIZES)
def test_deals_are_those_of_the_reference(players: int) -> None:
    for seed, state in enumerate(deals(players, ROUNDS)):
        rules = reference.Rules(**state.rules.as_dict())  # type: ignore[arg-type]
        assert as_reference(state) == reference.deal(players, state.turn, seed=seed, rules=rules)


@pytest.mark.parametrize("players", SIZES)
def test_rounds_are_played_as_the_reference_plays_them(players: int) -> None:
    for seed, state in enumerate(deals(players, ROUNDS)):
        chance = random.Random(seed)
        position = as_reference(state)
        while moves := state.legal_moves():
            after = reference.turns_and_after(position)
            assert [as_turn(move) for move in moves] == [turn for turn, _ in after]
            number = chance.randrange(len(moves))
            compulsory = state.rules.capture == "compulsory"
            before = months(state.position)
            state, position = state.apply(moves[number]), after[number][1]
            assert as_reference(state) == position
            assert [*state.round_scores()] == reference.round_scores(position)
            if compulsory:
                assert not any(
                    before[month] == 1 and count == 2
                    for month, count in months(state.position).items()
                )
        assert state.is_over
        assert reference.is_over(position)
        assert sum(state.round_scores()) == sum(state.card_points())
        left = state.position.mountain
        if players > 2:
            assert left == ()
            if compulsory:
                assert state.position.table == ()
                assert sum(state.card_points()) == sum(state.round_scores()) == 240
        else:
            assert len(left) == (0 if state.rules.two_player_rest == "play_out" else 8)


@pytest.mark.parametrize("players", SIZES)
def test_invariants_of_many_rounds(players: int) -> None:
    """Cards are used up, points add up, and of no month there are two after one by play."""
    for seed in range(MANY_ROUNDS):
        chance = random.Random(f"many {seed} of {players}")
        leader = chance.randrange(players)
        rules = Rules(yaku_payment=chance.choice(["per_group", "per_player"]))
        state = State.deal(seed=seed, rules=rules, players=players, leader=leader)
        table = state.packed[1][k.TABLE]
        while moves := state.legal_moves():
            move = chance.choice(moves)
            state = state.apply(move)
            before, table = table, state.packed[1][k.TABLE]
            for card in (move.play, move.draw):
                month = 4 * (card // 4) if card is not None else 0
                was, now = before >> month & 15, table >> month & 15
                assert (was.bit_count(), now.bit_count()) != (1, 2)
        end = state.position
        cards = [*end.table, *end.mountain, *itertools.chain(*end.claims)]
        assert sorted(card for card in cards if card is not None) == [*range(48)]
        scores = state.round_scores()
        assert sum(scores) == sum(state.card_points())
        if players > 2:
            assert (end.table, end.mountain, sum(scores)) == ((), (), 240)
        else:
            assert len(end.mountain) == 8


@pytest.mark.parametrize("players", SIZES)
def test_every_turn_of_a_position(players: int) -> None:
    """From the middle of rounds, with any claims and less to draw."""
    for seed in range(ROUNDS):
        state = random_round(seed, players, random.Random(seed).randint(0, 2 * players))
        expected = reference.turns_and_after(as_reference(state))
        moves = state.legal_moves()
        assert [as_turn(move) for move in moves] == [turn for turn, _ in expected]
        for move, (_, after) in zip(moves, expected, strict=True):
            assert as_reference(state.apply(move)) == after
        assert state.yaku() == tuple(
            tuple(reference.yaku_held(claim)) for claim in state.position.claims
        )


@pytest.mark.parametrize("players", SIZES)
def test_perft(players: int) -> None:
    """Sequences of turns are counted without merging, to the end of the round and past it."""

    def count(position: reference.State, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(after, depth - 1) for _, after in reference.turns_and_after(position))

    for seed in range(20):
        state = random_round(seed, players, 4)
        position = as_reference(state)
        for depth in range(4):
            assert state.perft(depth) == count(position, depth)
        over = random_round(seed, players, 0)
        if over.is_over:
            assert (over.perft(0), over.perft(1), over.perft(9)) == (1, 0, 0)


def test_the_next_round_is_led_by_the_next_seat_and_scores_add_up() -> None:
    end = random_round(5, 4, 0)
    earlier = dataclasses.replace(end.position, scores=(10, -20, 30, 5))
    state = State(earlier, end.rules)
    totals = tuple(map(sum, zip(state.position.scores, state.round_scores(), strict=True)))
    after = next_round(state, seed=8)
    assert after.position.scores == totals
    assert after.turn == (state.turn + 1) % 4
    assert after.round_scores() == (0, 0, 0, 0)


@pytest.mark.parametrize("payment", ["per_group", "per_player"])
def test_payments_add_up_to_nothing(payment: str) -> None:
    rules = Rules.of({"yaku_payment": payment})
    for players in SIZES:
        for held in ([0] * players, [2, *[0] * (players - 1)], [1] * players):
            assert sum(rules.payments(held)) == 0
    twice = PAYMENT * (2 if payment == "per_group" else 1)
    assert rules.payments([2, 0, 0]) == [2 * twice, -twice, -twice]
