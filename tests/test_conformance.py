"""What every game promises its users, tested in the same way for each; then what only one has."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pickle
import random
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hanasolve
from hanasolve.cards import CODES
from hanasolve.games import GAMES, room
from hanasolve.solitaire2.move import Move
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State
from tests.reference import solitaire2 as reference

SEEDS = range(4)
STEPS = 60
MOST_STATES = 200
MOST_REACHED = 100

# Rules besides the presets, for games whose presets do not show what the switches do.
MORE_RULES: dict[str, list[dict[str, Any]]] = {
    "treasures": [
        {"covered_trial": "merge", "kill_pick": "look", "reshuffle_moon": "stays_bottom"},
        {"blue_source": "hand", "end_redraw": "always", "lightning_redraw": True},
        {"zero_hand": "end_of_action", "win_check": "before_redraw", "animal_cards": "tane"},
        {"red_animal_trial": False, "turn_end": "ending_action_only"},
    ],
    "tamaki": [
        {"two_player_rest": "play_out", "capture": "optional"},
        {"hand_three": "off", "yaku_payment": "per_player"},
    ],
}

# Deals besides those of one seed under each of these rules.
MORE_DEALS: dict[str, list[dict[str, Any]]] = {
    "tamaki": [{"players": players, "leader": players - 2} for players in range(3, 8)]
}

# So many moves in a row, of which some can be made in another order with the same outcome.
TO_MEET = {"tamaki": 4}

# Rules under which no walk that avoids positions seen before can go on for ever, if not the base.
ENDING_RULES = {"solitaire2": "rule123"}

NONSENSE = [
    "",
    " ",
    "\n",
    "\0",
    "no move",
    "99-99",
    "-",
    "0",
    "01a",
    "draw draw",
    "draw ",
    " draw",
    "DRAW",
    "drаw",
    "\N{ARABIC-INDIC DIGIT ONE}-F",
    "\ud800",
    "x" * 100_000,
]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def presets(game: str) -> list[str]:
    return list(room(game, "rules").PRESETS)


def starts(game: str) -> Iterator[Any]:
    """Give deals under several rules; with cards unknown as well, where states can have such."""
    for seed, rules in enumerate(
        [*({"preset": name} for name in presets(game)), *MORE_RULES.get(game, [])]
    ):
        state = hanasolve.deal(game, seed=seed, rules=rules)
        yield state
        if state.takes_unknown:
            yield type(state)(state.position.as_seen(state.rules), state.rules)
    for seed, seated in enumerate(MORE_DEALS.get(game, [])):
        yield hanasolve.deal(game, seed=seed, **seated)


def walk(start: Any, seed: int, steps: int = STEPS) -> Iterator[Any]:
    """Give the states of a random game, the first one included."""
    uniform = random.Random(f"walk {seed}").random
    state = start
    yield state
    for _ in range(steps):
        moves = state.legal_moves()
        if not moves:
            return
        state = state.apply(moves[math.floor(uniform() * len(moves))])
        yield state


def walks(game: str) -> Iterator[Any]:
    """Give the states of a random game from every start."""
    for seed, start in enumerate(starts(game)):
        yield from walk(start, seed)


def position_of(state: Any) -> Any:
    """Give the position of a state; None in the middle of something that no file can hold."""
    try:
        return state.position
    except hanasolve.HanasolveError:
        return None


def content(state: Any) -> tuple[Any, ...]:
    """Give what a state must keep: position, rules and the moves that follow from both."""
    return position_of(state), state.rules, [str(move) for move in state.legal_moves()]


def assert_same(one: Any, other: Any) -> None:
    assert one is not other
    assert one == other
    assert not one != other  # noqa: SIM202
    assert hash(one) == hash(other)
    assert content(one) == content(other)


# Deals


def test_a_seed_gives_the_same_deal(game: str) -> None:
    for seed in SEEDS:
        assert_same(hanasolve.deal(game, seed=seed), hanasolve.deal(game, seed=seed))


def test_seeds_give_different_deals(game: str) -> None:
    states = [hanasolve.deal(game, seed=seed) for seed in range(50)]
    assert len(set(states)) == 50
    assert len({state.position for state in states}) == 50


def test_the_default_seed_is_0(game: str) -> None:
    assert_same(hanasolve.deal(game), hanasolve.deal(game, seed=0))


def test_rules_by_name_and_by_switches(game: str) -> None:
    for name in presets(game):
        rules = room(game, "rules").Rules.of(name)
        by_name = hanasolve.deal(game, seed=1, rules=name)
        assert by_name.rules == rules
        assert_same(by_name, hanasolve.deal(game, seed=1, rules=rules.as_dict()))


@pytest.mark.parametrize("rules", ["no such rules", {"no such switch": 1}])
def test_unknown_rules(game: str, rules: Any) -> None:
    with pytest.raises(hanasolve.RulesError):
        hanasolve.deal(game, rules=rules)


def test_unknown_game() -> None:
    with pytest.raises(hanasolve.HanasolveError, match="poker"):
        hanasolve.deal("poker")


# Moves


def test_legal_moves_are_distinct(game: str) -> None:
    for state in walks(game):
        moves = state.legal_moves()
        assert len(set(moves)) == len(moves)
        assert len({str(move) for move in moves}) == len(moves)
        assert state.legal_moves() == moves


def test_moves_parse_back(game: str) -> None:
    parse = room(game, "state").Move.parse
    for state in walks(game):
        for move in state.legal_moves():
            assert parse(str(move)) == move
            assert hash(parse(str(move))) == hash(move)


def test_apply_leaves_the_old_state_alone(game: str) -> None:
    for state in walks(game):
        before, mark = copy.deepcopy(content(state)), hash(state)
        for move in state.legal_moves():
            after = state.apply(move)
            assert after != state
            assert content(state) == before
            assert hash(state) == mark


def test_apply_is_deterministic(game: str) -> None:
    for state in walks(game):
        for move in state.legal_moves():
            assert_same(state.apply(move), state.apply(str(move)))


def test_nonsense_is_refused(game: str) -> None:
    parse = room(game, "state").Move.parse
    states = [*walk(hanasolve.deal(game, seed=1), 1, steps=5)]
    for text in NONSENSE:
        with pytest.raises(hanasolve.MoveError) as caught:
            parse(text)
        assert isinstance(caught.value, ValueError)
        assert len(str(caught.value)) < 300
        for state in states:
            before = content(state)
            with pytest.raises(hanasolve.MoveError):
                state.apply(text)
            assert content(state) == before


def test_what_is_legal_elsewhere_is_refused(game: str) -> None:
    """A move that was legal in some position is refused where it is not among the legal ones."""
    states = [*walk(hanasolve.deal(game, seed=2), 2, steps=40)]
    moves = {move for state in states for move in state.legal_moves()}
    refused = 0
    for state in states:
        for move in moves.difference(state.legal_moves()):
            for form in (move, str(move)):
                with pytest.raises(hanasolve.MoveError):
                    state.apply(form)
            refused += 1
    assert refused > 0


# Equality


def test_equal_by_content(game: str) -> None:
    """A state made afresh from what lies where is the same state."""
    made = 0
    for state in walks(game):
        position = position_of(state)
        if position is not None:
            assert_same(state, type(state)(position, state.rules))
            made += 1
    assert made > 20


def test_equal_when_reached_by_different_paths(game: str) -> None:
    """States after so many moves are equal just when the same cards lie in the same places."""
    met = 0
    for state in itertools.islice(walks(game), MOST_STATES):
        reached: list[Any] = [state]
        for _ in range(TO_MEET.get(game, 2)):
            after = (one.apply(move) for one in reached for move in one.legal_moves())
            reached = [*itertools.islice(after, MOST_REACHED)]
        first: dict[Any, Any] = {}
        for one in reached:
            position = position_of(one)
            if position is None:
                continue
            if position in first:
                assert_same(first[position], one)
                met += 1
            first[position] = one
        assert len({*first.values()}) == len(first)
    assert met > 0


def test_different_rules_differ(game: str) -> None:
    states = {hanasolve.deal(game, seed=1, rules=rules) for rules in presets(game)}
    assert len(states) == len(presets(game))


def test_never_equal_to_something_else(game: str) -> None:
    state = hanasolve.deal(game)
    others: list[object] = [None, 0, "", state.position, state.rules, content(state)]
    for other in others:
        assert state != other
        assert not state == other  # noqa: SIM201


def test_save_and_load(game: str, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    savable = (state for state in walks(game) if position_of(state) is not None)
    for state in itertools.islice(savable, 0, None, 7):
        hanasolve.save(state, path)
        assert_same(hanasolve.load(path), state)
        assert_same(hanasolve.load(str(path)), state)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(game: str, protocol: int) -> None:
    for state in itertools.islice(walks(game), 0, None, 7):
        again = pickle.loads(pickle.dumps(state, protocol))
        assert_same(again, state)
        for move in state.legal_moves():
            assert_same(again.apply(move), state.apply(move))
            assert pickle.loads(pickle.dumps(move, protocol)) == move


def test_copies(game: str) -> None:
    state = hanasolve.deal(game, seed=1)
    for again in (copy.copy(state), copy.deepcopy(state)):
        assert again == state
        assert hash(again) == hash(state)
        assert content(again) == content(state)


# Counting, and the end


def test_perft(game: str) -> None:
    for state in walks(game):
        moves = state.legal_moves()
        assert state.perft(0) == 1
        assert state.perft(1) == len(moves)
        assert state.perft(2) == sum(len(state.apply(move).legal_moves()) for move in moves)


def test_chance(game: str) -> None:
    """What chance may do is all that can happen then, and one of it does."""
    asked = 0
    for state in walks(game):
        if getattr(state, "is_chance", False):
            moves, chances = zip(*state.outcomes(), strict=True)
            assert moves == state.legal_moves()
            assert sum(chances) == 1
            assert min(chances) > 0
            asked += 1
    assert asked > 0 or not hasattr(type(state), "is_chance")


def test_a_game_ends(game: str) -> None:
    """A walk that never comes back to a position ends, and nothing follows a won position."""
    uniform = random.Random("end").random
    state = hanasolve.deal(game, seed=1, rules=ENDING_RULES.get(game))
    seen = {state}
    for _ in range(5000):
        fresh = [after for after in map(state.apply, state.legal_moves()) if after not in seen]
        if not fresh:
            break
        state = fresh[math.floor(uniform() * len(fresh))]
        seen.add(state)
    else:
        pytest.fail("the game goes on and on")
    is_at_end = state.is_over if hasattr(state, "is_over") else state.is_won
    assert not (is_at_end and state.legal_moves())


def test_repr_is_a_short_line(game: str) -> None:
    for state in walks(game):
        assert repr(state).isprintable()
        assert len(repr(state)) < 500


# Hanafuda Solitaire #2


def fisher_yates(seed: int) -> list[int]:
    """Shuffle 0..47 as the interface tells, written once more."""
    stream = random.Random(seed)
    deck = [*range(48)]
    i = 47
    while i >= 1:
        j = math.floor(stream.random() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
        i -= 1
    return deck


@pytest.mark.parametrize("seed", [0, 1, 2, 10**18 - 1])
def test_solitaire2_deal_of_a_seed(seed: int) -> None:
    deck = fisher_yates(seed)
    tableau = hanasolve.deal("solitaire2", seed=seed).position
    columns: list[list[int]] = [[] for _ in range(6)]
    stock = iter(deck)
    for row in range(6):
        for column in range(row, 6):
            columns[column].append(next(stock))
    assert [[*down, *up] for down, up in zip(tableau.down, tableau.up, strict=True)] == columns
    assert [len(up) for up in tableau.up] == [1] * 6
    assert [*tableau.stock] == [*stock]
    assert (tableau.waste, tableau.foundations, tableau.turns) == ((), ((),) * 4, 0)
    assert_same(State.deal(deck), hanasolve.deal("solitaire2", seed=seed))


def notation() -> list[str]:
    """Give every text of the notation, and some that are nearly of it."""
    ups = [f"{source}-F{pile}" for source in "W123456" for pile in ("", *"1234")]
    columns = [f"W-{column}" for column in range(1, 7)]
    runs = [
        f"{one}-{two}x{count}"
        for one in range(1, 7)
        for two in range(1, 7)
        for count in range(1, 13)
    ]
    returns = [f"F{pile}-{column}" for pile in range(1, 5) for column in range(1, 7)]
    near = [
        "W", "F", "W-", "-F", "W-W", "W-F0", "W-F5", "W-F11", "W-0", "W-7", "W-1x1", "0-F", "7-F",
        "1-2", "1-2x", "1-2x0", "1-2x13", "1-2x01", "1-2x1 ", "1-2X1", "1-7x1", "F1-F2", "F0-1",
        "F5-1", "F1-1x1", "w-f", "1-f", "W–F", "1-2×1", "draw1", "turn\n", "1-F\n", "stock",
        "\uff11-F",
    ]  # fmt: skip
    return ["draw", "turn", *ups, *columns, *runs, *returns, *near]


VARIANTS = [
    {},
    {"foundation_suits": "by_class", "foundation_order": "sequential", "max_passes": 2},
    {"foundation_return": True, "run_moves": "any_suffix", "draw_count": 1},
    {
        "foundation_suits": "by_class",
        "nonpoint_piles": "interchangeable",
        "point_scale": "hawaii",
        "tableau_step": "any_earlier",
        "empty_column": "any",
    },
]


def of_reference(state: State) -> tuple[reference.Rules, reference.Position]:
    """Give the same rules and position as the reference writes them."""
    here = dataclasses.asdict(state.position)
    return reference.Rules(**dataclasses.asdict(state.rules)), reference.Position(**here)


@pytest.mark.parametrize("rules", VARIANTS)
def test_solitaire2_every_text_is_legal_as_the_reference_says(rules: dict[str, Any]) -> None:
    """Also piles may be named where that makes no difference, and nothing else is let through."""
    texts = notation()
    start = State.deal(seed=3, rules=Rules.of(rules))
    for state in itertools.islice(walk(start, 3, steps=120), 0, None, 12):
        its_rules, position = of_reference(state)
        for text in texts:
            try:
                after = reference.apply(its_rules, position, text)
            except ValueError:
                with pytest.raises(hanasolve.MoveError):
                    state.apply(text)
            else:
                assert of_reference(state.apply(text)) == (its_rules, after)


HAND_MADE = [
    Move("column", "column", 2, 21),
    Move("column", "column", 2, 5, 17),
    Move("column", "column", 18, 5, 1),
    Move("column", "column", 8, 5, 1),
    Move("column", "column", -2, 5, 1),
    Move("column", "pile", 7, 2),
    Move("waste", "pile", 0, -3),
    Move("stock", "pile"),
    Move("nowhere"),
]


@pytest.mark.parametrize("move", HAND_MADE, ids=repr)
def test_solitaire2_hand_made_nonsense_is_refused(move: Move) -> None:
    """None of these is in the notation, so none can be legal; 2-5x1 and a draw are."""
    dealt = State.deal(seed=1)
    assert {"draw", "2-5x1"} <= {str(legal) for legal in dealt.legal_moves()}
    stock = tuple(card for card in range(1, 48) if card != 44)
    piles, up = ((0,), (), (), ()), ((44,), (), (), (), (), ())
    begun = State(room("solitaire2", "position").Position(up=up, foundations=piles, stock=stock))
    for state in (dealt, begun):
        with pytest.raises(hanasolve.MoveError):
            state.apply(move)


def test_solitaire2_states_can_be_asked_from_several_threads() -> None:
    """States are immutable, and two of one game must not disturb each other."""
    one = State.deal(seed=1)
    two = one.apply("draw").apply("draw")
    expected = [(state, state.legal_moves()) for state in (one, two)]
    wrong: list[State] = []

    def ask(state: State, moves: tuple[Move, ...]) -> None:
        wrong.extend(state for _ in range(10_000) if state.legal_moves() != moves)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask, args=pair) for pair in expected]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


def test_solitaire2_a_solution_wins_and_ends_the_game() -> None:
    state = hanasolve.deal("solitaire2", seed=1)
    result = hanasolve.solve(state)
    assert result.status is hanasolve.Status.SOLVED
    rules, position = of_reference(state)
    for move in result.moves:
        assert not state.is_won
        state = state.apply(move)
        position = reference.apply(rules, position, str(move))
    assert state.is_won
    assert state.legal_moves() == ()
    assert state.perft(1) == 0
    assert reference.is_won(position)
    assert of_reference(state) == (rules, position)


def test_solitaire2_a_state_cannot_be_changed() -> None:
    state = State.deal(seed=1)
    for name in ("rules", "position", "_words", "new"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    assert state == State.deal(seed=1)


def test_solitaire2_a_move_after_the_end_is_refused() -> None:
    piles = tuple(tuple(range(k, 48, 4)) for k in range(4))
    position = room("solitaire2", "position").Position(foundations=piles)
    for rules in (Rules(), Rules(foundation_return=True)):
        state = State(position, rules)
        assert state.is_won
        for move in ("draw", "turn", "W-F", "1-F", "F1-1", "F4-6"):
            with pytest.raises(hanasolve.MoveError, match="none"):
                state.apply(move)


@pytest.mark.parametrize(
    "deck",
    [[], range(47), range(49), [*range(47), 0], [*range(1, 49)], [*range(-1, 47)], CODES],
    ids=["none", "47", "49", "double", "48", "-1", "codes"],
)
def test_solitaire2_no_deck(deck: Any) -> None:
    with pytest.raises(hanasolve.HanasolveError):
        State.deal(deck)
