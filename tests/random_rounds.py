"""Random rules and positions of Hanafuda by Tamaki, for both the package and the reference."""

from __future__ import annotations

import dataclasses
import random

from hanasolve.switches import choices
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import YAKU, Rules
from hanasolve.tamaki.state import State
from tests.reference import tamaki as reference


def random_rules(chance: random.Random) -> Rules:
    """Give any combination of switches."""
    names = [field.name for field in dataclasses.fields(Rules)]
    return Rules(**{name: chance.choice(choices(Rules, name)) for name in names})


def random_round(seed: int, players: int, left: int, rules: Rules | None = None) -> State:
    """Deal, under random rules if none are given, and play at random until so many cards are left.

    In half of the rounds the captured cards of each yaku then go to one seat, so that there is
    something to complete, and in a quarter of them cards are taken from the mountain.
    """
    chance = random.Random(f"round {seed} of {players}")
    leader, drawn = chance.randrange(players), random_rules(chance)
    rules = rules or drawn
    state = State.deal(seed=chance.randrange(10**6), rules=rules, players=players, leader=leader)
    while sum(map(len, state.position.hands)) > left:
        state = state.apply(chance.choice(state.legal_moves()))
    position = dataclasses.replace(state.position, seat=chance.randrange(players))
    if chance.random() < 0.5:
        position = _with_yaku(position, chance)
    if chance.random() < 0.25:
        position = _with_less_to_draw(position, chance)
    return State(position, rules)


def _with_yaku(position: Position, chance: random.Random) -> Position:
    claims = [{*claim} for claim in position.claims]
    for cards in YAKU.values():
        captured = {card for claim in claims for card in claim & cards}
        for claim in claims:
            claim -= cards
        claims[chance.randrange(position.players)] |= captured
    return dataclasses.replace(position, claims=tuple(tuple(sorted(claim)) for claim in claims))


def _with_less_to_draw(position: Position, chance: random.Random) -> Position:
    count = chance.randint(0, len(position.mountain))
    first, *others = position.claims
    more = [card for card in position.mountain[count:] if card is not None]
    claims = (tuple(sorted((*first, *more))), *others)
    return dataclasses.replace(position, mountain=position.mountain[:count], claims=claims)


def as_reference(state: State) -> reference.State:
    """Give the same position for the reference."""
    position = state.position
    return reference.make(
        position.hands,  # type: ignore[arg-type]
        position.table,
        position.mountain,  # type: ignore[arg-type]
        position.claims,
        position.turn,
        reference.Rules(**state.rules.as_dict()),  # type: ignore[arg-type]
    )


def as_turn(move: Move) -> reference.Turn:
    """Give the same turn for the reference."""
    return reference.Turn(move.play, move.capture, move.draw, move.draw_capture)
