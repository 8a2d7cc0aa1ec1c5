"""The graph of all that can follow a position, for any game whose chances are exact."""

from __future__ import annotations

import dataclasses
import itertools
from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol, Self

from hanasolve.search.limits import Limits, Meter, Progress

_AT_ONCE: Final = 20
"""States expanded before the limits are looked at: some milliseconds."""
_KNOWN_BYTES: Final = 600
"""What a state that was met takes while the graph is explored, measured: its key in the table."""
_WAITING_BYTES: Final = 200
"""What a state that is yet to be expanded takes besides, measured."""
_MIB: Final = 1 << 20
_CERTAIN: Final = Fraction(1)


class GameState(Protocol):
    """What is asked of a game's state."""

    @property
    def words(self) -> Hashable:
        """The packed position: of states with the same one all that follows is the same."""

    @property
    def is_won(self) -> bool:
        """Whether the game is won."""

    def legal_moves(self) -> Sequence[Any]:
        """All that can happen next; the text of a move is its notation."""

    def outcomes(self) -> Sequence[tuple[Any, Fraction]]:
        """What chance may do next, with the probabilities; none when it is not to move."""

    def apply(self, move: Any, /) -> Self:
        """Give the state after a move."""


@dataclasses.dataclass(frozen=True, slots=True)
class Choice:
    """What can be done in a state.

    Attributes
    ----------
    text : str or None
        The player's move; None when chance is to move.
    outcomes : tuple of (int, Fraction)
        The states that may follow, in order, with their probabilities.
    """

    text: str | None
    outcomes: tuple[tuple[int, Fraction], ...]


class Graph:
    """States, numbered from 0, and what can be done in each.

    They are kept in flat arrays: 9 bytes for a state, 12 for a choice and 8 for an outcome.

    Attributes
    ----------
    limit : str or None
        ``"time"``, ``"nodes"`` or ``"memory"``, when it ended the search: then there are states
        that are not here.
    seconds : float
        How long the search took.
    """

    def __init__(self) -> None:
        self.limit: str | None = None
        self.seconds = 0.0
        self._won = bytearray()
        # Where the choices of each state end, and the outcomes of each choice.
        self._ends = array("Q", [0])
        self._texts = array("I")
        self._outcome_ends = array("Q", [0])
        self._targets = array("I")
        self._chances = array("I")
        # Texts and chances by number, each once.
        self._text_numbers: dict[str | None, int] = {}
        self._chance_numbers: dict[Fraction, int] = {}

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self._won)

    @property
    def choices(self) -> int:
        """The number of choices of all states."""
        return len(self._texts)

    @property
    def transitions(self) -> int:
        """The number of outcomes of all choices."""
        return len(self._targets)

    @property
    def won(self) -> int:
        """The number of states in which the game is won."""
        return sum(self._won)

    @property
    def lost(self) -> int:
        """The number of states in which it is lost: nothing can be done."""
        return sum(start == end for start, end in itertools.pairwise(self._ends)) - self.won

    @property
    def nbytes(self) -> int:
        """The size of the arrays."""
        arrays = self._ends, self._texts, self._outcome_ends, self._targets, self._chances
        return self.states + sum(len(part) * part.itemsize for part in arrays)

    def append(self, choices: Iterable[Choice], *, is_won: bool) -> None:
        """Add the next state."""
        for choice in choices:
            for target, chance in choice.outcomes:
                self._targets.append(target)
                self._chances.append(_number(self._chance_numbers, chance))
            self._texts.append(_number(self._text_numbers, choice.text))
            self._outcome_ends.append(len(self._targets))
        self._ends.append(len(self._texts))
        self._won.append(is_won)

    def is_won(self, state: int) -> bool:
        """Whether the game is won in a state."""
        return bool(self._won[state])

    def __iter__(self) -> Iterator[list[Choice]]:
        """Give the choices of each state, in order: none where the game is over."""
        texts, chances = [*self._text_numbers], [*self._chance_numbers]

        def choice(number: int) -> Choice:
            outcomes = range(self._outcome_ends[number], self._outcome_ends[number + 1])
            return Choice(
                texts[self._texts[number]],
                tuple((self._targets[at], chances[self._chances[at]]) for at in outcomes),
            )

        for state in range(self.states):
            yield [choice(number) for number in range(self._ends[state], self._ends[state + 1])]


def _number(numbers: dict[Any, int], thing: Hashable) -> int:
    """Give the number of a thing, the next one if it is new."""
    return numbers.setdefault(thing, len(numbers))


def explore(
    state: GameState,
    limits: Limits | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Graph:
    """Find all that can follow a state.

    Parameters
    ----------
    state : GameState
        Of any game whose states give the outcomes of chance.
    limits : Limits, optional
        What it may use; a node is a state whose choices are found.
    report : callable, optional
        Called with a `Progress` now and then.

    Returns
    -------
    Graph
        States with the same packed position are one. They are numbered as a breadth-first search
        meets them, the same on every run; the first is the one asked about.
    """
    limits = limits or Limits()
    meter = Meter(limits, report)
    graph = Graph()
    numbers: dict[Hashable, int] = {state.words: 0}
    waiting = deque([state])

    def number(after: GameState) -> int:
        if after.words not in numbers:
            numbers[after.words] = len(numbers)
            waiting.append(after)
        return numbers[after.words]

    while waiting and graph.limit is None:
        count = min(meter.next_slice(), len(waiting), _AT_ONCE)
        for _ in range(count):
            now = waiting.popleft()
            graph.append(_choices(now, number), is_won=now.is_won)
        meter.account(count)
        used = graph.nbytes + len(numbers) * _KNOWN_BYTES + len(waiting) * _WAITING_BYTES
        if waiting:
            graph.limit = "memory" if used > limits.memory * _MIB else meter.exceeded()
    graph.seconds = meter.seconds
    return graph


def _choices(state: GameState, number: Callable[[GameState], int]) -> Iterator[Choice]:
    """Give what can be done in a state, the states that follow by their numbers."""
    chances: dict[int, Fraction] = {}
    for move, chance in state.outcomes():
        after = number(state.apply(move))
        chances[after] = chances.get(after, Fraction()) + chance
    if chances:
        yield Choice(None, tuple(sorted(chances.items())))
        return
    for move in state.legal_moves():
        yield Choice(str(move), ((number(state.apply(move)), _CERTAIN),))
