"""Small positions of Three Treasures, solved by OpenSpiel and here: ``python -m bench.openspiel``.

OpenSpiel's value iteration (`open_spiel.python.algorithms.value_iteration`) gets a game of one
player that asks `State` for the rules: both sides use the same compiled rules, and what is compared
is the search. It may stop at states that it has met (``cyclic_game=True``); without that it walks
every line of play by itself, and takes longer.

The positions are the stored ones with unknown cards and a known value, which both sides must find.
Everything is CPU time in one warm process. The output is Markdown; a table that was kept is in
``bench/README.md``.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, Final

import hanasolve
from bench.decide import ROOT, where_and_when
from hanasolve import instances
from hanasolve.treasures.state import State

try:
    import pyspiel
    from open_spiel.python.algorithms.value_iteration import value_iteration
except ImportError as error:
    sys.exit(f"bench.openspiel needs {error.name}: pip install open_spiel cvxpy")

DEALS: Final = ROOT / "instances" / "treasures"
THRESHOLD: Final = 1e-12
"""When value iteration is done: no value changed by more in the last sweep."""
REPEATS: Final = 50
"""What takes milliseconds is done so often, and the mean is taken."""

TYPE: Final = pyspiel.GameType(
    short_name="three_treasures",
    long_name="Three Treasures",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=1,
    min_num_players=1,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=8192,
    max_chance_outcomes=48,
    num_players=1,
    min_utility=0.0,
    max_utility=1.0,
    max_game_length=512,
)


class Game(pyspiel.Game):  # type: ignore[misc]
    """A position as a game of OpenSpiel: of one player, who sees all there is to see of a belief.

    Parameters
    ----------
    first : State
    """

    def __init__(self, first: State) -> None:
        super().__init__(TYPE, INFO, {})
        self._first = first

    def new_initial_state(self) -> Node:
        """Give the state in which the game begins."""
        return Node(self, self._first)


class Node(pyspiel.State):  # type: ignore[misc]
    """A state; actions and outcomes are numbered in the order of `State.legal_moves`."""

    def __init__(self, game: Game, now: State) -> None:
        super().__init__(game)
        self._now = now

    def current_player(self) -> int:
        """Say who is to move."""
        if self._now.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._now.is_chance else 0

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._now.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return [*range(len(self._now.legal_moves()))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Give what chance may do."""
        return [(n, float(chance)) for n, (_, chance) in enumerate(self._now.outcomes())]

    def _apply_action(self, action: int) -> None:
        self._now = self._now.apply(self._now.legal_moves()[action])

    def returns(self) -> list[float]:
        """Give what the game was worth."""
        return [float(self._now.is_won)]

    def __str__(self) -> str:
        return name(self._now)


def name(state: State) -> str:
    """Name what is one state for OpenSpiel: a belief, or the end."""
    if state.is_over:
        return "won" if state.is_won else "lost"
    return str(state.words)


def value_of(state: State, values: dict[str, float]) -> float:
    """Give the value of a state; value iteration has none where chance is to move."""
    if not state.is_chance:
        return values[name(state)]
    return sum(chance * value_of(state.apply(move), values) for move, chance in state.outcomes())


def positions() -> Iterator[tuple[str, State, Fraction]]:
    """Give the stored positions that are asked about, with their values."""
    for path in sorted(DEALS.glob("*.json")):
        item = instances.load(str(path)).only()
        if item.expect is not None and item.position.is_hidden:
            yield path.stem, instances.state_of(item), Fraction(str(item.expect["value"]))


def timed(work: Callable[[], Any], repeats: int = 1) -> tuple[Any, float]:
    """Do something; gives what it gives and the CPU seconds of one time."""
    started = time.process_time()
    for _ in range(repeats):
        found = work()
    return found, (time.process_time() - started) / repeats


def main() -> None:
    """Solve every position by both and print the table."""
    print(f"{where_and_when()}\n")
    print("| position | unknown | value | OpenSpiel: states | CPU | here: states | CPU | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    ratios = []
    for title, state, value in positions():
        hanasolve.solve(state)  # warm up
        result, ours = timed(partial(hanasolve.solve, state), REPEATS)
        iterate = partial(value_iteration, Game(state), -1, THRESHOLD, cyclic_game=True)
        values, theirs = timed(iterate)
        low, high = result.value
        if not low <= value <= high or not math.isclose(value_of(state, values), value):
            sys.exit(f"{title}: a value is wrong")
        ratios.append(theirs / ours)
        print(
            f"| {title} | {len(state.position.unknown)} | {value} | {len(values):,}"
            f" | {theirs:.2f} s | {result.states:,} | {ours * 1e3:.2f} ms | {ratios[-1]:,.0f} |",
            flush=True,
        )
    print(f"\nRatios: median {statistics.median(ratios):,.0f}, least {min(ratios):,.0f}.")


if __name__ == "__main__":
    main()
