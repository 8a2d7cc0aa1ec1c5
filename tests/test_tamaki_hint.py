"""Hints for Hanafuda by Tamaki: blind to what is hidden, repeatable, and averages of the truth."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from hanasolve import instances
from hanasolve.cards import uniform_stream
from hanasolve.errors import HanasolveError
from hanasolve.search.limits import Limits
from hanasolve.search.sampling import Averages, worlds
from hanasolve.tamaki.hint import SAMPLES, View, hint
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import Rules
from hanasolve.tamaki.state import State
from tests.random_rounds import as_reference, random_round
from tests.reference import tamaki as reference


def write(path: Path, state: State) -> str:
    instance = instances.Instance(game="tamaki", rules=state.rules, position=state.position)
    path.write_text(json.dumps(instances.encode(instance)), encoding="utf-8")
    return str(path)


def permuted(state: State, chance: random.Random) -> State:
    """Deal the cards that the seat to move cannot see anew."""
    position = state.position
    hidden = [seat for seat in range(position.players) if seat != position.turn]
    cards = [*position.mountain, *itertools.chain(*(position.hands[seat] for seat in hidden))]
    chance.shuffle(cards)
    mountain = tuple(cards.pop() for _ in position.mountain)
    hands = tuple(
        tuple(sorted(cards.pop() for _ in hand)) if seat in hidden else hand  # type: ignore[type-var]
        for seat, hand in enumerate(position.hands)
    )
    return State(dataclasses.replace(position, hands=hands, mountain=mountain), state.rules)


@pytest.mark.parametrize("players", [2, 3, 7])
def test_hidden_cards_change_nothing(run: Any, tmp_path: Path, players: int) -> None:
    chance = random.Random(f"hidden {players}")
    for seed in range(4):
        state = random_round(seed, players, 6)
        asked = ["hint", "--nodes", 3_000, "--sample-seed", seed, "--json"]
        told = []
        for other in (state, permuted(state, chance), permuted(state, chance)):
            result = run(*asked, write(tmp_path / "a.json", other)).object
            told.append({name: result[name] for name in result if name != "seconds"})
        assert told[0] == told[1] == told[2]
        assert told[0]["moves"]
        assert told[0]["information"] == "hidden"


def few_unknown(seed: int, players: int) -> State:
    """Make a position in which so few cards are hidden that all fillings can be written down."""
    state = random_round(seed, players, min(4, players + 1))
    position = state.position
    keep = random.Random(seed).randint(0, 2)
    drawn = [card for card in position.mountain[keep:] if card is not None]
    claims = (tuple(sorted((*position.claims[0], *drawn))), *position.claims[1:])
    position = dataclasses.replace(position, mountain=position.mountain[:keep], claims=claims)
    return State(position, state.rules)


def fillings(state: State) -> list[Position]:
    """Give every position that the seat to move takes to be possible, each as often as it is."""
    position = state.position
    seats = [seat for seat in range(position.players) if seat != position.turn]
    sizes = [len(position.hands[seat]) for seat in seats]
    hidden = sorted(set(range(48)) - {*position.table, *itertools.chain(*position.claims)})
    hidden = [card for card in hidden if card not in position.hands[position.turn]]
    most = 2 if state.rules.hand_three == "compulsory" else 3
    found = {}
    for order in itertools.permutations(hidden):
        cards = iter(order)
        hands = [*position.hands]
        for seat, size in zip(seats, sizes, strict=True):
            hands[seat] = tuple(sorted(next(cards) for _ in range(size)))
        months = [Counter(card // 4 for card in hands[seat] if card is not None) for seat in seats]
        if all(count <= most for month in months for count in month.values()):
            filled = dataclasses.replace(position, hands=tuple(hands), mountain=tuple(cards))
            found[filled.hands, filled.mountain] = filled
    return [*found.values()]


@pytest.mark.parametrize(("objective", "players"), [("margin", 2), ("paranoid", 3), ("maxn", 3)])
def test_estimates_are_averages_over_all_fillings(objective: str, players: int) -> None:
    far = compared = 0
    for seed in range(12):
        state = few_unknown(100 + seed, players)
        if state.is_over:
            continue
        totals: dict[tuple[int | None, tuple[int, ...]], list[int]] = defaultdict(list)
        for filled in fillings(state):
            position = as_reference(State(filled, state.rules))
            mover = position.turn

            def value(after: reference.State, mover: int = mover) -> int:
                if objective == "maxn":
                    return reference.maxn(after, memo=True)[mover]
                search = reference.margin if objective == "margin" else reference.paranoid
                return int(search(after, mover, memo=True))

            best: dict[tuple[int | None, tuple[int, ...]], int] = {}
            for turn, worth in reference.turn_values(position, value):
                chosen = turn.play, tuple(turn.capture)
                best[chosen] = max(worth, best.get(chosen, worth))
            for chosen, worth in best.items():
                totals[chosen].append(worth)
        view = View.of(state.position, state.rules)
        advice = hint(view, objective=objective, sample_seed=seed)
        assert (advice.samples, advice.exact, advice.limit) == (SAMPLES, False, None)
        assert {(move.option.play, move.option.capture) for move in advice.moves} == {*totals}
        assert [*advice.moves] == sorted(advice.moves, key=lambda move: -move.estimate)
        for move in advice.moves:
            values = totals[move.option.play, move.option.capture]
            mean = sum(values) / len(values)
            spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
            error = spread / math.sqrt(SAMPLES)
            assert move.option.draw is None
            assert abs(move.estimate - mean) <= 5 * error + 1e-9
            far += abs(move.estimate - mean) > 2 * error + 1e-9
            compared += 1
    assert compared > 15
    assert far <= 0.2 * compared


def test_worlds_are_uniform() -> None:
    state = next(
        state
        for seed in itertools.count()
        if 6 <= len(fillings(state := few_unknown(seed, 2))) <= 24
    )
    expected = {(filled.hands, filled.mountain) for filled in fillings(state)}
    drawn = View.of(state.position, state.rules).worlds(uniform_stream(3))
    count = 400 * len(expected)
    seen = Counter(
        (world.position.hands, world.position.mountain) for world in itertools.islice(drawn, count)
    )
    assert {*seen} == expected
    # A binomial number with mean 400 and standard deviation below 20.
    assert all(abs(times - 400) < 100 for times in seen.values())


def test_with_all_cards_known_it_is_exact(run: Any, tmp_path: Path) -> None:
    state = random_round(3, 3, 6)
    path = write(tmp_path / "a.json", state)
    hinted = run("hint", path, "--thoughtful", "--json").object
    solved = run("solve", path, "--values", "--seat", state.turn, "--json").object
    assert hinted["information"] == "thoughtful"
    assert hinted["exact"]
    assert sorted(move["estimate"] for move in hinted["moves"]) == sorted(
        move["value"] for move in solved["moves"]
    )
    assert {move["stderr"] for move in hinted["moves"]} == {0.0}
    assert {move["move"] for move in hinted["moves"]} == {*map(str, state.legal_moves())}


def test_limits(run: Any) -> None:
    dealt = ["hint", "--game", "tamaki", "--seed", 2, "--json"]
    none = run(*dealt, "--nodes", 0)
    assert (none.code, none.object["moves"], none.object["limit"]) == (11, [], "nodes")
    some = run(*dealt, "--nodes", 20_000)
    assert (some.code, some.object["limit"]) == (0, "nodes")
    assert 2 < some.object["samples"] < SAMPLES
    assert some.object["nodes"] <= 20_000
    again = run(*dealt, "--nodes", 20_000)
    assert again.object["moves"] == some.object["moves"]


def test_in_words(run: Any) -> None:
    out = run("hint", "--game", "tamaki", "--seed", 2, "--nodes", 20_000).out
    assert "(what the player sees; " in out
    assert "margin of seat 0" in out
    assert "  hand ? ? ? ? ? ? ? ?" in out
    over = random_round(5, 4, 0)
    advice = hint(View.of(over.position, over.rules))
    assert (advice.moves, advice.samples) == ((), 0)


def test_what_cannot_be_advised(run: Any, refused: Any, tmp_path: Path) -> None:
    state = random_round(1, 3, 6)
    other = dataclasses.replace(state.position, seat=(state.turn + 1) % 3)
    seen = other.as_seen(state.rules)
    instance = instances.Instance(game="tamaki", rules=state.rules, position=seen)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(instances.encode(instance)), encoding="utf-8")
    done = run("hint", path, "--json")
    assert (done.code, done.pointer) == (12, f"/hands/{state.turn}")
    assert "invalid choice" in refused("hint", path, "--objective", "ceiling")
    says = refused("hint", "--game", "tamaki", "--seed", 1, "--players", 3, "--objective", "margin")
    assert "margin is for two seats" in says
    with pytest.raises(HanasolveError, match="a hint is by margin, paranoid, maxn, not by yaku"):
        hint(View.of(state.position, state.rules), objective="yaku")


def test_no_filling_that_the_rules_allow() -> None:
    """Two cards hidden in a hand of a month of which it holds another two can be nowhere else."""
    away = [card for card in range(48) if card not in (0, 1, 2, 20, 21, 24)]
    position = Position(
        hands=((20, 21, 24), (None, None, None)),
        table=(),
        mountain=(),
        claims=(tuple(away), ()),
        turn=0,
        scores=(0, 0),
    )
    with pytest.raises(HanasolveError, match="no filling of the unknown cards was found"):
        hint(View(position, Rules()))
    assert hint(View(position, Rules(hand_three="off")), Limits(nodes=2_000)).samples > 0


def test_averages_compare_in_the_same_deals() -> None:
    averages: Averages[str] = Averages()
    for luck in (0, 100, 50, 10):
        averages.add({"a": luck, "b": luck - 1, "c": luck})
    first, second, third = averages.ranking()
    assert [first.option, second.option, third.option] == ["a", "c", "b"]
    assert first.estimate == 40
    assert first.stderr == pytest.approx(math.sqrt((1600 + 3600 + 100 + 900) / 3 / 4))
    assert (third.behind, third.behind_stderr, third.is_close) == (1, 0, False)
    assert second.is_close
    assert Averages[str]().ranking() == ()
    odd = (n if n % 3 == 0 else None for n in itertools.count())
    assert [*itertools.islice(worlds(lambda: next(odd)), 3)] == [0, 3, 6]
