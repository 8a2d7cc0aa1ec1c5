"""The few functions that most Python users need, the same for every game."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hanasolve import instances
from hanasolve.errors import HanasolveError
from hanasolve.games import room, seating
from hanasolve.search.limits import DEFAULT_MEMORY, Limits, Progress


def deal(
    game: str,
    *,
    seed: int = 0,
    rules: str | Mapping[str, Any] | None = None,
    players: int | None = None,
    leader: int | None = None,
) -> Any:
    """Deal the game that a seed stands for; a seed gives the same deal everywhere, for ever.

    Parameters
    ----------
    game : str
        ``"solitaire2"``, ``"treasures"`` or ``"tamaki"``.
    seed : int, optional
    rules : str or mapping, optional
        A preset's name, or the switches that differ from the base game.
    players, leader : int, optional
        Of Hanafuda by Tamaki: the number of seats, 2 by default, and the one that begins, counted
        from 0.

    Returns
    -------
    State
        Of that game, for example `hanasolve.solitaire2.state.State`.

    Raises
    ------
    HanasolveError
        For a game, preset, switch or value that does not exist.
    """
    switches = room(game, "rules").Rules.of(rules)
    seats = seating(game, players=players, leader=leader)
    return room(game, "state").State.deal(seed=seed, rules=switches, **seats)


def load(path: str | Path) -> Any:
    """Read a position from an instance file that holds one.

    Parameters
    ----------
    path : str or Path
        The file; ``-`` is the standard input.

    Returns
    -------
    State
        Of the game that the file names.

    Raises
    ------
    InstanceError
        With file, place and remedy, when anything is wrong with it; also when a card's identity is
        unknown, but in Three Treasures.
    """
    document = instances.load(str(path))
    instance = document.only()
    return instances.state_of(instance, document.source)


def save(state: Any, path: str | Path) -> None:
    """Write a state as an instance file, which `load` reads as the same state."""
    instance = instances.Instance(game=state.game, rules=state.rules, position=state.position)
    text = json.dumps(instances.encode(instance), ensure_ascii=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def solve(
    state: Any,
    *,
    time: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    optimal: bool = False,
    metric: str = "moves",
    report: Callable[[Progress], None] | None = None,
    **asked: Any,
) -> Any:
    """Solve a position: decide it, or find what it is worth by what is known.

    Parameters
    ----------
    state : State
        A position of any game.
    time : float, optional
        Seconds that it may take.
    nodes : int, optional
        Positions that may be expanded: the limit to use for repeatable results.
    memory : int, optional
        MiB of search tables.
    optimal : bool, optional
        Whether a cheapest solution is sought, with a proof; of `solitaire2`.
    metric : str, optional
        What is least then: ``"moves"``, ``"card-moves"`` or ``"turns"``; see
        `hanasolve.solitaire2.shortest`.
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    asked : optional
        What only one game can be asked: ``objective``, ``seat``, ``values``, ``known`` and
        ``fixed`` of Hanafuda by Tamaki, see `hanasolve.tamaki.solve.solve`.

    Returns
    -------
    Result
        Of that game, for example `hanasolve.solitaire2.solve.Result`: what was proven, the witness,
        the nodes it took, and the limit that ended the search, if one did.
    """
    limits = Limits(time=time, nodes=nodes, memory=memory)
    if not hasattr(state, "game"):
        raise HanasolveError(f"a state is wanted, as deal and load give it, not {state!r:.40}")
    for name in asked:
        if name == "record" or name not in room(state.game, "answer").OPTIONS:
            raise HanasolveError(f"{state.game} cannot be asked for {name!r:.40}")
    if optimal:
        if "optimal" not in room(state.game, "answer").OPTIONS:
            raise HanasolveError(f"{state.game} has no solutions that could be optimal")
        return room(state.game, "shortest").shortest(state, limits, metric=metric, report=report)
    return room(state.game, "solve").solve(state, limits, report=report, **asked)
