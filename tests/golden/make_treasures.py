"""Write golden games and perft numbers of Three Treasures; only the reference game is asked.

Run it from the top of a checkout as ``python -m tests.golden.make_treasures``.
"""

from __future__ import annotations

import functools
import json
import math
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.reference import treasures as game

FOLDER = Path(__file__).parent / "treasures"
INSTANCES = Path(__file__).parent.parent.parent / "instances" / "treasures"
PERFT_DEPTH = 5
PERFT_OF = ("acted", "dispel", "kill", "nested", "restricted", "start", "switches")

# Of the first 400 seeds one with as many kinds of events as there are; three are won.
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "base": (250, {}),
    "merge": (2, {"covered_trial": "merge", "kill_pick": "look", "end_redraw": "always"}),
    "stays_bottom": (229, {"reshuffle_moon": "stays_bottom", "lightning_redraw": True}),
    "lost": (173, {"blue_source": "hand", "animal_cards": "tane", "win_check": "before_redraw"}),
}


class Table:
    """A game in the one world that is true, and what happens in it."""

    def __init__(self, rules: game.Rules, seed: int) -> None:
        self.rules = rules
        self.stream = random.Random(f"golden {seed}")
        self.belief = game.known_belief(rules, game.deal(seed, rules))
        self.steps: list[list[str]] = []

    def play(self) -> None:
        """Play to the end; a step is an event and, at a decision, what else was legal."""
        while game.is_over(self.rules, self.belief) is None:
            deck = self.belief.worlds[0][0].deck
            legal = sorted(game.actions(self.rules, self.belief))
            shuffled: list[tuple[int, ...]] = []
            event = self._step(legal, shuffled)
            self.steps.append([event, " | ".join(legal)])
            while self.belief.phase in ("penalty draw", "cover", "look"):
                ((_, _, self.belief),) = game.chance(self.rules, self.belief)
            over = game.is_over(self.rules, self.belief) is not None
            formed = [card for card in self.belief.worlds[0][0].trial if card in deck]
            told = [("trial", formed)] if formed else []
            told += [("shuffle", [*order]) for order in shuffled]
            for verb, cards in () if over else told:
                self.steps.append([" ".join([verb, *map(game.code, cards)]), ""])

    def _step(self, legal: list[str], shuffled: list[tuple[int, ...]]) -> str:
        def one_order(rules: game.Rules, cards: Iterable[int]) -> list[tuple[int, ...]]:
            mixed = game.shuffled(sorted(cards), self.stream)
            if rules.reshuffle_moon == "stays_bottom" and game.MOON in mixed:
                mixed.remove(game.MOON)
                mixed.append(game.MOON)
            if mixed and mixed != [game.MOON]:
                shuffled.append(tuple(mixed))
            return [tuple(mixed)]

        orders, game.orders = game.orders, one_order
        try:
            if legal:
                event = self._choose(legal)
                self.belief = game.apply(self.rules, self.belief, event)
                return event
            verb, look, then = game.CHANCE[self.belief.phase]
            shown = game.show(self.belief, look)
            _, card, after = shown[math.floor(self.stream.random() * len(shown))]
            self.belief = then(self.rules, after, card)
            return f"{verb} {game.code(card)}"
        finally:
            game.orders = orders

    def _choose(self, legal: list[str]) -> str:
        treasures = [text for text in legal if text in self._wanted()]
        others = [text for text in legal if not text.startswith("starve")]
        some = treasures or others or legal
        return some[math.floor(self.stream.random() * len(some))]

    def _wanted(self) -> set[str]:
        cards = game.TREASURES | {game.MOON}
        return {f"{verb} {game.code(card)}" for verb in ("keep", "take") for card in cards}


def playthrough(name: str) -> str:
    """Give the text of a golden file, a step a line: the event, then the legal actions."""
    seed, switches = GAMES[name]
    table = Table(game.Rules(**switches), seed)
    table.play()
    head = json.dumps({"rules": switches, "seed": seed})
    won = json.dumps(game.is_over(table.rules, table.belief) == 1)
    lines = ",\n".join(json.dumps(step) for step in table.steps)
    return f'{{"start": {head},\n"steps": [\n{lines}\n],\n"won": {won}}}\n'


def perft_text() -> str:
    """Give the text of the file of perft numbers, an instance a line."""
    rows = []
    for name in PERFT_OF:
        rules, belief = game.belief_of(json.loads((INSTANCES / f"{name}.json").read_text()))
        counts = [game.perft(rules, belief, depth) for depth in range(1, PERFT_DEPTH + 1)]
        rows.append(f'"{name}": {json.dumps(counts)}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def files() -> dict[str, Callable[[], str]]:
    """Give every file with what writes it."""
    games = {name: functools.partial(playthrough, name) for name in GAMES}
    return {**games, "perft": perft_text}


def main() -> None:
    """Write all files."""
    for name, write in files().items():
        (FOLDER / f"{name}.json").write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main()
