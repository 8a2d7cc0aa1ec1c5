"""Estimates of what positions of Three Treasures are worth, by games played from them."""

from __future__ import annotations

import dataclasses
import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pytest

from hanasolve.search.limits import Limits, Meter
from hanasolve.treasures import appraisal
from hanasolve.treasures import estimate as es
from hanasolve.treasures.position import deal_seed
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.solve import Evaluator
from hanasolve.treasures.state import State
from tests.test_treasures import random_position, random_rules

FRESH = ["solve", "--game", "treasures", "--seed", 7, "--estimate", "--simulations", 20]
KEYS = {
    "id", "game", "rules", "information", "estimate", "confidence", "games", "won", "mean",
    "stderr", "nodes", "seconds", "limit",
}  # fmt: skip


def asked(run: Any, *arguments: object) -> tuple[int, str]:
    done = run(*arguments)
    return done.code, done.out


def test_the_means_are_those_of_the_games_and_no_more_than_the_value() -> None:
    """By games won, by gains over the policy, and by the exact value of the same positions."""
    stream = random.Random("estimates")
    compared = 0
    while compared < 12:
        rules = random_rules(stream)
        words = State(random_position(stream, 4, rules), rules).words
        found = Evaluator(rules).evaluate(words, Limits(nodes=20_000))
        if not found.exact or not 0.05 < found.value[0] < 0.95:
            continue
        compared += 1
        player, meter = es.Player(rules, 20), Meter(Limits())
        played = []
        for game in range(300):
            player.begin(es.mixed(game))
            ended = player.play(words, meter)
            assert ended is not None
            played.append(ended)
        shares = [player.adviser.policy_wins(words, 2_000, sample_seed=i) for i in range(20)]
        low, mean, stderr = es.told(played, shares)
        share = statistics.mean(game.won for game in played)
        spread = math.sqrt(0.25 / len(played))
        assert abs(share - mean) < 4.5 * math.hypot(stderr, spread)
        assert mean < found.value[1] + 4.5 * stderr
        assert low <= mean


def test_what_few_games_tell_is_exact() -> None:
    """Two of two games: a share of 0.1 wins both with a chance of 0.01."""
    played = [es.Played(won=True, gain=0.3, times=()) for _ in range(2)]
    low, mean, _ = es.told(played, [0.5, 0.6])
    assert low == pytest.approx(0.1, abs=1e-6)
    assert mean == pytest.approx(0.85)
    assert es.told([], [])[0] == 0.0


def test_games_that_were_all_won_do_not_prove_a_win() -> None:
    """Even where nothing spreads: of 20,000 games of the policy a share of 0.01 ** (1/20000)."""
    played = [es.Played(won=True, gain=0.0, times=()) for _ in range(200)]
    low, mean, stderr = es.told(played, [1.0] * 10)
    assert (mean, stderr) == (1.0, 0.0)
    assert low == pytest.approx(0.01 ** (1 / 20_000), abs=1e-12)


def test_the_command(run: Any) -> None:
    code, output = asked(run, *FRESH, "--games", 3, "--json")
    result = json.loads(output)
    assert code == 0
    assert set(result) == KEYS
    assert (result["information"], result["confidence"], result["games"]) == ("hidden", 0.99, 3)
    low, high = result["estimate"]
    # With w of 3 games won the limit is the share that wins so many or more with a chance of 0.01.
    won = result["won"]
    tail = sum(math.comb(3, k) * low**k * (1 - low) ** (3 - k) for k in range(won, 4))
    assert low == 0.0 if won == 0 else tail == pytest.approx(0.01, abs=1e-6)
    assert high == 1.0


def test_cards_that_the_player_cannot_see_change_nothing() -> None:
    position = deal_seed(7, Rules())
    *above, moon = (card for card in position.deck if isinstance(card, int))
    results = []
    for deck in ([*above, moon], [*random.Random(1).sample(above, len(above)), moon]):
        state = State(dataclasses.replace(position, deck=tuple(deck)), Rules())
        results.append(appraisal.answer(state, Limits(), games=2, simulations=10))
    assert results[0].ends == results[1].ends
    assert (results[0].mean, results[0].nodes) == (results[1].mean, results[1].nodes)


def test_limits(run: Any) -> None:
    """Of nodes: the games that were finished count; of no time: nothing is known."""
    code, output = asked(run, *FRESH, "--nodes", 101_500, "--json")
    result = json.loads(output)
    assert (code, result["limit"]) == (0, "nodes")
    assert 1 <= result["games"] < 200
    again = json.loads(asked(run, *FRESH, "--nodes", 101_500, "--json")[1])
    assert {**result, "seconds": 0} == {**again, "seconds": 0}
    code, output = asked(run, *FRESH, "--time", 0, "--json")
    result = json.loads(output)
    assert (code, result["limit"], result["games"]) == (11, "time", 0)
    assert result["estimate"] == [0.0, 1.0]


def test_a_value_that_is_found_on_the_way(run: Any) -> None:
    """No game is played where both ends are proven; 3/5 is the stored value, found by hand."""
    path = Path(__file__).parent.parent / "instances" / "treasures" / "dispel.json"
    code, output = asked(run, "solve", path, "--estimate", "--json")
    result = json.loads(output)
    assert (code, result["games"], result["limit"]) == (0, 0, None)
    assert result["estimate"] == pytest.approx([0.6, 0.6])


def test_all_cards_known(run: Any) -> None:
    code, output = asked(run, *FRESH, "--games", 2, "--thoughtful", "--json")
    assert code == 0
    assert json.loads(output)["information"] == "thoughtful"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "--seed", 1, "--estimate"], "nothing to estimate"),
        (["solve", "--game", "treasures", "--seed", 1, "--games", 5], "--estimate; add it"),
        (["solve", "--game", "treasures", "--seed", 1, "--thoughtful"], "--estimate; add it"),
        (["solve", "--seed", 1, "--optimal", "--estimate"], "leave out one"),
    ],
)
def test_wrong_usage(refused: Any, arguments: list[Any], says: str) -> None:
    assert says in refused(*arguments)
