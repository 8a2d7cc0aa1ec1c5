"""Rules as switches: what every game's ``Rules`` can do.

A game's ``Rules`` are a frozen dataclass whose fields are the switches, each with its default. What
a switch can be follows from its type; presets are rules with a name.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, Self, get_args, get_type_hints

from hanasolve.errors import RulesError, nearest

_LARGEST: Final = 1_000_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Switches:
    """Base of the rules of a game.

    Raises
    ------
    RulesError
        For a value that does not exist.
    """

    def __post_init__(self) -> None:
        for name in defaults(type(self)):
            self._check_value(name)

    @classmethod
    def presets(cls) -> Mapping[str, Self]:
        """Give the rules that have a name, ``"base"`` first."""
        raise NotImplementedError

    @classmethod
    def of(cls, what: str | Mapping[str, Any] | None = None) -> Self:
        """Make rules from what an instance file may hold.

        Parameters
        ----------
        what : str or mapping, optional
            A preset's name, or switches by name; a mapping may name a ``"preset"`` to start from.

        Returns
        -------
        Rules

        Raises
        ------
        RulesError
            For an unknown preset, switch or value, and for a combination without sense.
        """
        if what is None:
            return cls()
        if isinstance(what, str):
            return cls._preset(what)
        if not isinstance(what, Mapping):
            raise RulesError(f"rules are a preset's name or switches by name, not {what!r:.40}")
        switches = dict(what)
        preset = switches.pop("preset", "base")
        start = cls._preset(preset) if isinstance(preset, str) else None
        if start is None:
            raise RulesError("a preset is named by a text", "preset")
        known = defaults(cls)
        for name in switches:
            if name not in known:
                hint = nearest(name, known) or f"; there are {', '.join(known)}"
                raise RulesError(f"there is no switch {_shown(name)}{hint}", name)
        return dataclasses.replace(start, **switches)

    @classmethod
    def _preset(cls, name: str) -> Self:
        presets = cls.presets()
        if name not in presets:
            hint = nearest(name, presets)
            raise RulesError(
                f"there is no preset {_shown(name)}{hint}; there are {', '.join(presets)}", ""
            )
        return presets[name]

    def as_dict(self) -> dict[str, str | int | bool]:
        """Give all switches by name."""
        return dataclasses.asdict(self)

    def differing(self) -> dict[str, str | int | bool]:
        """Give the switches that differ from the base game."""
        default = defaults(type(self))
        return {name: value for name, value in self.as_dict().items() if value != default[name]}

    def name(self) -> str:
        """Give the preset's name, or the switches that differ from the base game."""
        for preset, rules in self.presets().items():
            if rules == self:
                return preset
        return ",".join(f"{key}={_written(value)}" for key, value in self.differing().items())

    def written(self) -> str | dict[str, str | int | bool]:
        """Give the rules as a file holds them, so that `of` makes the same ones."""
        name = self.name()
        return name if name in self.presets() else self.differing()

    def _check_value(self, name: str) -> None:
        value = getattr(self, name)
        allowed = choices(type(self), name)
        if not allowed:
            if type(value) is not int or not 0 <= value <= _LARGEST:
                raise RulesError(
                    f"{name} cannot be {_shown(value)}; it is 0 (no limit), 1, 2, 3, …", name
                )
        elif not any(type(value) is type(choice) and value == choice for choice in allowed):
            listed = ", ".join(map(_written, allowed))
            hint = nearest(value, [c for c in allowed if isinstance(c, str)])
            raise RulesError(f"{name} cannot be {_shown(value)}{hint}; it is one of {listed}", name)


def defaults(rules: type[Switches]) -> dict[str, Any]:
    """Give the switches of a game's rules with their defaults."""
    return {field.name: field.default for field in dataclasses.fields(rules)}


def choices(rules: type[Switches], switch: str) -> tuple[Any, ...]:
    """Give the values that a switch can take, its default first; none for a number."""
    hint = _HINTS(rules)[switch]
    if hint is bool:
        default = defaults(rules)[switch]
        return (default, not default)
    return get_args(hint)


_HINTS: Final[Callable[[Any], dict[str, Any]]] = functools.cache(get_type_hints)


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else _written(value)
    return text if len(text) <= 40 else text[:36] + "…"


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
