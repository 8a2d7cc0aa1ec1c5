"""The README's examples do what it says: Python blocks as doctests, console blocks as commands."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import hanasolve.solitaire2.position
import hanasolve.solitaire2.solve
import hanasolve.solitaire2.state
import hanasolve.tamaki.move
import hanasolve.tamaki.state
import hanasolve.treasures.game
import hanasolve.treasures.move
import hanasolve.treasures.state
from hanasolve import document, instances
from hanasolve.cli import main
from hanasolve.games import GAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ELLIPSIS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=ELLIPSIS).run(test).failed == 0


def commands() -> list[tuple[str, str]]:
    """Give each ``$ hanasolve …`` of the README with the output that it shows."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("hanasolve "):
                found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), commands())
def test_console(
    command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    main(shlex.split(command)[1:])
    shown = capsys.readouterr().out
    assert doctest.OutputChecker().check_output(output, shown, doctest.ELLIPSIS), shown


def test_the_two_commands_are_there() -> None:
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^\$ make (\w+)", README, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", make, flags=re.MULTILINE)
    assert len(commands()) >= 4


@pytest.mark.parametrize(
    "module",
    [
        hanasolve,
        document,
        instances,
        hanasolve.solitaire2.position,
        hanasolve.solitaire2.state,
        hanasolve.solitaire2.solve,
        hanasolve.treasures.move,
        hanasolve.treasures.state,
        hanasolve.treasures.game,
        hanasolve.tamaki.move,
        hanasolve.tamaki.state,
    ],
    ids=lambda module: module.__name__,
)
def test_docstrings(module: object) -> None:
    results = doctest.testmod(module, optionflags=doctest.ELLIPSIS)  # type: ignore[arg-type]
    assert results.attempted > 0
    assert results.failed == 0


def as_expected(game: str, state: Any, expect: Mapping[str, Any]) -> bool:
    """Whether a position is what its file says."""
    asked = {name: expect[name] for name in ("objective", "seat") if name in expect}
    result = hanasolve.solve(state, **asked)
    if game == "treasures":
        low, high = result.value
        return bool(result.exact and low <= Fraction(expect["value"]) <= high)
    if game == "tamaki":
        value = [*result.value] if isinstance(result.value, tuple) else result.value
        return bool(result.optimal and value == expect["value"])
    return bool(result.status.value == expect["status"])


@pytest.mark.parametrize("game", GAMES)
def test_every_instance_is_described_and_as_expected(game: str) -> None:
    listed = (ROOT / "instances" / "README.md").read_text(encoding="utf-8")
    listed = listed[listed.index(f"## `{game}/`") :].split("\n## ")[0]
    for path in sorted((ROOT / "instances" / game).iterdir()):
        assert f"`{path.name}`" in listed
        if path.suffix == ".json":
            instance = instances.load(str(path)).only()
            assert (instance.game, instance.id) == (game, path.stem)
            assert instance.note
            if instance.expect:
                assert as_expected(game, hanasolve.load(path), instance.expect)
