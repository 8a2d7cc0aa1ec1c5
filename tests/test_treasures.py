"""Three Treasures against the reference, which writes down every world that is possible."""

from __future__ import annotations

import dataclasses
import random
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from hanasolve.cards import parse
from hanasolve.search.limits import Limits, Meter
from hanasolve.switches import choices, defaults
from hanasolve.treasures import book
from hanasolve.treasures import kernel as k
from hanasolve.treasures.position import Position, deal_seed
from hanasolve.treasures.rules import MOON, TREASURES, Rules
from hanasolve.treasures.solve import ROUNDING, Evaluator, Result, solve
from tests.reference import treasures as reference

KINDS = (
    "", "red-draw", "blue", "dispel", "avoid", "kill", "wander", "starve", "end", "keep", "present",
    "penalty blue", "penalty deck", "take",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Held:
    rules: Rules
    words: book.Words


def evaluate(position: Position, rules: Rules, limits: Limits | None = None) -> Result:
    return solve(Held(rules, book.enter(position, rules)), limits)


def random_rules(stream: random.Random) -> Rules:
    names = stream.sample(list(defaults(Rules)), stream.choice([0, 0, 1, 2, 3, 6, 12]))
    return Rules(**{name: stream.choice(choices(Rules, name)) for name in names})


def random_position(stream: random.Random, unknown: int, rules: Rules) -> Position:
    """Make a small position with so many unknown cards; most cards lie under the present."""
    cards = sorted(reference.ALL_CARDS)
    stream.shuffle(cards)
    useful = reference.RED | reference.BLUE | reference.TREASURES
    cards.sort(key=lambda card: stream.random() + 0.5 * (card not in useful))
    victory = stream.sample(sorted(TREASURES), stream.choice([0, 1, 1, 2, 2, 2]))
    cards = [card for card in cards if card not in victory]
    cards.sort(key=lambda card: card not in TREASURES)

    def take(count: int) -> list[int]:
        return [cards.pop(0) for _ in range(count)]

    pool = take(min(unknown, 3 - len(victory)))
    if stream.random() < 0.5 and len(pool) < unknown and rules.reshuffle_moon == "shuffled":
        pool.append(MOON)
        cards.remove(MOON)
    pool += take(unknown - len(pool))
    if MOON in pool and rules.reshuffle_moon == "stays_bottom":
        return random_position(stream, unknown, rules)
    hand = take(stream.choice([1, 2, 2, 3]))
    present = stream.choice([card for card in cards if card in reference.DEPICTED] or cards)
    if stream.random() < 0.4:
        present = stream.choice(cards)
    cards.remove(present)
    deck: list[int | str] = ["?"] * unknown
    trial: list[int | str] = []
    if present in reference.DEPICTED and stream.random() < 0.6:
        trial, deck = deck[:3], deck[3:]
    for card in (MOON, reference.LIGHTNING):
        if card in cards and stream.random() < 0.5:
            cards.remove(card)
            deck.insert(stream.choice([len(deck), stream.randint(0, len(deck))]), card)
    barred: tuple[tuple[str, tuple[int, ...]], ...] = ()
    if len(trial) == 3 and unknown > 3 and stream.random() < 0.4:
        trial, barred = ["?a"] * 3, (("?a", (stream.choice(pool),)),)
    elif unknown > 3 and stream.random() < 0.3:
        # As left by an avoided trial that was restricted; what is barred must have a place.
        deck = ["?a" if card == "?" and stream.random() < 0.5 else card for card in deck]
        if "?a" in deck and len({*trial, *deck} - set(range(48))) == 2:
            barred = (("?a", (stream.choice(pool),)),)
        else:
            deck = ["?" if card == "?a" else card for card in deck]
    discard = take(stream.choice([0, 0, 1, 1, 2]))
    return Position(
        phase=stream.choice(["start", "act", "act", "acted"]),
        hand=tuple(sorted(hand)),
        present=(*sorted(cards), present),
        trial=tuple(trial),
        deck=tuple(deck),
        unknown=tuple(sorted(pool)),
        discard=tuple(sorted(discard)),
        victory=tuple(sorted(victory)),
        barred=barred,
    )


def in_worlds(position: Position, rules: Rules) -> tuple[reference.Rules, reference.Belief]:
    """Give a position as the reference writes it."""
    instance: dict[str, Any] = {
        "rules": rules.differing(),
        "phase": position.phase,
        "not": dict(position.barred),
    }
    for name in ("hand", "present", "trial", "deck", "unknown", "discard", "victory"):
        instance[name] = list(getattr(position, name))
    return reference.belief_of(instance)


@pytest.fixture(autouse=True)
def _deep_recursion() -> Any:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(("unknown", "count"), [(2, 80), (3, 160), (4, 60)])
def test_values_agree_with_the_reference(unknown: int, count: int) -> None:
    """Also without the canonical form of the keys, and without the bounds of the relaxed game."""
    stream = random.Random(f"values {unknown}")
    between = vague = 0
    states = dict.fromkeys(product((True, False), repeat=2), 0)
    for _ in range(count):
        rules = random_rules(stream)
        position = random_position(stream, unknown, rules)
        worlds = in_worlds(position, rules)
        expected = float(reference.value(*worlds))
        result = evaluate(position, rules)
        vague += not result.exact
        over = reference.is_over(*worlds) is not None
        expected_actions = [] if over else reference.actions(*worlds)
        assert sorted(text(move) for move, _ in result.actions) == sorted(expected_actions)
        for move, (low, high) in result.actions:
            after = reference.apply(*worlds, text(move))
            assert low - 1e-15 <= float(reference.value(worlds[0], after)) <= high + 1e-15
        low, high = result.value
        assert low - 1e-15 <= expected <= high + 1e-15, (position, rules)
        assert result.limit is None
        if not result.exact:
            continue
        for canonical, bounded in states:
            evaluator = Evaluator(rules, canonical=canonical, bounded=bounded)
            value = root_value(evaluator, book.enter(position, rules))
            assert value == pytest.approx((expected, expected), abs=1e-12)
            states[canonical, bounded] += evaluator.states
        between += 0 < expected < 1
    assert between >= count // 10
    assert vague <= count // 10
    assert states[True, True] < states[False, True] < states[False, False]
    assert states[True, True] < states[True, False] < states[False, False]


@pytest.mark.parametrize("zero_hand", ["immediate", "end_of_action"])
def test_an_empty_hand_before_the_start_draw(zero_hand: str) -> None:
    """Lost at once, or judged after the draw, which may be what a lightning asks for again."""
    stream = random.Random(f"empty hand {zero_hand}")
    alive = 0
    for _ in range(120):
        rules = Rules.of({**random_rules(stream).differing(), "zero_hand": zero_hand})
        position = random_position(stream, 3, rules)
        discard = tuple(sorted((*position.discard, *position.hand)))
        position = dataclasses.replace(position, phase="start", hand=(), discard=discard)
        result = evaluate(position, rules)
        low, high = result.value
        expected = float(reference.value(*in_worlds(position, rules)))
        assert low - 1e-15 <= expected <= high + 1e-15
        assert zero_hand == "end_of_action" or expected == high == 0
        alive += expected > 0
    assert (alive > 0) == (zero_hand == "end_of_action")


def root_value(evaluator: Evaluator, words: book.Words) -> tuple[float, float]:
    evaluator.prepare(words)
    value, limit = evaluator.value(words, Limits(), Meter(Limits()))
    assert limit is None
    return value


def test_the_game_without_months_bounds_the_game() -> None:
    """Its values, by counts of cards, are those of a plain recursion over its beliefs, and no less
    than those of the game."""
    stream = random.Random("relaxed")
    higher = 0
    for _ in range(60):
        rules = random_rules(stream)
        words = book.enter(random_position(stream, 2, rules), rules)
        relaxed = Evaluator(rules, monthless=True)
        low, high = root_value(relaxed, words)
        expected = plain_value(relaxed.book, words, {})
        if expected is None:
            continue
        assert (low, high) == pytest.approx((expected, expected), abs=1e-12)
        _, value = root_value(Evaluator(rules), words)
        assert value <= high + 1e-12
        higher += value < high - 1e-9
    assert higher >= 3


def plain_value(
    switches: Any, words: book.Words, known: dict[book.Words, float | None]
) -> float | None:
    """Give the value of a belief by the kernel's steps alone; None if some belief is vague."""
    if words in known:
        return known[words]
    line = np.array([words], np.int64)
    out, weights = np.empty(k.MOST_STEPS, np.int64), np.empty(k.MOST_STEPS)
    phase = words[k.META] & k.PHASE
    value: float | None
    if phase >= k.WON:
        value = float(phase == k.WON)
    elif words[k.META] & k.VAGUE:
        value = None
    else:
        is_chance = phase < k.ACT
        n = k.chances(line, out, weights) if is_chance else k.legal(switches, line, out)
        values = []
        for move in out[:n].tolist():
            after = line.copy()
            k.apply(switches, after, move)
            values.append(plain_value(switches, tuple(after[0].tolist()), known))
        if None in values:
            value = None
        elif is_chance:
            value = sum(p * v for p, v in zip(weights[:n].tolist(), values, strict=True) if v)
        else:
            value = max((v for v in values if v is not None), default=0.0)
    known[words] = value
    return value


def text(move: int) -> str:
    cards = [move >> shift & 63 for shift in (4, 10, 16, 22)]
    codes = [reference.code(card) for card in cards if card != k.NO_CARD]
    return " ".join([KINDS[move & 15], *codes])


@pytest.mark.parametrize("seed", range(40))
def test_games_agree_step_by_step(seed: int) -> None:
    """Decisions, what chance may do and how likely, and the end, along random games."""
    stream = random.Random(f"games {seed}")
    rules = random_rules(stream)
    position = random_position(stream, stream.randint(1, 5), rules)
    their_rules, belief = in_worlds(position, rules)
    line = np.array([book.enter(position, rules)], np.int64)
    switches = book.switches(rules)
    out, weights = np.empty(k.MOST_STEPS, np.int64), np.empty(k.MOST_STEPS)
    while True:
        phase = int(line[0, k.META]) & k.PHASE
        moves = out[: k.legal(switches, line, out)].tolist()
        over = reference.is_over(their_rules, belief)
        if over is not None:
            # A player who cannot act has lost there and is about to here.
            assert (phase == k.WON) == over
            assert not moves
            return
        expected = reference.actions(their_rules, belief)
        assert sorted(map(text, moves)) == sorted(expected)
        if expected:
            move = stream.choice(moves)
            belief = reference.apply(their_rules, belief, text(move))
        else:
            count = k.chances(line, out, weights)
            outcomes = reference.step(their_rules, belief, None)
            theirs = {parse(name.split()[-1]): (p, after) for p, name, after in outcomes}
            ours = dict(
                zip([m >> 4 & 63 for m in out[:count].tolist()], weights[:count], strict=True)
            )
            assert ours.keys() == theirs.keys()
            for card, chance in ours.items():
                assert chance == pytest.approx(float(theirs[card][0]), abs=1e-12)
            card = stream.choice(sorted(ours))
            move, belief = k.one(k.UNCOVER, card), theirs[card][1]
        k.apply(switches, line, move)


@pytest.mark.parametrize("animal_cards", ["depicted", "tane"])
def test_deals_agree_with_the_reference(animal_cards: Any) -> None:
    for seed in range(100):
        position = deal_seed(seed, Rules(animal_cards=animal_cards))
        table = reference.deal(seed, reference.Rules(animal_cards=animal_cards))
        assert position.hand == tuple(sorted(table.hand))
        assert position.present == (table.present,)
        assert position.deck == table.deck
        assert len(position.deck) == 42


def test_a_limit_proves_nothing() -> None:
    stream = random.Random("limits")
    position = random_position(stream, 8, Rules())
    result = evaluate(position, Rules(), Limits(nodes=5))
    assert (result.value, result.exact, result.limit) == ((0.0, 1.0), False, "nodes")
    assert result.nodes <= 5


def test_how_the_work_is_sliced_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the search of the relaxed game is stopped in the middle."""
    stream = random.Random("slices")
    positions = [random_position(stream, 4, Rules()) for _ in range(30)]

    def results() -> list[Result]:
        evaluator = Evaluator(Rules())
        found = (evaluator.evaluate(book.enter(p, Rules()), Limits(nodes=3000)) for p in positions)
        return [dataclasses.replace(result, seconds=0.0) for result in found]

    expected = results()
    assert max(result.nodes for result in expected) > 1000
    monkeypatch.setattr(Meter, "_SLICE_SECONDS", 0.0)
    for first in (1, 7, 100):
        monkeypatch.setattr(Meter, "_FIRST_SLICE", first)
        assert results() == expected


def test_rounding_is_far_below_any_chance() -> None:
    assert ROUNDING < 1e-11
