"""Three Treasures as it is played: states, counts, whole games and their records, and the referee.

All is compared with the reference, which knows where every card lies and every world that can be.
"""

from __future__ import annotations

import dataclasses
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import hanasolve
from hanasolve.cards import CODES, shuffle, uniform_stream
from hanasolve.document import Place
from hanasolve.errors import HanasolveError, InstanceError, MoveError
from hanasolve.record import Verdict
from hanasolve.treasures.game import Game, deal_game, play
from hanasolve.treasures.move import CHANCE, Move
from hanasolve.treasures.position import Position, deal, deal_seed
from hanasolve.treasures.rules import LIGHTNING, MOON, Rules
from hanasolve.treasures.state import State
from hanasolve.treasures.verify import verify
from tests.reference import treasures as reference
from tests.test_treasures import in_worlds, random_position, random_rules

# States


def some_state(stream: random.Random, most_unknown: int = 5) -> State:
    """Give a small position under some rules, one that files can hold."""
    while True:
        rules = random_rules(stream)
        position = random_position(stream, stream.randint(1, most_unknown), rules)
        try:
            return State(position, rules)
        except InstanceError:
            continue


def saved(state: State) -> Position | None:
    try:
        return state.position
    except HanasolveError:
        return None


@pytest.mark.parametrize("seed", range(60))
def test_states_agree_with_the_reference(seed: int) -> None:
    """Along random games: what can happen and how likely, what is known, and the end."""
    stream = random.Random(f"states {seed}")
    state = some_state(stream)
    start = saved(state)
    if start is None:
        assert state.is_lost
        return
    rules, belief = in_worlds(start, state.rules)
    while True:
        over = reference.is_over(rules, belief)
        assert state.is_over == (over is not None)
        assert (state.is_won, state.is_lost) == (over == 1, over == 0)
        if over is not None:
            return
        assert state.hand == tuple(sorted(belief.hand))
        assert state.present[-1] == belief.present
        assert set(state.victory) == belief.victory
        expected = [*reference.actions(rules, belief), *reference.observations(belief)]
        assert sorted(map(str, state.legal_moves())) == sorted(expected)
        chances = {name: p for p, name, _ in reference.chance(rules, belief)}
        assert state.is_chance == bool(chances)
        assert {str(move): chance for move, chance in state.outcomes()} == chances
        assert all(move.is_chance for move, _ in state.outcomes())
        position = saved(state)
        if position is not None:
            _, read = in_worlds(position, state.rules)
            assert read.worlds == belief.worlds
            assert (read.phase, read.discard) == (belief.phase, belief.discard)
            assert State(position, state.rules) == state
        move = stream.choice(state.legal_moves())
        state = state.apply(str(move))
        if move.is_chance:
            outcomes = reference.step(rules, belief, None)
            (belief,) = [after for _, name, after in outcomes if name == str(move)]
        else:
            belief = reference.apply(rules, belief, str(move))


@pytest.mark.parametrize("seed", range(12))
def test_perft_agrees_with_the_reference(seed: int) -> None:
    stream = random.Random(f"perft {seed}")
    state = some_state(stream, 4)
    if state.is_over:
        return
    rules, belief = in_worlds(state.position, state.rules)
    for depth in range(5):
        assert state.perft(depth) == reference.perft(rules, belief, depth)


def test_perft_of_deals_agrees_with_the_reference() -> None:
    """With all cards known, as far as no deck of a fresh game is shuffled."""
    for seed in range(3):
        state = State.deal(seed=seed)
        belief = reference.known_belief(reference.Rules(), reference.deal(seed, reference.Rules()))
        for depth in range(3):
            assert state.perft(depth) == reference.perft(reference.Rules(), belief, depth)


def test_a_depth_below_0_is_refused() -> None:
    with pytest.raises(HanasolveError, match="from 0"):
        State.deal().perft(-1)


def test_no_position_in_the_middle_of_an_action(tmp_path: Any) -> None:
    state = play_until(State(SMALL), "red-draw 02b")
    assert state.phase == "red draw"
    with pytest.raises(HanasolveError, match="only when a start draw or an action is due"):
        _ = state.position
    with pytest.raises(HanasolveError):
        hanasolve.save(state, tmp_path / "a.json")
    assert pickle.loads(pickle.dumps(state)) == state


def test_a_state_cannot_be_changed() -> None:
    state = State.deal(seed=1)
    for name in ("rules", "words", "new"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)


def test_a_state_refuses_what_files_refuse() -> None:
    position = deal_seed(1, Rules())
    for wrong in (
        dataclasses.replace(position, hand=()),
        dataclasses.replace(position, hand=(*position.hand, position.present[0])),
        dataclasses.replace(position, deck=("?", *position.deck[1:])),
        dataclasses.replace(position, present=()),
    ):
        with pytest.raises(InstanceError):
            State(wrong)


def test_what_is_illegal_is_told_in_one_line() -> None:
    state = State.deal(seed=3).apply("draw 11d")
    with pytest.raises(MoveError, match=r"^end is not legal here; legal moves: penalty deck$"):
        state.apply("end")
    state = State(SMALL)
    with pytest.raises(MoveError) as caught:
        state.apply("wander 12d")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def play_until(state: State, *moves: str) -> State:
    for move in moves:
        state = state.apply(move)
    return state


# Moves

NOTATION = {
    "red-draw": 1, "dispel": 1, "avoid": 1, "kill": 1, "wander": 1, "keep": 1, "present": 1,
    "penalty blue": 1, "take": 1, "draw": 1, "pick": 1, "starve": 2, "end": 0, "penalty deck": 0,
}  # fmt: skip
MANY = {"blue": (2, 3, 4), "trial": (1, 3), "shuffle": range(1, 48)}


def test_notation() -> None:
    """Every verb takes its number of cards and no other one; there is one way to write a move."""
    counts = {**{verb: (count,) for verb, count in NOTATION.items()}, **MANY}
    for verb, allowed in counts.items():
        for count in range(50):
            text = " ".join([verb, *CODES[:count]])
            if count in allowed:
                move = Move.parse(text)
                assert move == Move(verb, tuple(range(count)))
                assert str(move) == text
                assert move.is_chance == (verb in CHANCE)
            else:
                with pytest.raises(MoveError):
                    Move.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "wander 6c", "wander  06c", "wander 06c ", " wander 06c", "wander\t06c", "Wander 06c",
        "wander 06C", "wander 13a", "starve 06c 06c", "penalty", "penalty 06b", "penalty red 06b",
        "penalty blue", "blue 06b", "red draw 03b", "red-draw", "trial 01a 02b", "shuffle", "kill",
        "end 01a", "wander 06c\n",
    ],
)  # fmt: skip
def test_no_move(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        Move.parse(text)
    assert str(caught.value).isprintable()


def test_a_near_word_is_named() -> None:
    with pytest.raises(MoveError, match="did you mean wander"):
        Move.parse("wonder 06c")


# What a player sees


def test_a_fresh_deal_as_seen() -> None:
    """Hand and present, and that the moon is at the bottom; all else is unknown."""
    for seed in range(50):
        dealt = deal_seed(seed, Rules())
        seen = dealt.as_seen(Rules())
        assert (seen.hand, seen.present, seen.trial) == (dealt.hand, dealt.present, ())
        assert seen.deck == ("?",) * 41 + (MOON,)
        assert set(seen.unknown) == set(dealt.deck) - {MOON}
        assert seen.as_seen(Rules()) is seen
        assert State(seen).is_chance


@pytest.mark.parametrize(
    ("deck", "rules", "seen"),
    [
        ([0, LIGHTNING, MOON], {}, ["?", "?", MOON]),
        ([0, MOON, LIGHTNING], {}, ["?", MOON, LIGHTNING]),
        ([0, MOON, 1, LIGHTNING], {}, ["?", "?", "?", "?"]),
        ([0, 1, LIGHTNING], {}, ["?", "?", "?"]),
        ([0, MOON, 1, 2], {"reshuffle_moon": "stays_bottom"}, ["?", MOON, "?", "?"]),
        ([MOON], {}, [MOON]),
        ([], {}, []),
    ],
)
def test_what_is_known_of_a_deck(deck: list[int], rules: Any, seen: list[Any]) -> None:
    position = Position(deck=tuple(deck)).as_seen(Rules(**rules))
    assert position.deck == tuple(seen)
    hidden = [card for card, place in zip(deck, seen, strict=True) if place == "?"]
    assert position.unknown == tuple(sorted(hidden))


# Whole games


def sometimes_sensible(stream: random.Random) -> Callable[[State], Move]:
    """Give a policy: random, but no starving, so that games last and some are won."""

    def policy(view: State) -> Move:
        assert not view.is_chance
        moves = [move for move in view.legal_moves() if move.verb != "starve"]
        return stream.choice(moves or view.legal_moves())

    return policy


def games(seeds: range) -> Iterator[tuple[State, Game, list[str]]]:
    """Play deals under random rules; gives the start, the end and the record."""
    for seed in seeds:
        stream = random.Random(f"game {seed}")
        game, uniform = deal_game(seed, random_rules(stream))
        end, events = play(game, sometimes_sensible(stream), uniform)
        yield game.truth, end, events


class BrokenError(Exception):
    """An event that the reference has not."""


def replay(start: State, events: list[str]) -> int | None:
    """Let the reference replay a record; gives the first event that is wrong, None if it wins.

    It plays in a single world. Where it would go through all orders of a deck, it is given the one
    that the record tells.
    """
    rules = reference.Rules(**start.rules.as_dict())  # type: ignore[arg-type]
    _, belief = in_worlds(start.position, start.rules)
    told = iter(enumerate([*events, ""]))
    index, event = next(told)

    def forward() -> None:
        nonlocal index, event
        index, event = next(told, (len(events), ""))

    def one_order(_: Any, cards: Any) -> list[tuple[int, ...]]:
        """Give the order of the event after this one, if a shuffle changes anything."""
        deck = sorted(cards)
        stays = rules.reshuffle_moon == "stays_bottom" and MOON in deck
        open_cards = [card for card in deck if not (stays and card == MOON)]
        if not open_cards:
            return [tuple(deck)]
        shuffles.append((deck, stays))
        following = events[index + 1] if index + 1 < len(events) else ""
        verb, *codes = following.split(" ")
        order = tuple(CODES.index(code) for code in codes if code in CODES)
        right = verb == "shuffle" and sorted(order) == deck and (order[-1] == MOON or not stays)
        return [order if right else (*open_cards, *[MOON] * stays)]

    def make(name: str) -> None:
        nonlocal belief
        if name in reference.actions(rules, belief):
            belief = reference.apply(rules, belief, name)
            return
        if belief.phase not in ("start", "end draw", "red draw", "pick"):
            raise BrokenError
        verb, look, then = reference.CHANCE[belief.phase]
        for _, card, after in reference.show(belief, look):
            if name == f"{verb} {CODES[card]}":
                belief = then(rules, after, card)
                return
        raise BrokenError

    shuffles: list[tuple[list[int], bool]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "orders", one_order)
        while index < len(events):
            before = belief.worlds[0][0].deck
            try:
                make(event)
            except BrokenError:
                return index
            while belief.phase in ("penalty draw", "cover", "look"):
                ((_, _, belief),) = reference.chance(rules, belief)
            forward()
            over = reference.is_over(rules, belief) is not None
            if shuffles:
                deck, stays = shuffles.pop()
                verb, *codes = event.split(" ")
                if verb == "shuffle":
                    order = [CODES.index(code) for code in codes]
                    if sorted(order) != deck or (stays and order[-1] != MOON):
                        return index
                    forward()
                elif not over:
                    return index
                continue
            formed = [CODES[card] for card in belief.worlds[0][0].trial if card in before]
            if formed:
                if event == " ".join(["trial", *formed]):
                    forward()
                elif event or not over:
                    return index
    return None if reference.is_over(rules, belief) == 1 else len(events)


def verdict(start: State, events: list[str]) -> Verdict:
    return verify(start, Place({"events": events}))


def test_games_and_their_records_agree_with_the_reference() -> None:
    verbs, won = set(), 0
    for start, end, events in games(range(150)):
        assert end.is_over
        wrong = replay(start, events)
        assert wrong == (None if end.is_won else len(events))
        judged = verdict(start, events)
        assert (judged.valid, judged.failed_at) == (wrong is None, wrong)
        assert (judged.reason is None) == judged.valid
        won += end.is_won
        verbs |= {event.rpartition(" ")[0].split(" ")[0] for event in events}
    assert won > 5
    assert verbs >= {"draw", "trial", "pick", "shuffle", "blue", "kill", "dispel", "take"}


def changed(events: list[str], at: int, stream: random.Random) -> Iterator[list[str]]:
    """Give records in which something is wrong, or at least different, at an event."""
    before, event, after = events[:at], events[at], events[at + 1 :]
    verb, *codes = event.split(" ")
    yield [*before, *after]
    yield [*before, event, event, *after]
    yield [*before, *after[:1], event, *after[1:]]
    yield [*before, event]
    for other in ("end", "draw 08a", "trial 01b 01c 01d", "pick 01c", "shuffle 01b", "nonsense"):
        yield [*before, other, *after]
    if len(codes) > 1:
        mixed = stream.sample(codes, len(codes))
        yield [*before, " ".join([verb, *mixed]), *after]
        yield [*before, " ".join([verb, *codes[:-1]]), *after]
        yield [*before, " ".join([verb, *codes, "01a"]), *after]


def test_the_referee_agrees_with_the_reference_on_broken_records() -> None:
    stream = random.Random("broken")
    wins = [(start, events) for start, end, events in games(range(150)) if end.is_won]
    kinds, broken = set(), 0
    for start, events in wins[:5]:
        shuffles = [n for n, event in enumerate(events) if event.startswith("shuffle")]
        for at in {*range(0, len(events), 7), *shuffles, len(events) - 1}:
            for record in changed(events, at, stream):
                wrong = replay(start, record)
                judged = verdict(start, record)
                assert (judged.valid, judged.failed_at) == (wrong is None, wrong), record
                if wrong is not None:
                    broken += 1
                    kinds.add(record[wrong].split(" ")[0] if wrong < len(record) else "")
    assert broken > 300
    assert kinds >= {"", "draw", "trial", "shuffle", "end", "nonsense"}


def test_what_a_player_knows_is_true() -> None:
    """At every event: the view has the same hand and choices, and what it knows lies so."""
    for seed in range(60):
        stream = random.Random(f"view {seed}")
        game, uniform = deal_game(seed, random_rules(stream))
        policy = sometimes_sensible(stream)
        while not game.is_over:
            truth, view = game.truth, game.view
            assert (truth.phase, truth.hand, truth.present) == (view.phase, view.hand, view.present)
            assert (truth.victory, len(truth.deck)) == (view.victory, len(view.deck))
            if not truth.is_chance:
                assert set(truth.legal_moves()) == set(view.legal_moves())
            position = saved(view)
            barred = dict(position.barred) if position else {}
            piles = zip((*truth.deck, *truth.trial), (*view.deck, *view.trial), strict=True)
            for card, place in piles:
                assert isinstance(place, str) or card == place or game.mixed
                assert card not in barred.get(str(place), ())
            game = game.apply(game.chance(uniform) or policy(view))
        assert game.view.is_won == game.is_won


def test_a_seed_gives_the_same_game() -> None:
    one, two = (list(games(range(5))) for _ in range(2))
    assert [events for _, _, events in one] == [events for _, _, events in two]


def test_later_shuffles_go_on_with_the_stream_of_the_deal() -> None:
    """The deck as it lies, then the cards that join it; the moon apart if it stays last."""
    shuffled = 0
    for seed in range(60):
        stream = random.Random(f"stream {seed}")
        rules = random_rules(stream)
        game, uniform = deal_game(seed, rules)
        again = uniform_stream(seed)
        deal(again, rules)
        policy = sometimes_sensible(stream)
        while not game.is_over:
            before, mixed = game.truth, bool(game.mixed)
            event = game.chance(uniform) or policy(game.view)
            picks = game.chance(lambda: 0.0) is not None and before.phase == "pick" and not mixed
            if picks:
                assert event.cards == (before.trial[int(again() * len(before.trial))],)
            if mixed:
                cards = shuffle([*game.mixed], again)
                moon = [MOON] if MOON in before.deck else []
                assert event == Move("shuffle", (*cards, *moon))
                shuffled += 1
            deck = before.deck
            game = game.apply(event)
            if game.mixed:
                joined = sorted({*game.mixed} - {*deck})
                stays = rules.reshuffle_moon == "stays_bottom"
                lay = [card for card in deck if not (stays and card == MOON)]
                assert [*game.mixed] == [*lay, *joined]
    assert shuffled > 10


# Records, one fault after another

# Hand 02b 06c, an animal with the trial 07d 02c 05a, deck 09a 03c 08a. Two treasures are missing.
SMALL = Position(
    phase="act",
    hand=(5, 22),
    present=(*(c for c in range(48) if c not in {5, 22, 12, 27, 6, 16, 32, 10, 28, 8, 40}), 12),
    trial=(27, 6, 16),
    deck=(32, 10, 28),
    victory=(8,),
)


@pytest.mark.parametrize(
    ("events", "failed_at", "reason"),
    [
        ([], 0, "the game is not won: it is not over"),
        (["kill 02b"], 1, "it is not over"),
        (["starve 02b 06c"], 1, "the game is not won: it is lost"),
        (["starve 02b 06c", "draw 09a"], 1, "draw 09a is not legal here; legal moves: none"),
        (["kill 06c"], 0, "kill 06c is not legal here; legal moves: red-draw 02b, avoid 02b"),
        (["draw 09a"], 0, "draw 09a is not legal here"),
        (["avoid 06c", "draw 03c"], 1, "draw 03c is not legal here; legal moves: draw 09a"),
        (["avoid 06c", "end"], 1, "end is not legal here; legal moves: draw 09a"),
        (["kill 02b", "pick 09a"], 1, "legal moves: pick 02c, pick 05a, pick 07d"),
        (["kill 02b", "pick 05a", "draw 09a"], 2, "so shuffle and its 5 cards are due"),
        (["kill 02b", "pick 05a", "shuffle 09a 07d 02c"], 2, "has 5 cards, and 3 are named"),
        (["kill 02b", "pick 05a", "shuffle 09a 07d 02c 03c 04a"], 2, "04a cannot be card 5"),
        (["kill 02b", "pick 05a", "shuffle 09a 07d 02c 03c 03c"], 2, "different cards"),
        (["kill 02b", "pick 05a", "shuffle 02c 07d 09a 03c 08a", "draw 09a"], 3, "draw 02c"),
        (["nonsense"], 0, "'nonsense' is no move"),
    ],
)  # fmt: skip
def test_faults_of_records(events: list[str], failed_at: int, reason: str) -> None:
    judged = verdict(State(SMALL), events)
    assert (judged.valid, judged.failed_at) == (False, failed_at)
    assert judged.reason is not None
    assert reason in judged.reason
    assert judged.reason.isprintable()
    assert replay(State(SMALL), events) == failed_at


def test_the_moon_stays_at_the_bottom_in_records() -> None:
    state = State(SMALL, Rules(reshuffle_moon="stays_bottom"))
    begun = ["kill 02b", "pick 02c", "shuffle 09a 07d 05a 03c 08a"]
    assert verdict(state, begun).failed_at == 3
    wrong = verdict(state, [*begun[:2], "shuffle 09a 07d 05a 08a 03c"])
    assert wrong.failed_at == 2
    assert wrong.reason is not None
    assert "cannot be card 4" in wrong.reason


def test_a_trial_is_told() -> None:
    """The animal is drawn; then the record tells its trial, in the order of drawing."""
    position = Position(
        phase="start",
        hand=(5, 22),
        present=tuple(c for c in range(48) if c not in {5, 22, 12, 27, 6, 16, 28, 40}),
        deck=(12, 27, 6, 16, 28),
    )
    state = State(position)
    for told, wrong in (("trial 07d 02c 05a", None), ("trial 02c 05a 07d", 1), ("avoid 06c", 1)):
        judged = verdict(state, ["draw 04a", told])
        assert judged.failed_at == (2 if wrong is None else wrong)
    assert "trial 07d 02c 05a is due" in str(verdict(state, ["draw 04a", "avoid 06c"]).reason)


def test_the_shuffle_may_be_left_out_when_the_game_is_over() -> None:
    """With `before_redraw` an action that shuffles can win; its new deck does not matter then."""
    rules = Rules(win_check="before_redraw")
    position = dataclasses.replace(SMALL, deck=(10, 28), victory=(8, 32))
    state = State(position, rules)
    won = ["kill 02b", "pick 05a"]
    assert verdict(state, won).valid
    assert verdict(state, [*won, "shuffle 02c 03c 07d 08a"]).valid
    assert not verdict(state, [*won, "shuffle 02c 03c 07d"]).valid
    assert not verdict(state, [*won, "draw 02c"]).valid


def test_the_trial_may_be_left_out_when_the_game_is_over() -> None:
    """An animal that comes in the draw at the end of the last turn forms a trial all the same."""
    position = dataclasses.replace(
        SMALL,
        phase="start",
        hand=(22,),
        present=(5, *(card for card in SMALL.present if card not in (3, 12)), 10),
        trial=(),
        deck=(3, 12, 27, 6, 28),
        victory=(8, 16, 32),
    )
    state = State(position, Rules(end_redraw="always"))
    won = ["draw 01d", "wander 01d", "draw 04a"]
    assert verdict(state, won).valid
    assert verdict(state, [*won, "trial 07d 02c 08a"]).valid
    assert not verdict(state, [*won, "trial 07d 08a 02c"]).valid
    assert not verdict(state, [*won, "draw 07d"]).valid


def test_a_game_that_is_lost_from_the_start() -> None:
    """No card to draw, or nothing to do: the record of that is empty."""
    everything = [card for card in range(48) if card not in (8, 40)]
    present = tuple(card for card in everything if card not in SMALL.hand)
    no_deck = dataclasses.replace(SMALL, phase="start", trial=(), deck=(), present=present)
    below = (card for card in everything if card not in (2, 3))
    stuck = dataclasses.replace(SMALL, hand=(3,), present=(*below, 2), trial=(), deck=())
    for position in (no_deck, stuck):
        assert verdict(State(position), []).reason == "the game is not won: it is lost"
        assert verdict(State(position), ["draw 01a"]).failed_at == 0


def test_a_record_needs_all_cards_known() -> None:
    with pytest.raises(InstanceError) as caught:
        verdict(State(SMALL.as_seen(Rules())), [])
    assert caught.value.pointer == "/trial/0"
