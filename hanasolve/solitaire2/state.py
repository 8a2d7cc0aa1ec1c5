"""The public face of the game: immutable states and moves on top of the compiled rules."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from hanasolve.cards import CODES, DECK_SIZE
from hanasolve.errors import HanasolveError, MoveError
from hanasolve.solitaire2.move import Move, decode_move, encode_move
from hanasolve.solitaire2.position import Position, deal, deal_seed
from hanasolve.solitaire2.rules import PRESETS, Rules

if TYPE_CHECKING:
    import numpy as np

    from hanasolve.solitaire2.book import Book


class State:
    """A position under some rules, with all cards known: immutable, hashable, equal by content.

    Parameters
    ----------
    position : Position
        What lies where; all 48 cards once, all known.
    rules : Rules, optional
        The base game by default.

    Raises
    ------
    HanasolveError
        When cards are unknown, missing or double, and for runs and piles that cannot be. (The
        refusals of instance files, by `hanasolve.load`, point to the place.)

    Examples
    --------
    >>> state = State.deal(seed=1)
    >>> [str(move) for move in state.legal_moves()]
    ['draw', '2-5x1', '4-1x1', '6-3x1']
    >>> state.apply("6-3x1").position.up[2] == state.position.up[2] + state.position.up[5]
    True
    """

    game: Final = "solitaire2"
    takes_unknown: Final = False
    """Whether there are states with unknown cards."""
    rules: Rules
    _book: Book
    _words: tuple[int, ...]

    def __init__(self, position: Position, rules: Rules | None = None) -> None:
        from hanasolve.solitaire2 import book

        if sorted(card if card is not None else -1 for card in position.cards()) != list(
            range(DECK_SIZE)
        ):
            raise HanasolveError("a state needs each of the 48 cards once, all of them known")
        rules = rules or PRESETS["base"]
        self._fill(rules, *book.pack(position, rules))
        self._check(position)

    def _fill(self, rules: Rules, book: Book, words: tuple[int, ...]) -> None:
        for name, value in (("rules", rules), ("_book", book), ("_words", words)):
            object.__setattr__(self, name, value)

    def _check(self, position: Position) -> None:
        """Refuse what the kernels take for granted; the messages for files are closer."""
        turns, passes = position.turns, self.rules.max_passes
        if turns < 0 or (passes and turns >= passes):
            raise HanasolveError(f"turns cannot be {turns} with max_passes={passes}")
        if any(down and not up for down, up in zip(position.down, position.up, strict=True)):
            raise HanasolveError("the last card of a column lies face up")
        for run in position.up:
            if not all(map(self.rules.fits, run[1:], run)):
                raise HanasolveError("a run must be one that the rules can build")
        for number, pile in enumerate(position.foundations):
            if not all(self.rules.takes(number, c) and c // 4 == m for m, c in enumerate(pile)):
                raise HanasolveError("a pile goes up from January, with the cards it is for")

    @classmethod
    def deal(
        cls,
        deck: Sequence[int] | None = None,
        *,
        seed: int = 0,
        rules: Rules | str | None = None,
    ) -> State:
        """Deal a deck, or the one that a seed stands for.

        Parameters
        ----------
        deck : sequence of 48 ints, optional
            The cards in dealing order.
        seed : int, optional
            Used when no deck is given; a seed gives the same deal everywhere.
        rules : Rules or str, optional
            The rules, or a preset's name.
        """
        if deck is not None and len(deck) != DECK_SIZE:
            raise HanasolveError(f"a deck has {DECK_SIZE} cards, not {len(deck)}")
        position = deal_seed(seed) if deck is None else deal(deck)
        return cls(position, rules if isinstance(rules, Rules) else Rules.of(rules))

    @property
    def packed(self) -> tuple[np.ndarray[Any, np.dtype[np.int64]], tuple[int, ...]]:
        """The book and the packed position, as `hanasolve.solitaire2.kernel` describes them."""
        return self._book.array, self._words

    @functools.cached_property
    def position(self) -> Position:
        """What lies where, as plain piles of cards."""
        return self._book.unpack(self._words)

    @property
    def is_won(self) -> bool:
        """Whether all 48 cards are on the foundations."""
        return sum(map(len, self.position.foundations)) == DECK_SIZE

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, each once; none when the game is won.

        Where it matters which pile a card goes to (``nonpoint_piles=interchangeable`` or
        ``foundation_return``), each further pile that takes it is a move of its own.
        """
        return tuple(map(decode_move, self._book.legal_moves(self._words)))

    def apply(self, move: Move | str) -> State:
        """Give the state after a move; this one stays as it is.

        Raises
        ------
        MoveError
            When the move cannot be read or is not legal here.
        """
        wanted = Move.parse(str(move))
        if isinstance(move, Move) and wanted != move:
            raise MoveError(f"{move!r} is no move; Move.parse makes the moves that there are")
        packed = encode_move(wanted)
        if packed not in self._book.legal_moves(self._words) and not self._book.takes_named(
            self._words, packed
        ):
            legal = ", ".join(map(str, self.legal_moves())) or "none"
            raise MoveError(f"{wanted} is not legal here; legal moves: {legal}")
        return self._after(packed)

    def perft(self, depth: int) -> int:
        """Count the sequences of exactly ``depth`` legal moves, without merging positions."""
        if depth < 0:
            raise HanasolveError(f"a depth is a number from 0, not {depth}")
        return self._book.perft(self._words, depth)

    def _after(self, packed: int) -> State:
        after = object.__new__(State)
        after._fill(self.rules, self._book, self._book.apply(self._words, packed))
        return after

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a State cannot be changed; apply gives a new one")

    def __reduce__(self) -> tuple[type[State], tuple[Position, Rules]]:
        return State, (self.position, self.rules)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.rules == other.rules and self.position == other.position

    def __hash__(self) -> int:
        return hash((self.rules, self.position))

    def __repr__(self) -> str:
        up = " ".join("".join(CODES[card] for card in run[-1:]) or "--" for run in self.position.up)
        return f"<State {self.rules.name()}: columns end in {up}>"
