"""What seats can reach in Hanafuda by Tamaki, against what trying everything finds."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from hanasolve.errors import HanasolveError, MoveError
from hanasolve.search.limits import Limits
from hanasolve.tamaki import cpsat
from hanasolve.tamaki.arrivals import Arrivals
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Card, Position
from hanasolve.tamaki.result import Result
from hanasolve.tamaki.rules import YAKU
from hanasolve.tamaki.state import State
from tests.random_rounds import as_reference, as_turn, random_round, random_rules
from tests.reference import tamaki as reference
from tests.reference.tamaki_reach import reach

LEFT = {2: 3, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5}
"""For each number of seats the cards in the hands, at most."""
MOST_TURNS = 4
"""To the end of the round, where every line is played through."""
ORDERS = 24
"""Of the mountain that are tried for a ceiling, at most."""


def small_rounds(players: int, count: int, name: str = "reach") -> Iterator[State]:
    for seed in range(count):
        left = random.Random(f"{name} left {seed}").randint(0, LEFT[players])
        yield random_round(10_000 + seed, players, left)


def played(state: State, result: Result) -> State:
    """Give the end of a line, each turn of which must be its seat's."""
    for seat, move in result.line:
        assert seat == state.turn
        state = state.apply(move)
    assert state.is_over
    return state


def is_proven(result: Result) -> bool:
    return result.optimal and result.value == result.bound and result.limit is None


@pytest.mark.parametrize("players", LEFT)
def test_cooperative_is_the_best_end(players: int) -> None:
    for state in small_rounds(players, 100):
        seat = state.position.seat
        result = cpsat.cooperative(state, seat)
        assert is_proven(result)
        assert result.value == reference.cooperative(as_reference(state), seat, memo=True)
        assert played(state, result).round_scores()[seat] == result.value


@pytest.mark.parametrize("players", LEFT)
def test_the_last_third_of_deals_against_dynamic_programming(players: int) -> None:
    for seed in range(90):
        rules = random_rules(random.Random(f"rules {seed}"))
        left = LEFT[players] if rules.capture == "optional" else LEFT[players] + 6
        state = random_round(20_000 + seed, players, left, rules)
        seat = state.position.seat
        expected = reach(as_reference(state), seat)
        result = cpsat.cooperative(state, seat)
        assert is_proven(result)
        assert result.value == expected.score
        assert played(state, result).round_scores()[seat] == result.value
        found = cpsat.yaku(state)
        assert [*(found.yaku or ())] == expected.yaku
        assert [*(found.most or ())] == expected.most


def claims_that_can_be(position: reference.State) -> list[set[frozenset[int]]]:
    """Give for each seat all sets of yaku cards that it can have at the end."""
    cards = set().union(*YAKU.values())

    def held(end: reference.State) -> list[set[frozenset[int]]]:
        return [{frozenset(cards.intersection(claim))} for claim in end.claims]

    def any_of(_: int, ends: list[list[set[frozenset[int]]]]) -> list[set[frozenset[int]]]:
        return [set().union(*column) for column in zip(*ends, strict=True)]

    return reference.search(position, held, any_of, {})


@pytest.mark.parametrize("players", LEFT)
def test_yaku_are_those_of_some_end(players: int) -> None:
    for state in small_rounds(players, 100):
        position = as_reference(state)
        result = cpsat.yaku(state)
        assert result.optimal
        assert list(result.yaku or ()) == reference.yaku_possible(position, memo=True)
        assert list(result.most or ()) == reference.most_yaku(position, memo=True)
        ends = claims_that_can_be(position)
        for reason in result.reasons:
            assert {*reason.cards} <= YAKU[reason.yaku]
            for some in range(len(reason.cards) + 1):
                for cards in itertools.combinations(reason.cards, some):
                    can = any({*cards} <= end for end in ends[reason.seat])
                    assert can == (len(cards) < len(reason.cards))
        out_of_reach = {(reason.seat, reason.yaku) for reason in result.reasons}
        assert out_of_reach == {
            (seat, name)
            for seat, reach in enumerate(result.yaku or ())
            for name, can in reach.items()
            if not can
        }


@pytest.mark.parametrize("players", LEFT)
def test_the_ceiling_is_the_best_of_all_orders(players: int) -> None:
    tried = 0
    for number, state in enumerate(small_rounds(players, 60, "ceiling")):
        position, seat, size = (
            as_reference(state),
            state.position.seat,
            len(state.position.mountain),
        )
        draws = sum(pile.times[0] % 2 for pile in Arrivals(state).piles)
        free = min(draws, random.Random(f"free {number}").randint(0, 3))
        known = draws - free
        if math.perm(size - known, free) > ORDERS:
            continue
        orders = reference.orders(position, known)
        tried += 1
        result = cpsat.ceiling(state, seat, known=known)
        assert is_proven(result)
        assert result.value == max(
            reference.cooperative(order, seat, memo=True) for order in orders
        )
        assert result.mountain is not None
        assert result.mountain[:known] == state.position.mountain[:known]
        assert {*result.mountain} == {*state.position.mountain}
        end = played(in_order(state, result.mountain), result)
        assert end.round_scores()[seat] == result.value
    assert tried > 20


def in_order(state: State, mountain: Sequence[Card]) -> State:
    """Give the state with its mountain in another order."""
    return State(dataclasses.replace(state.position, mountain=tuple(mountain)), state.rules)


def random_play(state: State, chance: random.Random) -> list[Move]:
    """Play a round to its end at random."""
    line = []
    while not state.is_over:
        line.append(chance.choice(state.legal_moves()))
        state = state.apply(line[-1])
    return line


Told = Callable[[State, int], Move | None]
"""What a seat does in its n-th turn, counted from 0; None if anything."""


def ends_with(state: State, told: Mapping[int, Told], number: int = 0) -> Iterator[State]:
    """Give every end of the round in which some seats do as they are told."""
    if state.is_over:
        yield state
        return
    move = told[state.turn](state, number // state.players) if state.turn in told else None
    moves = state.legal_moves() if move is None else {move}.intersection(state.legal_moves())
    for choice in moves:
        yield from ends_with(state.apply(choice), told, number + 1)


def assert_only_such_ends(state: State, fixed: cpsat.Fixed, told: Mapping[int, Told]) -> None:
    """Compare what is in reach with all ends in which some seats do as they are told."""
    seat, ends = state.position.seat, {*ends_with(state, told)}
    result = cpsat.cooperative(state, seat, fixed=fixed)
    assert is_proven(result)
    assert result.value == max(end.round_scores()[seat] for end in ends)
    assert played(state, result).round_scores()[seat] == result.value
    found = cpsat.yaku(state, fixed=fixed)
    assert found.optimal
    for one, (can, most) in enumerate(zip(found.yaku or (), found.most or (), strict=True)):
        held = [end.yaku()[one] for end in ends]
        assert most == max(map(len, held))
        assert can == {name: any(name in yaku for yaku in held) for name in YAKU}
    for reason in found.reasons:
        claims = {frozenset(end.position.claims[reason.seat]) for end in ends}
        assert not any({*reason.cards} <= claim for claim in claims)
        for card in reason.cards:
            assert any({*reason.cards} - {card} <= claim for claim in claims)
        assert f"with the turns of seat {min(fixed)} given" in reason.text


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_record_of_some_seats_is_kept(players: int) -> None:
    ceilings = 0
    for number, state in enumerate(small_rounds(players, 60, "record")):
        chance = random.Random(f"record {number}")
        seat, fixed = state.position.seat, chance.randrange(players)
        if len(Arrivals(state).turns) > MOST_TURNS:
            continue
        line, after = [], state
        for move in random_play(state, chance):
            if after.turn == fixed:
                line.append(move)
            after = after.apply(move)

        def told(_: State, n: int, line: list[Move] = line) -> Move | None:
            return line[n] if n < len(line) else None

        assert_only_such_ends(state, {fixed: line}, {fixed: told})
        best = cpsat.cooperative(state, seat, fixed={fixed: line})
        assert [move for one, move in best.line if one == fixed] == line
        if math.factorial(len(state.position.mountain)) > ORDERS:
            continue
        ceilings += 1
        result = cpsat.ceiling(state, seat, fixed={fixed: line})
        assert is_proven(result)
        assert result.value == max(
            end.round_scores()[seat]
            for order in itertools.permutations(state.position.mountain)
            for end in ends_with(in_order(state, order), {fixed: told})
        )
        assert result.mountain is not None
        end = played(in_order(state, result.mountain), result)
        assert end.round_scores()[seat] == result.value
    assert ceilings > 5


def left_in_the_mountain(chance: random.Random) -> State:
    """Make a position of two, of few months, in which not all of the mountain is drawn."""
    months = chance.sample(range(12), 4)
    cards = [card for card in range(48) if card // 4 in months]
    chance.shuffle(cards)
    turn = chance.randrange(2)
    hands: list[list[int]] = [[], []]
    for play in range(chance.randint(2, 4)):
        hands[(turn + play) % 2].append(cards.pop())
    mountain = [cards.pop() for _ in range(5)]
    table = cards[: chance.randrange(4)]
    away = {*range(48)} - {*mountain, *table, *itertools.chain(*hands)}
    mine = {card for card in away if chance.random() < 0.5}
    position = Position(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        table=tuple(sorted(table)),
        mountain=tuple(mountain),
        claims=(tuple(sorted(mine)), tuple(sorted(away - mine))),
        turn=turn,
        scores=(0, 0),
    )
    return State(position)


def test_a_ceiling_with_a_record_and_cards_that_stay_in_the_mountain() -> None:
    """Which cards land at all is free, too, but not those that the record draws."""
    for number in range(150):
        chance = random.Random(f"left {number}")
        state = left_in_the_mountain(chance)
        seat, fixed, known = chance.randrange(2), chance.randrange(2), chance.randrange(3)
        line, after = [], state
        for move in random_play(state, chance):
            line += [move] if after.turn == fixed else []
            after = after.apply(move)

        def told(_: State, n: int, line: list[Move] = line) -> Move | None:
            return line[n] if n < len(line) else None

        result = cpsat.ceiling(state, seat, known=known, fixed={fixed: line})
        assert is_proven(result)
        top = state.position.mountain[:known]
        assert result.value == max(
            end.round_scores()[seat]
            for rest in itertools.permutations(state.position.mountain[known:])
            for end in ends_with(in_order(state, (*top, *rest)), {fixed: told})
        )
        assert result.mountain is not None
        end = played(in_order(state, result.mountain), result)
        assert end.round_scores()[seat] == result.value


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_policy_of_some_seats_is_followed(players: int) -> None:
    def policy(state: State) -> Move:
        return state.legal_moves()[-1]

    for number, state in enumerate(small_rounds(players, 60, "policy")):
        if len(Arrivals(state).turns) <= MOST_TURNS:
            fixed = number % players
            told = {fixed: lambda after, _: policy(after)}
            assert_only_such_ends(state, {fixed: policy}, told)


def test_a_record_that_cannot_be_kept() -> None:
    state = State.deal(seed=3, players=3)
    other = next(move for move in State.deal(seed=4, players=3).legal_moves())
    with pytest.raises(HanasolveError, match="does not fit"):
        cpsat.cooperative(state, 0, fixed={0: [other]})
    with pytest.raises(MoveError):
        cpsat.cooperative(state, 0, fixed={0: lambda _: other})
    with pytest.raises(MoveError):
        cpsat.yaku(state, fixed={0: lambda _: other})
    with pytest.raises(HanasolveError, match="a policy must see the mountain"):
        cpsat.ceiling(state, 0, fixed={0: lambda _: other})
    move = next(move for move in state.legal_moves() if not move.capture)
    assert move.play is not None
    fixed: cpsat.Fixed = {0: [dataclasses.replace(move, capture=(move.play ^ 1,))]}
    asks: list[Callable[[], Result]] = [
        lambda: cpsat.cooperative(state, 0, fixed=fixed),
        lambda: cpsat.yaku(state, fixed=fixed),
        lambda: cpsat.ceiling(state, 0, fixed=fixed),
    ]
    for ask in asks:
        with pytest.raises(HanasolveError, match="no continuation has the turns that are fixed"):
            ask()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lost_from_the_turn_after_which_it_cannot_be(players: int) -> None:
    turns = set()
    for number, state in enumerate(small_rounds(players, 40, "lost")):
        record = random_play(state, random.Random(f"lost {number}"))
        states = [state]
        for move in record:
            states.append(states[-1].apply(move))
        positions = [as_reference(after) for after in states]
        reach = [reference.yaku_possible(position, memo=True) for position in positions]
        seat = number % players
        for name in YAKU:
            possible = [can[seat][name] for can in reach]
            expected = possible.index(False) if False in possible else None
            assert cpsat.lost(state, record, seat, name) == expected
            turns.add(expected)
        scores = [reference.cooperative(position, seat, memo=True) for position in positions]
        for wanted in (scores[0], scores[0] + 5, scores[-1]):
            expected = next((n for n, can in enumerate(scores) if can < wanted), None)
            assert cpsat.lost(state, record, seat, score=wanted) == expected
    assert {0, None} < turns


def test_what_cannot_be_asked() -> None:
    state = State.deal(seed=1)
    asked: list[tuple[str, Callable[[], Any]]] = [
        ("a seat is a number from 0 to 1, not 2", lambda: cpsat.cooperative(state, 2)),
        ("a seat is a number from 0 to 1, not -1", lambda: cpsat.ceiling(state, -1)),
        ("known is a number from 0 to 24, not 25", lambda: cpsat.ceiling(state, 0, known=25)),
        ("give either a yaku or a score", lambda: cpsat.lost(state, [], 0)),
        ("there is no yaku 'green'", lambda: cpsat.lost(state, [], 0, "green")),
    ]
    for message, ask in asked:
        with pytest.raises(HanasolveError, match=message):
            ask()


def test_limits_leave_bounds_that_hold() -> None:
    for seed in range(4):
        state = State.deal(seed=seed)
        value = cpsat.cooperative(state, 0).value
        assert isinstance(value, int)
        for nodes in (0, 1, 50, 200, 1_000):
            result = cpsat.cooperative(state, 0, Limits(nodes=nodes))
            assert result.limit in (None, "nodes")
            assert result.optimal == (result.limit is None)
            assert result.value is None or result.value <= value  # type: ignore[operator]
            assert isinstance(result.bound, int)
            assert result.bound >= value
            if result.value is not None:
                assert played(state, result).round_scores()[0] == result.value
            again = cpsat.cooperative(state, 0, Limits(nodes=nodes))
            assert dataclasses.replace(again, seconds=0) == dataclasses.replace(result, seconds=0)
    stopped = cpsat.ceiling(state, 0, Limits(stop=lambda: True))
    assert stopped.limit == "interrupt"
    assert not stopped.optimal


def test_a_full_deal_in_order() -> None:
    """With more seats than two all cards are captured, so the scores add up to all points."""
    for players in range(3, 8):
        state = State.deal(seed=players, players=players)
        for seat in range(players):
            result = cpsat.cooperative(state, seat)
            assert is_proven(result)
            end = played(state, result)
            assert sum(end.round_scores()) == 240
            assert as_turn(result.line[0][1]) in reference.turns(as_reference(state))
