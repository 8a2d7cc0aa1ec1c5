"""The games by name. Each is a folder with the same rooms: rules, state, instance, solve, …."""

from __future__ import annotations

import importlib
from typing import Any, Final

from hanasolve.errors import HanasolveError, nearest

GAMES: Final = ("solitaire2", "treasures", "tamaki")
GAMES_TO_COME: Final = ("tamaki",)


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
