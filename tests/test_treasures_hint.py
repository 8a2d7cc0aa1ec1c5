"""Advice for Three Treasures: legal, blind to what is hidden, repeatable, and near the truth."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from hanasolve.analysis.proportions import at_least, wilson
from hanasolve.cards import parse
from hanasolve.errors import HanasolveError, InstanceError
from hanasolve.search.limits import Limits
from hanasolve.treasures import book, hint, solve
from hanasolve.treasures.game import deal_game, play
from hanasolve.treasures.move import Move
from hanasolve.treasures.position import Position, deal_seed
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State
from tests.reference import treasures as reference
from tests.test_treasures import in_worlds, random_position, random_rules

FEW = Limits(nodes=300)


def small_states(name: str, unknown: int) -> Any:
    """Give random small states in which the player decides."""
    stream = random.Random(name)
    while True:
        rules = random_rules(stream)
        position = random_position(stream, unknown, rules)
        try:
            state = State(position, rules)
        except InstanceError:
            continue
        if not state.is_over and not state.is_chance and state.legal_moves():
            yield position, state


def first_decision(seed: int, rules: Rules | None = None) -> State:
    """Give what a player knows at the first decision of a game."""
    game, uniform = deal_game(seed, rules or Rules())
    while not game.is_over:
        event = game.chance(uniform)
        if event is None:
            return game.view
        game = game.apply(event)
    raise AssertionError(f"game {seed} is over before any decision")


def test_intervals_hold_the_value_at_any_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both bounds are asked for, and the value by the reference is never outside."""
    monkeypatch.setattr(solve, "_FIRST_NODES", 8)
    states = small_states("intervals", 4)
    raised = lowered = 0
    for _ in range(40):
        position, state = next(states)
        rules, belief = in_worlds(position, state.rules)
        expected = float(reference.value(rules, belief))
        worth = {
            action: float(reference.value(rules, reference.apply(rules, belief, action)))
            for action in reference.actions(rules, belief)
        }
        before = (0.0, 1.0)
        for nodes in (0, 5, 10, 20, 40, 80, 200, None):
            result = solve.solve(state, Limits(nodes=nodes))
            low, high = result.value
            assert low - 1e-15 <= expected <= high + 1e-15
            assert before[0] <= low <= high <= before[1]
            before = result.value
            open_ = high - low > 1e-9
            assert result.exact != open_
            for step, (least, most) in result.actions:
                assert least - 1e-15 <= worth[str(book.decode_decision(step))] <= most + 1e-15
                raised += most - least > 1e-9 and least > 0
                lowered += most - least > 1e-9 and most < 1
        assert before[1] - before[0] < 1e-9
    assert raised > 5
    assert lowered > 20


def after_marked_deck() -> tuple[State, Any, Any]:
    """Give a position whose deck is a block that cannot hold 05a while an unknown trial waits."""

    def cards(*codes: str) -> tuple[int, ...]:
        return tuple(sorted(map(parse, codes)))

    hand, discard = cards("04d", "06b", "07c"), cards("09c")
    unknown = cards("01d", "03a", "05a", "05d", "08a", "12b")
    victory, present = cards("09a"), parse("12a")
    below = reference.ALL_CARDS - {*hand, *discard, *unknown, *victory, present}
    position = Position(
        phase="act",
        hand=hand,
        present=(*sorted(below), present),
        trial=("?",) * 3,
        deck=("?a",) * 3,
        unknown=unknown,
        discard=discard,
        victory=victory,
        barred=(("?a", cards("05a")),),
    )
    return State(position), *in_worlds(position, Rules())


def test_a_belief_that_places_cannot_tell_is_not_called_exact() -> None:
    """A blue banner mixes a deck with restricted places while a trial waits that may hold more."""
    state, rules, belief = after_marked_deck()
    result = solve.solve(state)
    expected = float(reference.value(rules, belief))
    low, high = result.value
    assert low - 1e-12 <= expected <= high + 1e-12
    assert low < expected - 1e-3 or high > expected + 1e-3
    assert not result.exact
    assert result.limit is None
    for step, (least, most) in result.actions:
        after = reference.apply(rules, belief, str(book.decode_decision(step)))
        assert least - 1e-12 <= float(reference.value(rules, after)) <= most + 1e-12
    mixed = state.apply("blue 06b 09c")
    with pytest.raises(HanasolveError, match="the probabilities are not known here"):
        mixed.outcomes()
    with pytest.raises(HanasolveError, match="position"):
        _ = mixed.position
    assert mixed.legal_moves()


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_by_advice_are_legal(seed: int) -> None:
    """Under random rules; `play` refuses a move that is not legal."""
    rules = random_rules(random.Random(f"advice {seed}"))
    game, uniform = deal_game(seed, rules)
    adviser = hint.Adviser(rules)

    def decide(view: State) -> Move:
        advice = adviser.advise(view.words, Limits(nodes=40), sample_seed=seed)
        legal = [str(move) for move in view.legal_moves()]
        assert {str(book.decode_decision(a.move)) for a in advice.moves} <= set(legal)
        assert str(book.decode_decision(adviser.liked(view.words))) in legal
        return book.decode_decision(advice.moves[0].move)

    game, events = play(game, decide, uniform)
    assert game.is_over
    assert events


def test_what_is_hidden_changes_nothing() -> None:
    """Deals that look the same to the player get the same advice, bit for bit."""
    position = deal_seed(3)
    drawn, *hidden = position.deck[:-1]
    stream = random.Random("hidden")
    told = set()
    for _ in range(4):
        stream.shuffle(hidden)
        deck = (drawn, *hidden, position.deck[-1])
        shuffled = dataclasses.replace(position, deck=deck, phase="act")
        seen = State(shuffled.as_seen(Rules()), Rules())
        told.add(dataclasses.replace(hint.hint(seen, FEW), seconds=0.0))
    assert len(told) == 1


def test_advice_is_repeatable_and_depends_on_its_seed() -> None:
    state = first_decision(5)

    def advice(seed: int) -> hint.Advice:
        return dataclasses.replace(hint.hint(state, FEW, sample_seed=seed), seconds=0.0)

    assert advice(1) == advice(1)
    assert advice(1) != advice(2)
    assert advice(1).nodes == 300
    assert sum(move.samples for move in advice(1).moves) == 300


def test_exact_near_the_end() -> None:
    for _, state in (next(small_states(f"end {n}", 3)) for n in range(10)):
        advice, result = hint.hint(state), solve.solve(state)
        assert advice.exact
        assert [move.move for move in advice.moves] == [step for step, _ in result.actions]
        for advised, (_, (low, high)) in zip(advice.moves, result.actions, strict=True):
            assert low <= advised.estimate <= high
            assert advised.stderr == 0.0


def test_simulations_come_near_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the values of the reference: of what is advised, and of its estimate."""
    monkeypatch.setattr(hint, "EXACT_UNKNOWN", -1)
    states = small_states("simulations", 3)
    between = 0
    for _ in range(25):
        position, state = next(states)
        rules, belief = in_worlds(position, state.rules)
        expected = float(reference.value(rules, belief))
        advice = hint.hint(state, Limits(nodes=6000))
        assert not advice.exact
        best = advice.moves[0]
        after = reference.apply(rules, belief, str(book.decode_decision(best.move)))
        assert float(reference.value(rules, after)) >= expected - 0.03
        assert best.estimate == pytest.approx(expected, abs=0.05)
        between += 0 < expected < 1
    assert between > 5


def test_play_by_exact_choices_wins_as_often_as_the_value_says() -> None:
    """50 positions, each played 200 times; the worst of 50 is allowed four standard errors."""
    states = small_states("play", 3)
    stream = random.Random("play by exact choices")
    for _ in range(50):
        _, root = next(states)
        low, high = solve.solve(root).value
        value, times = (low + high) / 2, 200

        @functools.cache
        def step(state: State) -> Any:
            if not state.is_chance:
                best = solve.solve(state).best
                return None if best is None else state.apply(book.decode_decision(best))
            outcomes = state.outcomes()
            return [move for move, _ in outcomes], [float(chance) for _, chance in outcomes]

        wins = 0
        for _ in range(times):
            state = root
            while not state.is_over:
                after = step(state)
                if after is None:
                    break
                state = state.apply(stream.choices(*after)[0]) if state.is_chance else after
            wins += state.is_won
        spread = math.sqrt(times * value * (1 - value))
        assert abs(wins - times * value) <= 4 * spread + 1e-9


def test_limits_of_a_hint() -> None:
    state = first_decision(0)
    assert hint.hint(state, Limits(nodes=0)).nodes == 1
    assert hint.hint(state, Limits(nodes=7)).nodes == 7
    assert hint.hint(state, Limits(memory=64)).nodes == hint.SIMULATIONS
    assert hint.hint(state, Limits(time=0)).limit == "time"
    assert hint.hint(state, Limits(nodes=200, memory=1)).nodes == 200
    start = State(deal_seed(0).as_seen(Rules()), Rules())
    assert hint.hint(start).moves == ()


def test_the_command(run: Any, tmp_path: Path) -> None:
    state = first_decision(2)
    path = tmp_path / "position.json"
    from hanasolve import save

    save(state, path)
    arguments = ("hint", path, "--nodes", 200, "--sample-seed", 3)
    result = run(*arguments, "--json")
    assert result.code == 0
    told = result.object
    assert told["information"] == "hidden"
    assert told["nodes"] == 200
    assert not told["exact"]
    assert told["limit"] is None
    assert [move["samples"] for move in told["moves"]] == sorted(
        (move["samples"] for move in told["moves"]), reverse=True
    )
    for move in told["moves"]:
        assert state.apply(move["move"])
        assert 0 <= move["estimate"] <= 1
        assert 0 < move["stderr"] < 0.5
    words = run(*arguments)
    assert words.code == 0
    assert words.out.startswith(f"{told['moves'][0]['move']}: estimate 0.")
    assert "what the player sees; 200 simulations" in words.out


def test_the_command_hides_what_the_player_does_not_see(run: Any, tmp_path: Path) -> None:
    position = dataclasses.replace(deal_seed(3), phase="act")
    path = tmp_path / "deal.json"
    from hanasolve import save

    save(State(position, Rules()), path)
    seen = run("hint", path, "--nodes", 50, "--json").object
    assert seen["information"] == "hidden"
    known = run("hint", path, "--nodes", 50, "--thoughtful", "--json").object
    assert known["information"] == "thoughtful"


def test_the_command_where_nothing_is_decided(run: Any) -> None:
    told = run("hint", "--game", "treasures", "--seed", 1, "--json")
    assert (told.code, told.object["moves"]) == (0, [])
    words = run("hint", "--game", "treasures", "--seed", 1)
    assert "there is nothing to decide here" in words.out


def test_the_command_for_many(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    dealt = [json.loads(run("deal", "--game", "treasures", "--seed", n).out) for n in (1, 2)]
    path.write_text("\n".join([json.dumps(dealt[0]), "{}", json.dumps(dealt[1])]) + "\n")
    result = run("hint", path, "--json", "--nodes", 10)
    assert result.code == 12
    assert [line.get("id") for line in result.objects] == ["seed-1", None, "seed-2"]


def test_another_game_has_no_hints_yet(run: Any) -> None:
    result = run("hint", "--seed", 1)
    assert result.code == 2
    assert result.err == "hanasolve: solitaire2 has no hints yet\n"


@pytest.mark.parametrize(
    ("wins", "trials", "expected"),
    [(8, 10, (0.4902, 0.9433)), (0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0)), (0, 0, (0, 1))],
)
def test_score_intervals(wins: int, trials: int, expected: tuple[float, float]) -> None:
    """As statistical tables have them."""
    assert wilson(wins, trials) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("wins", "trials", "expected"),
    [(0, 10, 0.0), (5, 10, 0.1871), (8, 10, 0.4439), (682, 925, 0.7076683)],
)
def test_exact_lower_limits(wins: int, trials: int, expected: float) -> None:
    """The lower ends of two-sided intervals of 95 %, as tables and the manual of R have them."""
    assert at_least(wins, trials, 0.975) == pytest.approx(expected, abs=5e-5)


def test_the_policy_keeps_what_it_was_tuned_to() -> None:
    """A weak sign that weights and features still fit one another: most games are won."""
    adviser, rules = hint.Adviser(Rules()), Rules()

    def decide(view: State) -> Move:
        return book.decode_decision(adviser.liked(view.words))

    wins = 0
    for seed in range(60):
        game, uniform = deal_game(seed, rules)
        wins += play(game, decide, uniform)[0].is_won
    assert wins >= 36
