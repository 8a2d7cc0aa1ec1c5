"""Random rules, games and endgames of Solitaire #2, for both the kernel and the reference."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

from hypothesis import strategies as st

from hanasolve.solitaire2.position import Position
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.solve import Result
from hanasolve.solitaire2.state import State
from hanasolve.switches import choices
from tests.reference import solitaire2 as reference

_BY_CLASS_ONLY = ("foundation_order", "point_scale", "nonpoint_piles")


@st.composite
def all_rules(draw: st.DrawFn, /, **fixed: Any) -> Rules:
    """Give any sensible combination of switches; some may be fixed.

    Switches that need another one would seldom come together, so half of the time the piles are by
    class, alike in the third and fourth place, and in some order.
    """
    switches: dict[str, Any] = {}
    if not fixed and draw(st.booleans()):
        fixed = {"foundation_suits": "by_class", "nonpoint_piles": "interchangeable"}
    for field in dataclasses.fields(Rules):
        name = field.name
        if name in fixed:
            switches[name] = fixed[name]
        elif name == "max_passes":
            switches[name] = draw(st.sampled_from([0, 0, 1, 2, 3]))
        elif name not in _BY_CLASS_ONLY or switches["foundation_suits"] == "by_class":
            switches[name] = draw(st.sampled_from(choices(Rules, name)))
    return Rules(**switches)


def reference_rules(rules: Rules) -> reference.Rules:
    """Give the same rules for the reference."""
    return reference.Rules(**rules.as_dict())  # type: ignore[arg-type]


def as_reference(position: Position) -> reference.Position:
    """Give the same position for the reference."""
    fields = {field.name: getattr(position, field.name) for field in dataclasses.fields(position)}
    return reference.Position(**fields)


def assert_replays(state: State, result: Result) -> None:
    """Replay a solution with the reference, which knows nothing of the search."""
    rules, position = reference_rules(state.rules), as_reference(state.position)
    assert result.moves is not None
    for move in result.moves:
        position = reference.apply(rules, position, str(move))
    assert reference.is_won(position)
    assert result.length == len(result.moves)
    assert result.lower_bound is not None
    assert result.lower_bound <= len(result.moves)


def random_state(rules: Rules, seed: int, moves: int) -> State:
    """Play random moves, mostly to the foundations when that is possible, from a random deal."""
    chance = random.Random(seed)
    state = State.deal(chance.sample(range(48), 48), rules=rules)
    for _ in range(moves):
        legal = state.legal_moves()
        if not legal:
            break
        ups = [move for move in legal if move.target == "pile"]
        state = state.apply(chance.choice(ups if ups and chance.random() < 0.7 else legal))
    return state


def random_endgame(rules: Rules, seed: int, cards: int) -> State:
    """Deal the last cards of a game at random over columns, stock and waste; the rest is up.

    The foundations obey every rule; the cards left are those that the piles still need.
    """
    chance = random.Random(seed)
    heights = [12, 12, 12, 12]
    for _ in range(cards):
        # Under an order of the piles a later one may not run ahead of what the order allows.
        may = [p for p in range(4) if heights[p] and _may_sink(rules, heights, p)]
        heights[chance.choice(may)] -= 1
    piles: list[tuple[int, ...]] = [(), (), (), ()]
    for month in range(12):
        of_month = [4 * month + k for k in range(4)]
        chance.shuffle(of_month)
        for pile in sorted(range(4), key=lambda p: -heights[p]):
            if heights[pile] > month:
                card = next(c for c in of_month if rules.takes(pile, c))
                of_month.remove(card)
                piles[pile] += (card,)
    up = {card for pile in piles for card in pile}
    left = [card for card in range(48) if card not in up]
    chance.shuffle(left)
    columns: list[list[int]] = [[] for _ in range(6)]
    stock: list[int] = []
    in_stock = chance.choice([0.0, 0.2, 0.4])
    for card in left:
        (stock if chance.random() < in_stock else chance.choice(columns)).append(card)
    if chance.random() < 0.5:
        _build_runs(rules, columns)
    waste = chance.randint(0, len(stock))
    down, runs = zip(*(_turned_up(rules, column, chance) for column in columns), strict=True)
    return State(
        Position(
            down=down,
            up=runs,
            stock=tuple(stock[waste:]),
            waste=tuple(stock[:waste]),
            foundations=tuple(piles),
            turns=chance.randint(0, rules.max_passes - 1) if rules.max_passes else 0,
        ),
        rules,
    )


def _may_sink(rules: Rules, heights: list[int], pile: int) -> bool:
    if rules.foundation_suits == "any" or rules.foundation_order == "none":
        return True
    least = 11 if rules.foundation_order == "completion" else 0
    return all(heights[later] <= least for later in range(pile + 1, 4))


def _build_runs(rules: Rules, columns: list[list[int]]) -> None:
    """Lay the last card of each column onto another one that it fits, as play would."""
    for column in columns:
        for other in columns:
            while column and other and rules.fits(column[-1], other[-1]):
                other.append(column.pop())


def _turned_up(
    rules: Rules, column: list[int], chance: random.Random
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split a column into face-down cards and a legal run."""
    start = max(len(column) - 1, 0)
    while start > 0 and chance.random() < 0.7 and rules.fits(column[start], column[start - 1]):
        start -= 1
    return tuple(column[:start]), tuple(column[start:])
