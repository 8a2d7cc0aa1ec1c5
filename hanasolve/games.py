"""The games by name. Each is a folder with the same rooms: rules, state, instance, solve, …."""

from __future__ import annotations

import importlib
from typing import Any, Final

from hanasolve.errors import HanasolveError, nearest

GAMES: Final = ("solitaire2", "treasures", "tamaki")
SEATED: Final = ("tamaki",)
"""Those that several seats play: dealt for a number of players, one of whom leads."""


def seating(game: str, **seated: int | None) -> dict[str, int]:
    """Give how a deal is to be seated (``players``, ``leader``), None left out.

    Raises
    ------
    HanasolveError
        When the game has no seats and something is given.
    """
    given = {name: number for name, number in seated.items() if number is not None}
    if given and game not in SEATED:
        raise HanasolveError(f"{game} has one player; leave out {', '.join(given)}")
    return given


def room(game: str, name: str) -> Any:
    """Give a module of a game, imported when it is first asked for.

    Raises
    ------
    HanasolveError
        When there is no such game.
    """
    if game not in GAMES:
        hint = nearest(game, GAMES) or f"; there is {', '.join(GAMES)}"
        raise HanasolveError(f"there is no game {game[:40]!r}{hint}")
    return importlib.import_module(f"hanasolve.{game}.{name}")
