"""The public face of the game: immutable states on top of the compiled rules."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from hanasolve.cards import CODES
from hanasolve.document import Place
from hanasolve.errors import HanasolveError, MoveError
from hanasolve.treasures import book
from hanasolve.treasures import kernel as k
from hanasolve.treasures.book import Words
from hanasolve.treasures.instance import read_position, write_position
from hanasolve.treasures.move import Move
from hanasolve.treasures.position import Card, Position, deal_seed
from hanasolve.treasures.rules import PRESETS, TREASURES, Rules

_MOST_LISTED: Final = 8
_DEEP: Final = 64
"""Levels for which `State.perft` has arrays."""


class State:
    """What the player knows in the middle of a game: immutable, hashable, equal by content.

    Either the player decides, or chance is to move, one card at a time: a card that comes up where
    an unknown one was, or the top card of a deck that is known. A shuffle by itself only makes
    places unknown.

    Parameters
    ----------
    position : Position
        What is known of where each card lies. Without unknown cards it is a game with all cards
        known, in which shuffles and blind picks are chance all the same.
    rules : Rules, optional
        The base game by default.

    Raises
    ------
    InstanceError
        When a file with this position would be refused.

    Examples
    --------
    >>> state = State.deal(seed=1)
    >>> state.is_chance, state.outcomes()
    (True, ((Move(verb='draw', cards=(19,)), Fraction(1, 1)),))
    >>> [str(move) for move in state.apply("draw 05d").legal_moves()][-3:]
    ['starve 03c 05d', 'starve 03c 11c', 'starve 05d 11c']
    """

    game: Final = "treasures"
    takes_unknown: Final = True
    """Whether there are states with unknown cards."""
    rules: Rules
    words: Words
    _present: tuple[int, ...]
    _victory: tuple[int, ...]

    def __init__(self, position: Position, rules: Rules | None = None) -> None:
        rules = rules or PRESETS["base"]
        position = read_position(Place(write_position(position)), rules)
        words = book.enter(position, rules)
        self._fill(rules, words, position.present, position.victory)

    def _fill(
        self, rules: Rules, words: Words, present: tuple[int, ...], victory: tuple[int, ...]
    ) -> None:
        fields = {"rules": rules, "words": words, "_present": present, "_victory": victory}
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def deal(cls, *, seed: int = 0, rules: Rules | str | None = None) -> State:
        """Deal the game that a seed stands for, all cards known; the first start draw is due.

        What a player at the table sees of it is ``State(state.position.as_seen(), rules)``.

        Parameters
        ----------
        seed : int, optional
            A seed gives the same deal everywhere.
        rules : Rules or str, optional
            The rules, or a preset's name.
        """
        rules = rules if isinstance(rules, Rules) else Rules.of(rules)
        return cls(deal_seed(seed, rules), rules)

    @property
    def position(self) -> Position:
        """What is known of where each card lies, as plain piles.

        Raises
        ------
        HanasolveError
            Where no instance file can hold it: in the middle of an action or of the draw at the end
            of a turn, and when the game is over.
        """
        position = self._position
        if position is None:
            raise HanasolveError(
                "this can be told as a position only when a start draw or an action is due"
            )
        return position

    @functools.cached_property
    def _position(self) -> Position | None:
        return book.unpack(self.words, self._present, self._victory)

    @property
    def phase(self) -> str:
        """What is due, or how the game ended; one of `hanasolve.treasures.book.PHASES`."""
        return book.phase(self.words)

    @property
    def hand(self) -> tuple[int, ...]:
        """The hand, in id order."""
        return book.hand(self.words)

    @property
    def present(self) -> tuple[int, ...]:
        """The present pile, bottom to top."""
        return self._present

    @property
    def victory(self) -> tuple[int, ...]:
        """The victory pile, in id order."""
        return self._victory

    @property
    def trial(self) -> tuple[Card, ...]:
        """The trial, in the order of drawing: known cards, or texts for unknown places."""
        return book.trial(self.words)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck, top first, likewise."""
        return book.deck(self.words)

    @property
    def is_won(self) -> bool:
        """Whether the game is won."""
        return self.phase == "won"

    @property
    def is_lost(self) -> bool:
        """Whether the game is lost; that is so when the player can do nothing, too."""
        return not self.is_won and not self.legal_moves()

    @property
    def is_over(self) -> bool:
        """Whether the game is won or lost."""
        return not self.legal_moves()

    @property
    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return bool(self._outcomes)

    def legal_moves(self) -> tuple[Move, ...]:
        """All that can happen next, each once: the player's decisions, or what chance may do."""
        return self._decisions or tuple(move for move, _ in self._outcomes)

    def outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        """What chance may do next, with the exact probabilities; none when it is not to move.

        Raises
        ------
        HanasolveError
            In the rare case that no exact ones are known; see `hanasolve.treasures.kernel`.
        """
        if self._outcomes and self.words[k.META] & k.VAGUE:
            raise HanasolveError(
                "the probabilities are not known here: a deck with restricted places was shuffled"
                " while an unknown trial waited"
            )
        return self._outcomes

    @functools.cached_property
    def _decisions(self) -> tuple[Move, ...]:
        return book.decisions(self.rules, self.words)

    @functools.cached_property
    def _outcomes(self) -> tuple[tuple[Move, Fraction], ...]:
        return book.outcomes(self.words)

    def apply(self, move: Move | str) -> State:
        """Give the state after a decision or after what chance did; this one stays as it is.

        Raises
        ------
        MoveError
            When the move cannot be read or is not legal here.
        """
        wanted = Move.parse(str(move))
        if isinstance(move, Move) and wanted != move:
            raise MoveError(f"{move!r} is no move; Move.parse makes the moves that there are")
        legal = self.legal_moves()
        if wanted not in legal:
            texts = [str(move) for move in legal[:_MOST_LISTED]]
            more = f" and {len(legal) - _MOST_LISTED} more" if len(legal) > _MOST_LISTED else ""
            raise MoveError(
                f"{wanted} is not legal here; legal moves: {', '.join(texts) or 'none'}{more}"
            )
        return self._with(book.apply(self.rules, self.words, wanted))

    def with_deck(self, order: Sequence[int]) -> State:
        """Give the state in which the deck lies so, top first: of one with all else known.

        Raises
        ------
        MoveError
            When it cannot lie so.
        """
        deck, unknown = self.deck, [*book.unknown(self.words)]
        if len(order) != len(deck):
            raise MoveError(f"the deck has {len(deck)} cards, and {len(order)} are named")
        for number, (card, place) in enumerate(zip(order, deck, strict=True), 1):
            if isinstance(place, int) and card != place:
                raise MoveError(f"card {number} of the deck is {CODES[place]}, not {CODES[card]}")
            if not isinstance(place, int) and card not in unknown:
                raise MoveError(f"{CODES[card]} cannot be card {number} of the deck")
        return self._with(book.with_deck(self.words, order))

    def perft(self, depth: int) -> int:
        """Count the sequences of exactly ``depth`` moves, of the player or of chance.

        Each card that can come up counts once, whatever its probability; nothing is merged.
        """
        if depth < 0:
            raise HanasolveError(f"a depth is a number from 0, not {depth}")
        if depth > _DEEP:
            return sum(self.apply(move).perft(depth - 1) for move in self.legal_moves())
        return book.perft(self.rules, self.words, depth)

    def _with(self, words: Words) -> State:
        """Give the state with another belief that follows from this one."""
        top = book.present(words)
        present = self._present if top == self._present[-1] else (*self._present, top)
        victory = self._victory
        if book.won(words) > len(victory):
            still = {*present, *book.in_play(words)}
            victory = tuple(card for card in sorted(TREASURES) if card not in still)
        after = object.__new__(State)
        after._fill(self.rules, words, present, victory)
        return after

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a State cannot be changed; apply gives a new one")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.rules, self.words, self._present, self._victory)

    def _content(self) -> tuple[Any, ...]:
        return self.rules, self.words, self._present, self._victory

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        hand = " ".join(CODES[card] for card in self.hand) or "--"
        present = CODES[self._present[-1]]
        return f"<State {self.rules.name()}: {self.phase}; hand {hand}, present {present}>"


def _restored(
    rules: Rules, words: Words, present: tuple[int, ...], victory: tuple[int, ...]
) -> State:
    """Make a state again from what `pickle` keeps."""
    state = object.__new__(State)
    state._fill(rules, words, present, victory)
    return state
