"""Write the golden playthroughs and perft numbers; only the reference game is asked.

Run it from the top of a checkout as ``python -m tests.golden.make``.
"""

from __future__ import annotations

import dataclasses
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.reference import solitaire2 as game

FOLDER = Path(__file__).parent
MOST_MOVES = 150
PERFT_DEPTH = 5

# Of the first 300 seeds one whose game gets far, or where passes are limited uses them up.
SEEDS = {
    "base": 105,
    "rule1": 25,
    "rule2": 29,
    "rule3": 207,
    "rule12": 165,
    "rule13": 7,
    "rule23": 44,
    "rule123": 50,
    "klondike12": 207,
    "returns": 10,
    "interchangeable": 57,
}

RULES = {
    **game.PRESETS,
    "returns": game.Rules(
        foundation_return=True,
        run_moves="any_suffix",
        tableau_step="any_earlier",
        empty_column="any",
        draw_count=1,
    ),
    "interchangeable": game.Rules(
        foundation_suits="by_class",
        point_scale="hawaii",
        nonpoint_piles="interchangeable",
        foundation_return=True,
        tableau_step="any_earlier",
        empty_column="any",
        draw_count=2,
    ),
}

PERFT_RULES = {
    **{name: game.PRESETS[name] for name in ("base", "rule1", "rule2", "rule12", "klondike12")},
    "foundation_return": game.Rules(foundation_return=True),
}


def deck_of(seed: int) -> list[int]:
    """Shuffle 0..47 as the seed tells (Fisher and Yates)."""
    uniform = random.Random(seed).random
    deck = list(range(48))
    for i in range(47, 0, -1):
        j = math.floor(uniform() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    return deck


PERFT_DECKS = {"ordered": list(range(48)), "seed 1": deck_of(1)}


def differing(rules: game.Rules) -> dict[str, Any]:
    """Give the switches that are not at their default."""
    default = dataclasses.asdict(game.Rules())
    return {name: now for name, now in dataclasses.asdict(rules).items() if now != default[name]}


def choose(moves: list[str], uniform: Callable[[], float]) -> str:
    """Choose a move: four times in five one that brings a card up, else mostly another card's."""

    def one_of(some: list[str]) -> str:
        return some[math.floor(uniform() * len(some))]

    up = [move for move in moves if "-F" in move]
    if up and uniform() < 0.8:
        return one_of(up)
    cards = [move for move in moves if "-" in move and move not in up and move[0] != "F"]
    if cards and uniform() < 0.6:
        return one_of(cards)
    return one_of(moves)


def play(rules: game.Rules, seed: int) -> tuple[list[tuple[str, list[str]]], game.Position]:
    """Play a random game; gives each step's move and legal moves, and the final position."""
    uniform = random.Random(f"golden {seed}").random
    position = game.deal(deck_of(seed))
    steps: list[tuple[str, list[str]]] = []
    while len(steps) < MOST_MOVES and (moves := sorted(game.legal_moves(rules, position))):
        move = choose(moves, uniform)
        steps.append((move, moves))
        position = game.apply(rules, position, move)
    return steps, position


def playthrough(name: str) -> str:
    """Give the text of a golden file, a step a line: the move, then the legal moves."""
    rules, seed = RULES[name], SEEDS[name]
    steps, final = play(rules, seed)
    head = {"rules": differing(rules), "deck": deck_of(seed)}
    lines = [json.dumps([move, " ".join(moves)]) for move, moves in steps]
    end = {
        "legal": " ".join(sorted(game.legal_moves(rules, final))),
        "down": final.down,
        "up": final.up,
        "stock": final.stock,
        "waste": final.waste,
        "foundations": final.foundations,
        "turns": final.turns,
    }
    start = f'{{"start": {json.dumps(head)},\n"steps": [\n'
    return start + ",\n".join(lines) + f'\n],\n"end": {json.dumps(end)}}}\n'


def perft(depth: int) -> dict[str, dict[str, list[int]]]:
    """Count the sequences of 1, 2, … moves for every deck and rules."""
    return {
        deck_name: {
            name: [game.perft(rules, game.deal(deck), n) for n in range(1, depth + 1)]
            for name, rules in PERFT_RULES.items()
        }
        for deck_name, deck in PERFT_DECKS.items()
    }


def perft_text() -> str:
    """Give the text of the file of perft numbers, a deck and rules a line."""
    decks = [
        f'"{deck}": {{\n'
        + ",\n".join(f'"{name}": {json.dumps(counts)}' for name, counts in rows.items())
        + "\n}"
        for deck, rows in perft(PERFT_DEPTH).items()
    ]
    return "{\n" + ",\n".join(decks) + "\n}\n"


def main() -> None:
    """Write all files."""
    for name in RULES:
        (FOLDER / f"{name}.json").write_text(playthrough(name), encoding="utf-8")
    (FOLDER / "perft.json").write_text(perft_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
