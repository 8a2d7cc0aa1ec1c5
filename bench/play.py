"""How often Three Treasures is won by the library's own advice: ``python -m bench.play``.

Whole games from fresh deals are played with the real deck. At every decision the adviser is asked,
who knows what a player knows, and the move that it puts first is made. With 0 simulations the
policy plays alone. As nobody can win more often than by best play, the games tell with confidence
what the game is worth at least, by what the decisions gain over the policy (see
`hanasolve.treasures.estimate`). ``--switches`` plays under every value of every switch in turn.
With ``--record FILE`` games that were finished are kept there, and are not played again. The output
is Markdown; tables that were kept are in ``bench/README.md``.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Final

from bench.decide import where_and_when
from hanasolve.analysis.proportions import wilson
from hanasolve.switches import choices
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.estimate import Played, Player, told
from hanasolve.treasures.game import deal_game, play
from hanasolve.treasures.hint import Adviser
from hanasolve.treasures.rules import Rules

_COLUMNS: Final = (
    "rules", "simulations", "games", "won", "interval", "by gains", "at least (99 %)", "difference",
    "decisions", "ms each", "slowest",
)  # fmt: skip
_FIRST_DEAL: Final = 2 * 10**6
_DEALS: Final = 20_000
_ORDERS: Final = 20
"""Deals, and orders of each deck, that tell what the policy wins; none that it was tuned by."""
Told = tuple[float, float, float]
"""A lower limit, a mean and its standard error."""


@dataclasses.dataclass(frozen=True)
class Game:
    """A game that was played.

    Seconds are those of CPU time: for all decisions together, and for the slowest.
    """

    rules: str
    simulations: int
    seed: int
    won: bool
    gain: float
    decisions: int
    seconds: float
    slowest: float


def main() -> None:
    """Play the games and print a row for each number of simulations and each set of rules."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("simulations", nargs="*", type=int, help="a decision; default 0 2000")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=math.inf, help="for each row, then stop")
    parser.add_argument("--record", type=Path, help="keeps the games that were finished")
    parser.add_argument("--switches", action="store_true", help="every switch in turn")
    options = parser.parse_args()
    print(f"{where_and_when()}\n")
    print(f"Fresh deals from seed {options.first} on; 95 % intervals.\n")
    print("| " + " | ".join(_COLUMNS) + " |\n" + "|---" * len(_COLUMNS) + "|")
    with multiprocessing.Pool(options.workers) as pool:
        for simulations in options.simulations or [0, 2000]:
            default: Told | None = None
            for rules in switched() if options.switches else [Rules()]:
                seeds = range(options.first, options.first + options.games)
                jobs = [(rules, simulations, seed) for seed in seeds]
                games = list(_all_played(pool, jobs, options))
                ended = [Played(won=game.won, gain=game.gain, times=()) for game in games]
                found = told(ended, shares_of_policy(rules))
                print(row(games, found, default), flush=True)
                default = default or found


def switched() -> Iterator[Rules]:
    """Give the default rules, and all that differ from them in one switch."""
    yield Rules()
    for name in Rules().as_dict():
        for value in choices(Rules, name)[1:]:
            yield Rules.of({name: value})


def _all_played(
    pool: Pool, jobs: list[tuple[Rules, int, int]], options: argparse.Namespace
) -> Iterator[Game]:
    """Give the games, in the order of the jobs, until the time is over; and keep them."""
    record: Path | None = options.record
    kept: dict[tuple[str, int, int], Game] = {}
    if record is not None and record.exists():
        games = [Game(**json.loads(line)) for line in record.read_text().splitlines()]
        kept = {(game.rules, game.simulations, game.seed): game for game in games}
    started, size = time.monotonic(), 4 * options.workers
    # In batches, so that the games that a limit of time leaves are those of the first seeds.
    for batch in (jobs[i : i + size] for i in range(0, len(jobs), size)):
        if time.monotonic() - started > options.seconds:
            return
        missing = [job for job in batch if (job[0].name(), *job[1:]) not in kept]
        for game in pool.starmap(played, missing, chunksize=1):
            kept[game.rules, game.simulations, game.seed] = game
            if record is not None:
                with record.open("a") as file:
                    print(json.dumps(dataclasses.asdict(game)), file=file)
        yield from (kept[rules.name(), simulations, seed] for rules, simulations, seed in batch)


def row(games: list[Game], found: Told, default: Told | None) -> str:
    """Give the row of some games of the same rules and number of simulations.

    What they tell is given beside, and what those by the default rules told, once it is known.
    """
    wins, decisions = sum(game.won for game in games), sum(game.decisions for game in games)
    low, high = wilson(wins, len(games))
    spent, slowest = sum(game.seconds for game in games), max(game.slowest for game in games)
    least, mean, stderr = found
    difference = ""
    if default is not None:
        _, mean_there, stderr_there = default
        spread = math.hypot(stderr, stderr_there)
        difference = f"{mean - mean_there:+.1%} ± {1.96 * spread:.1%}"
    cells = [
        games[0].rules,
        f"{games[0].simulations:,}",
        f"{len(games):,}",
        f"{wins / len(games):.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{mean:.1%} ± {1.96 * stderr:.1%}",
        f"{least:.1%}",
        difference,
        f"{decisions:,}",
        f"{1e3 * spent / decisions:.2f}",
        f"{slowest:.2f} s",
    ]
    return f"| {' | '.join(cells)} |"


def shares_of_policy(rules: Rules) -> list[float]:
    """Give what the policy wins of fresh deals, of each with many orders of the deck."""
    adviser = Adviser(rules)
    shares = []
    for seed in range(_FIRST_DEAL, _FIRST_DEAL + _DEALS):
        game, _ = deal_game(seed, rules)
        shares.append(adviser.policy_wins(game.view.words, _ORDERS, sample_seed=seed))
    return shares


_player_of = functools.cache(Player)


def played(rules: Rules, simulations: int, seed: int) -> Game:
    """Play a game."""
    player = _player_of(rules, simulations)
    player.begin(seed)
    game, uniform = deal_game(seed, rules)
    game, _ = play(game, lambda view: decode_decision(player.decide(view.words)), uniform)
    ended = player.ended(won=game.is_won)
    return Game(
        rules=rules.name(),
        simulations=simulations,
        seed=seed,
        won=ended.won,
        gain=round(ended.gain, 6),
        decisions=len(ended.times),
        seconds=round(sum(ended.times), 4),
        slowest=round(max(ended.times, default=0.0), 4),
    )


if __name__ == "__main__":
    main()
