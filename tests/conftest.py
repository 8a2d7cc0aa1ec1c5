"""What the tests of the command line share: running a command, and what it did."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from hanasolve.cli import main

Object = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Object]:
        """Read standard output, of which every line must be a JSON object."""
        assert self.out.endswith("\n")
        objects = [json.loads(line) for line in self.out.removesuffix("\n").split("\n")]
        assert all(isinstance(value, dict) for value in objects)
        return objects

    @property
    def object(self) -> Object:
        """Read standard output, which must be exactly one JSON object."""
        (value,) = self.objects
        return value

    @property
    def pointer(self) -> str:
        """Give the pointer of the one error that standard output must be."""
        error = self.object
        assert error.keys() == {"error"}
        assert error["error"].keys() == {"pointer", "message"}
        assert error["error"]["message"]
        return str(error["error"]["pointer"])


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in this process."""

    def command(*arguments: object) -> Run:
        capsys.readouterr()
        exit_code = main([str(argument) for argument in arguments])
        caught = capsys.readouterr()
        return Run(exit_code, caught.out, caught.err)

    return command


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command that must end as wrong usage; gives what it says."""

    def command(*arguments: object) -> str:
        capsys.readouterr()
        exit_code: object = None
        try:
            exit_code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            exit_code = end.code
        caught = capsys.readouterr()
        assert exit_code == 2
        assert caught.out == ""
        assert caught.err
        return caught.err

    return command
