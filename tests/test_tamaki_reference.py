"""The reference of Hanafuda by Tamaki: worked positions, small values by hand, and invariants."""

from __future__ import annotations

import dataclasses
import random
from itertools import product

import pytest

from tests.reference import tamaki as game
from tests.reference.tamaki import Rules, State, Turn

PLAYERS = sorted(game.SIZES)
PLAY_OUT = Rules(two_player_rest="play_out")
OPTIONAL = Rules(capture="optional")

BOARS = [24, 36, 20]
REDS = [13, 17, 25]
BLUES = [21, 33, 37]
POEMS = [1, 5, 9]


def stream_of(seed: int) -> game.Uniform:
    return random.Random(seed).random


def no_shuffle() -> float:
    """Give numbers for which `shuffle` leaves every list as it is."""
    return 0.999999


def random_rules(stream: random.Random) -> Rules:
    return Rules(**{name: stream.choice(values) for name, values in game.VALUES.items()})


def small_position(stream: random.Random, players: int, left: int, rules: Rules) -> State:
    """Deal and play at random until few cards are left in the hands."""
    state = game.deal(players, stream.randrange(players), seed=stream.randrange(10**6), rules=rules)
    while sum(len(hand) for hand in state.hands) > left:
        state = game.apply(state, stream.choice(game.turns(state)))
    return state


# --- worked positions -----------------------------------------------------------------------------


def test_ta1_three_on_the_table_are_all_taken() -> None:
    state = game.make([[0], [47]], [1, 2, 3, 20])
    assert game.steps(state) == [(0, (1, 2, 3))]
    after = game.step(state, 0, (1, 2, 3))
    assert after.table == (20,)
    assert after.claims == ((0, 1, 2, 3), ())
    assert [game.points(card) for card in after.claims[0]] == [20, 5, 0, 0]


def test_ta2_of_two_one_is_chosen() -> None:
    state = game.make([[33], [47]], [32, 34])
    assert game.steps(state) == [(33, (32,)), (33, (34,))]
    gains = {}
    for card, taken in game.steps(state):
        after = game.step(state, card, taken)
        gains[taken[0]] = game.card_points(after.claims[0])
        assert set(after.table) == {32, 34} - set(taken)
    assert gains == {32: 15, 34: 5}


def test_ta3_ta4_capture_is_forced_and_the_card_is_free() -> None:
    state = game.make([[26, 8], [47]], [24])
    assert game.steps(state) == [(8, ()), (26, (24,))]


@pytest.mark.parametrize(
    ("card", "table", "taken", "gain"),
    [(43, [0, 28], (), 0), (40, [43], (43,), 20), (46, [45], (45,), 0)],
)
def test_ta7_ta8_ta9_lightning_and_paulownia(
    card: int, table: list[int], taken: tuple[int, ...], gain: int
) -> None:
    state = game.make([[card], [47]], table)
    assert game.steps(state) == [(card, taken)]
    after = game.step(state, card, taken)
    assert after.table == (() if taken else (0, 28, 43))
    assert game.card_points(after.claims[0]) == gain


@pytest.mark.parametrize(
    ("claim", "yaku"),
    [
        ([13, 17, 42], []),
        ([13, 17, 25], ["red"]),
        ([20, 24, 36], ["boar_deer_butterflies"]),
        ([24, 29, 36], []),
        ([21, 33, 37], ["blue"]),
        ([1, 5, 9], ["poetry"]),
        ([1, 5, 13], []),
    ],
)
def test_ta10_ta11_ta12_yaku(claim: list[int], yaku: list[str]) -> None:
    assert game.yaku_held(claim) == yaku


def test_ta13_ta15_ta16_payments() -> None:
    claims = [[*REDS, 0, 8, 28, 1, 21, 33], [40, 44, 12, 16, 20, 29]]
    claims.append([4, 24, 32, 36, 41, 5, 9, 37, 42])
    assert [game.card_points(claim) for claim in claims] == [90, 80, 70]
    assert game.round_scores(game.make([[]] * 3, claims=claims)) == [130, 60, 50]

    others = game.make([[]] * 7, claims=[[4], BLUES, [], [], REDS, [], []])
    assert game.round_scores(others)[0] == 10 - 40

    two = game.make([[]] * 2, claims=[BLUES, []])
    assert game.round_scores(two) == [15 + 20, -20]


def test_payment_per_player_pays_a_holder_once() -> None:
    claims = [REDS + BLUES, POEMS, []]
    assert game.round_scores(game.make([[]] * 3, claims=claims)) == [90, 15, -60]
    once = game.make([[]] * 3, claims=claims, rules=Rules(yaku_payment="per_player"))
    assert game.round_scores(once) == [30 + 40 - 20, 15 + 40 - 20, -40]


def test_ta18_three_players() -> None:
    hands, table, mountain = game.passes(3, 0, range(48))
    assert table == [0, 1, 2, 12, 13, 14]
    assert hands == [
        [3, 6, 9, 15, 18, 21, 24],
        [4, 7, 10, 16, 19, 22, 25],
        [5, 8, 11, 17, 20, 23, 26],
    ]
    assert mountain == list(range(27, 48))


def test_ta19_six_players() -> None:
    hands, table, mountain = game.passes(6, 0, range(48))
    assert table == [*range(6), *range(12, 18)]
    assert hands[0] == [6, 18, 24]
    assert mountain == list(range(30, 48))

    state = game.deal(6, 0, range(48), seed=5)
    for full in (1, 4):
        assert len(game.of_month(state.table, full)) == 2
    uniform = stream_of(5)
    out = game.shuffle([0, 1, 2, 3], uniform)[:2]
    mountain = game.shuffle([*mountain[2:], *out], uniform)
    out_too = game.shuffle([12, 13, 14, 15], uniform)[:2]
    expected = {*table, 30, 31, *mountain[:2]} - {*out, *out_too}
    assert set(state.table) == expected


def test_the_leader_gets_the_first_card_of_each_round_of_cards() -> None:
    hands, _, _ = game.passes(4, 2, range(48))
    assert hands == [
        [6, 10, 18, 22, 26],
        [7, 11, 19, 23, 27],
        [4, 8, 16, 20, 24],
        [5, 9, 17, 21, 25],
    ]


def test_ta20_a_full_month_on_the_table() -> None:
    for seed in range(20):
        table, mountain = [8, 9, 10, 11, 0, 4], [20, 30, 31, 32, 33]
        game.swap_fours(table, mountain, stream_of(seed))
        assert len(game.of_month(table, 3)) == 2
        assert {20, 30, 0, 4} < set(table)
        assert len(table) == 6
        assert len(mountain) == 5
        assert len(game.of_month(mountain, 3)) == 2


def test_a_swap_can_fill_another_month() -> None:
    table, mountain = [8, 9, 10, 11, 44, 45], [46, 47, 0, 4]
    game.swap_fours(table, mountain, no_shuffle)
    # 8 and 9 leave for 46 and 47, and then 44 and 45 for 0 and 4.
    assert sorted(table) == [0, 4, 10, 11, 46, 47]
    assert mountain == [8, 9, 44, 45]


def test_ta21_two_full_months_in_a_hand() -> None:
    hand, mountain = list(range(8)), [20, 24, 28, 32, 36, 40]
    game.swap_fours(hand, mountain, stream_of(3))
    assert len(game.of_month(hand, 1)) <= 2
    assert len(game.of_month(hand, 2)) <= 2
    assert len(hand) == 8


def test_ta22_ta24_a_three_is_chosen_from_and_so_is_a_new_one() -> None:
    asked: list[tuple[int, list[int]]] = []
    mountain = [23, 30, 34]

    def second_time_last(seat: int, hand: list[int], three: list[int]) -> int:
        asked.append((seat, three))
        assert set(three) < set(hand)
        return three[0] if len(asked) == 1 else three[-1]

    hand = [20, 21, 22, 0, 5]
    game.exchange_threes(2, hand, mountain, Rules(), no_shuffle, second_time_last)
    assert asked == [(2, [20, 21, 22]), (2, [21, 22, 23])]
    assert sorted(hand) == [0, 5, 21, 22, 30]
    assert mountain == [34, 20, 23]

    for refused in (None, 0, 23):
        with pytest.raises(ValueError, match="must be exchanged"):
            game.exchange_threes(
                0, [20, 21, 22, 0], [30], Rules(), no_shuffle, lambda *_, card=refused: card
            )


def test_a_new_four_is_exchanged_at_once() -> None:
    hand, mountain = [0, 1, 2, 40, 41, 42], [43, 16, 20, 24]
    asked: list[list[int]] = []

    def first(_seat: int, _hand: list[int], three: list[int]) -> int:
        asked.append(three)
        return three[0]

    game.exchange_threes(0, hand, mountain, Rules(), no_shuffle, first)
    # 0 leaves for 43, then 40 and 41 of the four leave for 16 and 20.
    assert asked == [[0, 1, 2]]
    assert sorted(hand) == [1, 2, 16, 20, 42, 43]


def test_hand_three_optional_and_off() -> None:
    asked: list[list[int]] = []

    def decline_january(_seat: int, _hand: list[int], three: list[int]) -> int | None:
        asked.append(three)
        return None if three[0] < 4 else three[0]

    hand, mountain = [0, 1, 2, 40, 41, 42], [16, 20, 24]
    game.exchange_threes(
        0, hand, mountain, Rules(hand_three="optional"), no_shuffle, decline_january
    )
    assert asked == [[0, 1, 2], [40, 41, 42]]
    assert sorted(hand) == [0, 1, 2, 16, 41, 42]

    hand, mountain = [0, 1, 2, 40, 41, 42, 43], [16, 20, 24]
    game.exchange_threes(0, hand, mountain, Rules(hand_three="off"), no_shuffle, decline_january)
    assert sorted(hand) == [0, 1, 2, 16, 20, 42, 43]


def test_ta25_two_players_leave_eight_cards() -> None:
    state = game.make([[], []], [0], range(1, 9), [[], []])
    assert game.is_over(state)
    assert game.turns(state) == []
    assert game.round_scores(state) == [0, 0]
    rest = dataclasses.replace(state, rules=PLAY_OUT)
    assert game.turns(rest) == [Turn(None, (), 1, (0,))]


def test_ta27_the_lead_passes() -> None:
    assert game.leader_of(4, 6) == 1
    assert [game.leader_of(3, number) for number in range(1, 5)] == [0, 1, 2, 0]


def test_ta28_no_mountain_no_draw() -> None:
    state = game.make([[0], [4]], [1])
    (turn,) = game.turns(state)
    assert turn == Turn(0, (1,), None, ())
    after = game.apply(state, turn)
    assert after.turn == 1
    assert after.hands == ((), (4,))
    assert not game.is_over(after)


# --- single rules ---------------------------------------------------------------------------------


def test_the_card_played_is_a_table_card_for_the_draw() -> None:
    state = game.make([[0], [4]], [], [1, 2])
    (turn,) = game.turns(state)
    assert turn == Turn(0, (), 1, (0,))
    assert game.apply(state, turn).claims == ((0, 1), ())


def test_the_table_is_what_the_played_card_left_for_the_draw() -> None:
    state = game.make([[33], [4]], [32, 34], [35])
    assert game.turns(state) == [Turn(33, (32,), 35, (34,)), Turn(33, (34,), 35, (32,))]


def test_optional_capture() -> None:
    for table, options in [
        ([], [()]),
        ([32], [(32,), ()]),
        ([32, 34], [(32,), (34,), ()]),
        ([32, 34, 35], [(32, 34, 35), ()]),
    ]:
        assert game.captures(OPTIONAL, tuple(table), 33) == options
    state = game.make([[33], [4]], [32], [35], rules=OPTIONAL)
    assert game.turns(state) == [
        Turn(33, (32,), 35, ()),
        Turn(33, (), 35, (32,)),
        Turn(33, (), 35, (33,)),
        Turn(33, (), 35, ()),
    ]


def test_what_is_not_legal_is_refused() -> None:
    state = game.make([[33], [4]], [32], [35])
    for turn in (Turn(33, (), 35, ()), Turn(4, (), 35, ()), Turn(33, (32,), None, ())):
        with pytest.raises(ValueError, match="not legal"):
            game.apply(state, turn)
    with pytest.raises(ValueError, match="not legal"):
        game.step(state, 33, ())
    with pytest.raises(ValueError, match="middle of a turn"):
        game.turns(game.step(state, 33, (32,)))
    with pytest.raises(ValueError, match="capture"):
        Rules(capture="never")
    with pytest.raises(ValueError, match="every card"):
        game.check(state)


# --- values by hand -------------------------------------------------------------------------------


def test_a_small_duel() -> None:
    """The first card decides: crane or cuckoo, and the other seat answers with what is left."""
    state = game.make([[0, 12], [1, 13]], [2, 14])
    assert game.margin(state, 0) == 20 - 5
    assert game.margin(state, 1) == 5 - 20
    assert game.paranoid(state, 0) == 20
    assert game.paranoid(state, 1) == 5
    assert game.maxn(state) == [20, 5]
    assert game.cooperative(state, 0) == 30
    assert game.cooperative(state, 1) == 5
    values = game.turn_values(state, lambda after: game.margin(after, 0))
    assert values == [(Turn(0, (2,), None, ()), 15), (Turn(12, (14,), None, ()), 5)]


@pytest.mark.parametrize(
    ("hand", "margins", "first"), [([0, 12], [-10, -20], [0, 10]), ([1, 12], [-10, -5], [0, 10])]
)
def test_maxn_takes_the_first_of_equal_turns(
    hand: list[int], margins: list[int], first: list[int]
) -> None:
    """Both turns give the mover nothing; the first counts, good or bad for the other seat."""
    state = game.make([[2, 14], hand], [3, 15])
    values = game.turn_values(state, lambda after: game.margin(after, 0))
    assert [value for _, value in values] == margins
    assert game.maxn(state) == first


def test_maxn_orders_no_capture_last() -> None:
    state = game.make([[2], [0]], [3], rules=OPTIONAL)
    assert [turn.capture for turn in game.turns(state)] == [(3,), ()]
    assert game.maxn(state) == [0, 0]
    assert game.cooperative(state, 1) == 20


def test_the_ceiling_orders_the_mountain() -> None:
    state = game.make([[2], [14]], [], [4, 0])
    assert game.cooperative(state, 0) == 0
    assert game.cooperative(state, 1) == 20
    assert game.ceiling(state, 0) == 20
    assert game.ceiling(state, 0, known=1) == 0
    assert game.ceiling_turns(state, 0) == [(Turn(2, (), 0, (2,)), 20), (Turn(2, (), 4, ()), 0)]
    with pytest.raises(OverflowError, match="orders"):
        game.ceiling(game.deal(3), 0)


def test_the_ceiling_tries_cards_that_would_stay_in_the_mountain() -> None:
    state = game.make([[2], [14]], [], [4, 8, 12, 0])
    assert game.cooperative(state, 0) == 0
    assert game.ceiling(state, 0) == 20
    assert game.ceiling(state, 1) == 30
    assert len(game.orders(state)) == 12
    assert len(game.orders(dataclasses.replace(state, rules=PLAY_OUT))) == 24


def test_yaku_that_can_still_be_had() -> None:
    """The third poem and the third red ribbon lie with either seat, one after the other."""
    state = game.make([[10, 26], [11, 27]], [9, 25], claims=[[1, 5, 13, 17], []])
    possible = game.yaku_possible(state)
    assert [name for name in game.YAKU if possible[0][name]] == ["red", "poetry"]
    assert not any(possible[1].values())
    # After either first card the other seat may leave the second ribbon.
    assert game.most_yaku(state) == [2, 0]
    assert game.cooperative(state, 0) == 30 + 2 * 20
    # It does not when it plays to win.
    assert game.paranoid(state, 0) == 25 + 20
    assert game.margin(state, 0) == (25 + 20) - (5 - 20)


def test_the_rest_is_played_out_in_turn() -> None:
    state = game.make([[40], [44]], [], [4, 8, 0, 1, 12], rules=PLAY_OUT)
    drawn = []
    while not game.is_over(state):
        (turn,) = game.turns(state)
        drawn.append((state.turn, turn.play, turn.draw))
        state = game.apply(state, turn)
    assert drawn == [(0, 40, 4), (1, 44, 8), (0, None, 0), (1, None, 1), (0, None, 12)]
    assert state.claims == ((), (0, 1))


# --- invariants over random rounds ----------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_a_deal_is_in_order(players: int) -> None:
    in_hand, face_up = game.SIZES[players]
    for seed in range(150):
        leader = seed % players
        state = game.deal(players, leader, seed=seed)
        game.check(state)
        assert state.turn == leader
        assert {len(hand) for hand in state.hands} == {in_hand}
        assert len(state.table) == face_up
        assert not game.months_held(state.table, 4)
        for hand in state.hands:
            assert not game.months_held(hand, 4)
            assert not game.months_held(hand, 3)
        # A deck given whole, and the stream where the deck's shuffle left it, is the same deal.
        uniform = stream_of(seed)
        deck = game.shuffle(range(48), uniform)
        assert game.deal(players, leader, deck, uniform) == state
        off = game.deal(players, leader, deck, seed, Rules(hand_three="off"))
        assert not any(game.months_held(hand, 4) for hand in off.hands)


@pytest.mark.parametrize("players", PLAYERS)
def test_random_rounds(players: int) -> None:
    """TA26 and TA29, and the counts that any round keeps, with all switches."""
    for seed in range(60):
        stream = random.Random(1000 * players + seed)
        rules = Rules() if seed < 20 else random_rules(stream)
        compulsory = rules.capture == "compulsory"
        state = game.deal(players, stream.randrange(players), seed=seed, rules=rules)
        while not game.is_over(state):
            game.check(state)
            assert sorted(game.turns(state), key=game.tie_order) == game.turns(state)
            while True:
                after = game.step(state, *stream.choice(game.steps(state)))
                if compulsory:
                    for m in range(1, 13):
                        had = len(game.of_month(state.table, m))
                        has = len(game.of_month(after.table, m))
                        assert (had, has) != (1, 2)
                state = after
                if state.drawn is None:
                    break
        game.check(state)
        cards = [game.card_points(claim) for claim in state.claims]
        scores = game.round_scores(state)
        assert sum(scores) == sum(cards)
        if players == 2 and rules.two_player_rest == "unused":
            assert len(state.mountain) == 8
        else:
            assert state.mountain == ()
            if compulsory:
                assert state.table == ()
                assert sum(cards) == 240


@pytest.mark.parametrize("players", PLAYERS)
def test_values_agree_with_each_other(players: int) -> None:
    for seed in range(3):
        stream = random.Random(100 * players + seed)
        rules = random_rules(stream)
        left = 4 if rules.capture == "compulsory" else 3
        state = small_position(stream, players, left, rules)
        vector = game.maxn(state)
        most = game.most_yaku(state)
        possible = game.yaku_possible(state)
        for seat in range(players):
            sure, best = game.paranoid(state, seat), game.cooperative(state, seat)
            assert sure <= vector[seat] <= best
            assert most[seat] <= sum(possible[seat].values())
            values = [v for _, v in game.turn_values(state, lambda s: game.paranoid(s, seat))]  # noqa: B023
            assert sure == (max(values) if seat == state.turn else min(values))
            assert sure == game.paranoid(state, seat, memo=True)
            assert best == game.cooperative(state, seat, memo=True)
        assert vector == game.maxn(state, memo=True)
        assert most == game.most_yaku(state, memo=True)
        assert possible == game.yaku_possible(state, memo=True)


def test_margin_is_seen_from_either_seat() -> None:
    for seed, rest in product(range(3), ("unused", "play_out")):
        stream = random.Random(seed)
        state = small_position(stream, 2, 4, Rules(two_player_rest=rest))
        value = game.margin(state, 0)
        assert value == -game.margin(state, 1) == game.margin(state, 0, memo=True)
        if rest == "play_out":
            # All 240 points are taken, so more for one is less for the other.
            assert value == 2 * game.paranoid(state, 0) - 240


@pytest.mark.parametrize("players", PLAYERS)
def test_the_ceiling_is_no_lower(players: int) -> None:
    stream = random.Random(players)
    state = small_position(stream, players, 3 if players > 2 else 2, Rules())
    for seat in range(min(players, 3)):
        best = game.cooperative(state, seat)
        highest = game.ceiling(state, seat)
        assert best <= game.ceiling(state, seat, known=1) <= highest
        assert game.ceiling(state, seat, known=len(state.mountain)) == best
        assert max(value for _, value in game.ceiling_turns(state, seat)) == highest
