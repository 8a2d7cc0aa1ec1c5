"""``hanasolve deal``: make instances from seeds."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from typing import Any

from hanasolve.cli import common


def add(commands: Any) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "deal", help="make an instance from a seed", description=__doc__
    )
    common.add_deal(command)
    command.add_argument(
        "-n", type=common.positive_integer, metavar="N", help="N instances, as JSON Lines"
    )
    command.add_argument(
        "--choose",
        action="store_true",
        help="of tamaki: ask which of three cards of a month a hand exchanges; else chance says",
    )
    verdict = command.add_mutually_exclusive_group()
    verdict.add_argument("--solvable", action="store_true", help="only deals that can be won")
    verdict.add_argument("--unsolvable", action="store_true", help="only deals proven lost")
    common.add_limits(command)
    common.add_json(command, "changes nothing: instances are JSON anyway")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the instances; with a filter, seeds whose verdict a limit left open are passed over."""
    from hanasolve.games import SEATED, room
    from hanasolve.instances import envelope

    rules = common.rules_of(options)
    dealt: dict[str, Any] = {**common.seating_of(options)}
    if options.choose:
        if options.game not in SEATED:
            raise common.UsageError(f"in {options.game} nobody chooses; leave out --choose")
        dealt["choose"] = _Asker(may_decline=rules.hand_three == "optional")
    seeds: Iterator[int] = itertools.count(options.seed or 0)
    if options.solvable or options.unsolvable:
        seeds = _filtered(seeds, options, rules)
    for seed in itertools.islice(seeds, options.n or 1):
        head = envelope(options.game, rules, id=f"seed-{seed}")
        common.write_json(head | room(options.game, "instance").write_deal(seed, rules, **dealt))
    return common.ANSWERED


class _Asker:
    """Asks a person which of three cards is exchanged: on standard error, until it is one."""

    def __init__(self, *, may_decline: bool) -> None:
        self._decline = {"-": None} if may_decline else {}

    def __call__(self, seat: int, three: tuple[int, ...], hand: tuple[int, ...]) -> int | None:
        from hanasolve.cards import CODES

        answers = {CODES[card]: card for card in three} | self._decline
        while True:
            print(f"seat {seat} holds {' '.join(CODES[card] for card in hand)}", file=sys.stderr)
            print(f"exchange {' or '.join(answers)}? ", end="", file=sys.stderr, flush=True)
            answer = sys.stdin.readline()
            if not answer:
                raise common.UsageError("standard input ended before all cards were chosen")
            if answer.strip() in answers:
                return answers[answer.strip()]


def _filtered(seeds: Iterator[int], options: argparse.Namespace, rules: Any) -> Iterator[int]:
    """Give the seeds whose deal has the verdict that is wanted."""
    from hanasolve.games import room
    from hanasolve.search.result import Status

    wanted = Status.SOLVED if options.solvable else Status.UNSOLVABLE
    limits, asked = common.limits_of(options), {"verdict_only": True}
    answers = common.answer_room(options.game, "answer", asked)
    for seed in seeds:
        state = room(options.game, "state").State.deal(seed=seed, rules=rules)
        status = answers.status(answers.answer(state, limits, **asked), asked)
        if status is wanted:
            yield seed
        elif status is Status.UNDECIDED:
            print(f"hanasolve: a limit left seed {seed} open; passed over", file=sys.stderr)
