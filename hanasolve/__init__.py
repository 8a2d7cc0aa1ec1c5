"""hanasolve solves, proves and advises on hanafuda games.

What is named here is imported when it is first used, so that ``import hanasolve`` costs nothing.

Examples
--------
>>> import hanasolve
>>> state = hanasolve.deal("solitaire2", seed=1, rules="klondike12")
>>> [str(move) for move in state.legal_moves()]
['draw', '6-3x1']
>>> result = hanasolve.solve(state, time=10)
>>> result.status.value
'solved'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hanasolve.api import deal, load, save, solve
    from hanasolve.errors import (
        CardError,
        HanasolveError,
        InstanceError,
        MoveError,
        RulesError,
    )
    from hanasolve.search.limits import Limits, Progress
    from hanasolve.search.result import Status

__version__ = "0.1.0"

__all__ = [
    "CardError",
    "HanasolveError",
    "InstanceError",
    "Limits",
    "MoveError",
    "Progress",
    "RulesError",
    "Status",
    "deal",
    "load",
    "save",
    "solve",
]

_HOMES: Final = {
    "hanasolve.api": ("deal", "load", "save", "solve"),
    "hanasolve.errors": ("CardError", "HanasolveError", "InstanceError", "MoveError", "RulesError"),
    "hanasolve.search.limits": ("Limits", "Progress"),
    "hanasolve.search.result": ("Status",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'hanasolve' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
