"""How often Three Treasures is won by the library's own advice: ``python -m bench.play``.

Whole games from fresh deals are played with the real deck. At every decision the adviser is asked,
who knows what a player knows, and the move that it puts first is made. With 0 simulations the
policy plays alone. As nobody can win more often than by best play, the games tell with confidence
what the game is worth at least. ``--switches`` plays under every value of every switch in turn, the
same deals each time. With ``--record FILE`` games that were finished are kept there, and are not
played again. The output is Markdown; tables that were kept are in ``bench/README.md``.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import multiprocessing
import statistics
import time
from collections.abc import Iterator
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Final

from bench.decide import where_and_when
from hanasolve.analysis.proportions import at_least, wilson
from hanasolve.switches import choices
from hanasolve.treasures.book import decode_decision
from hanasolve.treasures.estimate import Player
from hanasolve.treasures.game import deal_game, play
from hanasolve.treasures.rules import Rules

CONFIDENCE: Final = 0.99
"""Of what the game is worth at least."""


@dataclasses.dataclass(frozen=True)
class Game:
    """A game that was played.

    Seconds are those of CPU time: for all
    decisions together, and for the slowest.
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
    print("| rules | simulations | games | won | interval | at least (99 %) | difference", end="")
    print(" | decisions | ms each | slowest |\n|---|---|---|---|---|---|---|---|---|---|")
    with multiprocessing.Pool(options.workers) as pool:
        for simulations in options.simulations or [0, 2000]:
            default: dict[int, bool] = {}
            for rules in switched() if options.switches else [Rules()]:
                seeds = range(options.first, options.first + options.games)
                jobs = [(rules, simulations, seed) for seed in seeds]
                games = list(_all_played(pool, jobs, options))
                default = default or {game.seed: game.won for game in games}
                print(row(games, default), flush=True)


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


def row(games: list[Game], default: dict[int, bool]) -> str:
    """Give the row of some games; ``default`` tells which deals were won by the default rules."""
    wins, decisions = sum(game.won for game in games), sum(game.decisions for game in games)
    low, high = wilson(wins, len(games))
    spent, slowest = sum(game.seconds for game in games), max(game.slowest for game in games)
    pairs = [game.won - default[game.seed] for game in games if game.seed in default]
    difference = ""
    if games[0].rules != Rules().name() and len(pairs) > 1:
        error = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs))
        difference = f"{statistics.mean(pairs):+.1%} ± {error:.1%}"
    return (
        f"| {games[0].rules} | {games[0].simulations:,} | {len(games):,} | {wins / len(games):.1%}"
        f" | {low:.1%} to {high:.1%} | {at_least(wins, len(games), CONFIDENCE):.1%} | {difference}"
        f" | {decisions:,} | {1e3 * spent / decisions:.2f} | {slowest:.2f} s |"
    )


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
