"""Advice for a player who sees the own hand, the table, and what has been captured."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from hanasolve.cards import DECK_SIZE, shuffle, uniform_stream
from hanasolve.errors import HanasolveError
from hanasolve.search.limits import Limits, Meter, Report
from hanasolve.search.sampling import Average, Averages, worlds
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Position
from hanasolve.tamaki.rules import Rules
from hanasolve.tamaki.solve import VALUED, default_objective, solve
from hanasolve.tamaki.state import State

SAMPLES: Final = 200
"""Deals that are drawn when no limit is given: half a second for two seats."""


@dataclasses.dataclass(frozen=True)
class View:
    """What the seat to move knows of a position; unknown cards are None.

    Attributes
    ----------
    position : Position
    rules : Rules

    Raises
    ------
    HanasolveError
        When a card in the hand of the seat to move is unknown.
    """

    position: Position
    rules: Rules

    def __post_init__(self) -> None:
        if None in self.position.hands[self.position.turn]:
            raise HanasolveError(f"the hand of seat {self.position.turn}, which moves, is unknown")

    @classmethod
    def of(cls, position: Position, rules: Rules) -> View:
        """Give what the seat to move knows: what is told if cards are hidden, else what it sees."""
        position = dataclasses.replace(position, seat=position.turn)
        return cls(position if position.is_hidden else position.as_seen(rules), rules)

    @property
    def unknown(self) -> list[int]:
        """The cards that the player has not seen, in id order."""
        return sorted({*range(DECK_SIZE)}.difference(self.position.cards()))

    def worlds(self, uniform: Callable[[], float]) -> Iterator[State]:
        """Draw states uniformly from those that agree with the view.

        A filling is allowed if no hidden hand holds more cards of a month than a finished hand can:
        two, or three where threes need not be broken up. What the turns so far tell of hands is not
        in a position, so it is not used.
        """
        most = 2 if self.rules.hand_three == "compulsory" else 3

        def draw() -> State | None:
            cards = iter(shuffle(self.unknown, uniform))
            piles = [
                tuple(next(cards) if card is None else card for card in pile)
                for pile in (*self.position.hands, self.position.mountain)
            ]
            for hand, seen in zip(piles[:-1], self.position.hands, strict=True):
                months = Counter(card // 4 for card in hand)
                if None in seen and max(months.values()) > most:
                    return None
            hands, mountain = tuple(tuple(sorted(hand)) for hand in piles[:-1]), piles[-1]
            filled = dataclasses.replace(self.position, hands=hands, mountain=mountain)
            return State(filled, self.rules)

        return worlds(draw)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Advice:
    """What is advised.

    Attributes
    ----------
    objective : str
    seat : int
        The seat to move, which asks.
    moves : tuple of Average
        Best first, each with what the seat gets after it, in points: of a `Move` that ends when the
        drawn card is turned over, since what that captures is chosen later. With all cards known
        whole turns, exactly.
    exact : bool
        Whether all cards are known, so that the values are those of perfect play.
    samples : int
        Deals that were drawn.
    nodes : int
        Positions expanded in them.
    seconds : float
        Wall time.
    limit : str or None
        ``"time"``, ``"nodes"``, ``"memory"`` or ``"interrupt"``, when it ended the sampling.
    """

    objective: str
    seat: int
    moves: tuple[Average[Move], ...]
    exact: bool
    samples: int
    nodes: int
    seconds: float
    limit: str | None


def hint(
    view: View,
    limits: Limits | None = None,
    report: Report | None = None,
    *,
    objective: str | None = None,
    sample_seed: int = 0,
) -> Advice:
    """Advise the seat to move, by nothing but what it sees.

    Parameters
    ----------
    view : View
    limits : Limits, optional
        Of all deals together; without one of time or nodes `SAMPLES` deals are drawn.
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    objective : str, optional
        ``"margin"``, ``"paranoid"`` or ``"maxn"`` (of which the own score counts); by default
        ``"margin"`` for two seats, else ``"paranoid"``.
    sample_seed : int, optional
        Of the deals: the same seed and limit of nodes give the same advice.

    Returns
    -------
    Advice
        Estimates: see `hanasolve.search.sampling`. Each deal is solved exactly.

    Raises
    ------
    HanasolveError
        For an objective that there is not, and when no deal that the rules allow is found.
    """
    limits = limits or Limits()
    objective = objective or default_objective(view.position.players)
    if objective not in VALUED:
        raise HanasolveError(f"a hint is by {', '.join(VALUED)}, not by {objective[:40]}")
    meter = Meter(limits, report)
    seat = view.position.turn
    exact = not view.position.is_hidden
    is_limited = limits.time is not None or limits.nodes is not None
    averages: Averages[Move] = Averages()
    limit = meter.exceeded()
    samples = 1 if exact else None if is_limited else SAMPLES
    for state in itertools.islice(view.worlds(uniform_stream(sample_seed)), samples):
        if state.is_over or limit is not None:
            break
        left = dataclasses.replace(
            limits,
            time=None if limits.time is None else max(limits.time - meter.seconds, 0),
            nodes=None if limits.nodes is None else max(limits.nodes - meter.nodes, 0),
        )
        result = solve(state, left, objective=objective, seat=seat, values=True)
        meter.account(result.nodes)
        limit = result.limit or meter.exceeded()
        if result.limit is None:
            worth = dict(result.moves)
            values: dict[Move, float] = {}
            for move in state.legal_moves():
                value, decided = worth[move], move if exact else Move(move.play, move.capture)
                own = value[seat] if isinstance(value, tuple) else value
                values[decided] = max(own, values.get(decided, own))
            averages.add(values)
    return Advice(
        objective=objective,
        seat=seat,
        moves=averages.ranking(),
        exact=exact,
        samples=averages.samples,
        nodes=meter.nodes,
        seconds=meter.seconds,
        limit=limit,
    )
