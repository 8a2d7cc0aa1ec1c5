"""Asking one question of every instance of the input, in its order, in processes if wanted."""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from hanasolve import interrupts
from hanasolve.cli import common
from hanasolve.errors import InstanceError

if TYPE_CHECKING:
    from hanasolve.instances import Document, Instance
    from hanasolve.search.limits import Limits, Progress

_CODES: Final = {
    "solved": common.ANSWERED,
    "unsolvable": common.UNSOLVABLE,
    "undecided": common.LEFT_OPEN,
}
_WAITING_PER_WORKER: Final = 4


def add_workers(command: argparse.ArgumentParser) -> None:
    """Add ``--workers``."""
    command.add_argument(
        "--workers",
        type=common.positive_integer,
        default=1,
        metavar="N",
        help="processes for a JSON Lines file; results do not depend on it",
    )


def give(options: argparse.Namespace, room: str, asked: dict[str, Any]) -> int:
    """Answer a question about every instance of the input; gives the exit code.

    Parameters
    ----------
    options : Namespace
        Input, limits, ``--workers`` and ``--json``.
    room : str
        The game's module that answers: ``"answer"`` or ``"advice"``. It may have a ``state_of`` of
        its own, for positions that are no states.
    asked : dict
        What it must know besides.
    """
    from hanasolve.report.progress import progress

    document = common.document_of(options)
    style = "json" if options.json else "line" if document.is_lines else "full"
    job = _Job(room, common.limits_of(options), asked, style, is_lines=document.is_lines)
    codes = set()
    with progress() as report, _answers(job, document, options.workers, report) as answers:
        for answer in answers:
            report.clear()
            codes.add(_write(answer, options, is_lines=document.is_lines))
            if answer.interrupted:
                raise KeyboardInterrupt
    if not document.is_lines:
        return max(codes)
    return next((c for c in (common.INVALID, common.LEFT_OPEN) if c in codes), common.ANSWERED)


class _Job:
    """What is done with an instance; it can be sent to another process."""

    def __init__(
        self, room: str, limits: Limits, asked: dict[str, Any], style: str, *, is_lines: bool
    ) -> None:
        self._room = room
        self._limits = limits
        self._asked = asked
        self._style = style
        self._is_lines = is_lines

    def __call__(
        self,
        item: Instance | InstanceError,
        source: str,
        report: Callable[[Progress], None] | None = None,
    ) -> _Answer:
        from hanasolve import instances

        if isinstance(item, InstanceError):
            return _Answer(item.id, error=item)
        room = common.answer_room(item.game, self._room, self._asked)
        try:
            state = getattr(room, "state_of", instances.state_of)(item, source)
        except InstanceError as error:
            return _Answer(item.id, error=error)
        with interrupts.noted() as stop:
            limits = dataclasses.replace(self._limits, stop=stop)
            result = room.answer(state, limits, report, **self._asked)
        if stop() and not room.is_something(result):
            return _Answer(item.id, interrupted=True)
        return _Answer(
            item.id,
            text=self._written(item, result, room),
            status=room.status(result, self._asked).value,
            interrupted=stop(),
        )

    def _written(self, item: Instance, result: Any, room: Any) -> str:
        """Give an answer as it is written to standard output."""
        if self._style == "json":
            name = {} if item.id is None and not self._is_lines else {"id": item.id}
            rules = {"game": item.game, "rules": item.rules.as_dict()}
            return json.dumps({**name, **rules, **room.as_dict(item, result)})
        if self._style == "line" or self._asked.get("verdict_only"):
            line: str = room.in_a_line(item, result, title=item.id if self._is_lines else None)
            return line
        words: str = room.in_words(item, result)
        return words


class _Answer:
    """What is written of an instance, or the error that stands in its place."""

    def __init__(
        self,
        id: str | int | None,
        *,
        text: str | None = None,
        status: str = "undecided",
        error: InstanceError | None = None,
        interrupted: bool = False,
    ) -> None:
        self.id = id
        self.text = text
        self.status = status
        self.error = error
        self.interrupted = interrupted


@contextlib.contextmanager
def _answers(
    job: _Job,
    document: Document,
    workers: int,
    report: Callable[[Progress], None],
) -> Iterator[Iterator[_Answer]]:
    """Give the answers in the order of the items, from other processes if there are workers."""

    def source(line: int | None) -> str:
        return document.source if line is None else f"{document.source}:{line}"

    if workers == 1:
        yield (job(item, source(line), report) for line, item in document.items)
        return
    import multiprocessing
    import signal
    from concurrent.futures import Future, ProcessPoolExecutor

    # An interrupt is for this process alone, which then ends the workers in the middle of a search.
    ignore_interrupts = signal.signal, (signal.SIGINT, signal.SIG_IGN)
    context = multiprocessing.get_context("spawn")
    before = signal.getsignal(signal.SIGINT)
    try:
        with ProcessPoolExecutor(workers, context, *ignore_interrupts) as pool:

            def in_order() -> Iterator[_Answer]:
                waiting: collections.deque[Future[_Answer]] = collections.deque()
                for line, item in document.items:
                    waiting.append(pool.submit(job, item, source(line)))
                    if len(waiting) >= workers * _WAITING_PER_WORKER:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()

            try:
                yield in_order()
            except BaseException:
                # What ends them is not to be interrupted again.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for child in multiprocessing.active_children():
                    child.terminate()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        signal.signal(signal.SIGINT, before)


def _write(answer: _Answer, options: argparse.Namespace, *, is_lines: bool) -> int:
    """Write an answer; gives the exit code that it would have by itself."""
    if answer.error is not None:
        if not is_lines:
            raise answer.error
        if options.json:
            common.write_json({"id": answer.id, **common.error_as_json(answer.error)})
        else:
            common.refuse(answer.error)
        return common.INVALID
    if answer.text is not None:
        print(answer.text, flush=True)
    return _CODES[answer.status]
