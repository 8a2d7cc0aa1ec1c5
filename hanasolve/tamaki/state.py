"""The public face of the game: immutable states on top of the compiled rules."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hanasolve.cards import CODES
from hanasolve.document import Place
from hanasolve.errors import HanasolveError, MoveError
from hanasolve.tamaki.instance import read_position, refuse_unknown, write_position
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import Chooser, Position, deal_seed
from hanasolve.tamaki.rules import POINTS, PRESETS, YAKU, Rules

if TYPE_CHECKING:
    from hanasolve.search.table import Array

_MOST_LISTED: Final = 8


class State:
    """A position with all cards known: immutable, hashable, equal by content.

    Parameters
    ----------
    position : Position
        What lies where; each card once.
    rules : Rules, optional
        The base game by default.

    Raises
    ------
    InstanceError
        When a file with this position would be refused, or a card is unknown.

    Examples
    --------
    >>> state = State.deal(seed=1)
    >>> state.turn, [str(move) for move in state.legal_moves()][:2]
    (0, ['play 02a, draw 03b', 'play 05c take 05b, draw 03b'])
    """

    game: Final = "tamaki"
    takes_unknown: Final = False
    """Whether there are states with unknown cards."""
    rules: Rules
    _book: Array
    _words: tuple[int, ...]
    _claims: tuple[int, ...]
    _seat: int
    _scores: tuple[int, ...]

    def __init__(self, position: Position, rules: Rules | None = None) -> None:
        from hanasolve.tamaki import book

        rules = rules or PRESETS["base"]
        refuse_unknown(position)
        position = read_position(Place(write_position(position)), rules)
        claims = tuple(map(book.as_set, position.claims))
        self._fill(
            rules,
            book.write(position, rules),
            book.enter(position),
            claims,
            position.seat,
            position.scores,
        )

    def _fill(
        self,
        rules: Rules,
        book: Array,
        words: tuple[int, ...],
        claims: tuple[int, ...],
        seat: int,
        scores: tuple[int, ...],
    ) -> None:
        fields = {
            "rules": rules,
            "_book": book,
            "_words": words,
            "_claims": claims,
            "_seat": seat,
            "_scores": scores,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def deal(
        cls,
        *,
        seed: int = 0,
        rules: Rules | str | None = None,
        players: int = 2,
        leader: int = 0,
        choose: Chooser | None = None,
    ) -> State:
        """Deal what a seed stands for.

        Parameters
        ----------
        seed : int, optional
            A seed gives the same deal everywhere.
        rules : Rules or str, optional
            The rules, or a preset's name.
        players, leader : int, optional
            Number of seats, and the one that begins.
        choose : callable, optional
            Chooses which of three cards of a month a hand exchanges; by default chance does.
        """
        rules = rules if isinstance(rules, Rules) else Rules.of(rules)
        return cls(deal_seed(seed, rules, players=players, leader=leader, choose=choose), rules)

    @property
    def packed(self) -> tuple[Array, tuple[int, ...]]:
        """The book and the packed position, as `hanasolve.tamaki.kernel` describes them."""
        return self._book, self._words

    @functools.cached_property
    def position(self) -> Position:
        """What lies where, as plain piles of cards."""
        from hanasolve.tamaki import book

        return Position(
            hands=book.hands(self._book, self._words),
            table=book.table(self._words),
            mountain=book.mountain(self._book, self._words),
            claims=tuple(map(book.cards_of, self._claims)),
            turn=self.turn,
            seat=self._seat,
            scores=self._scores,
        )

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self._claims)

    @property
    def turn(self) -> int:
        """The seat to move."""
        from hanasolve.tamaki import book

        return book.turn(self._words)

    @property
    def is_over(self) -> bool:
        """Whether the round is over."""
        return not self.legal_moves()

    def card_points(self) -> tuple[int, ...]:
        """Points of the cards that each seat has captured."""
        return tuple(sum(POINTS[card] for card in claim) for claim in self.position.claims)

    def yaku(self) -> tuple[tuple[str, ...], ...]:
        """Names of the yaku that each seat has completed."""
        return tuple(
            tuple(name for name, cards in YAKU.items() if cards <= {*claim})
            for claim in self.position.claims
        )

    def round_scores(self) -> tuple[int, ...]:
        """Score of each seat in this round, if it ended now: card points and payments for yaku."""
        payments = self.rules.payments([len(names) for names in self.yaku()])
        return tuple(map(sum, zip(self.card_points(), payments, strict=True)))

    @functools.cached_property
    def _moves(self) -> dict[Move, int]:
        """All moves, and as the kernel packs them."""
        from hanasolve.tamaki import book

        return {
            book.told(self._book, self._words, packed): packed
            for packed in book.moves(self._book, self._words)
        }

    def legal_moves(self) -> tuple[Move, ...]:
        """All turns that the seat to move can make, each with all its choices; none at the end.

        In the order in which the rules break ties: by the card played, the card that it takes, the
        card that the drawn one takes, no capture last.
        """
        return tuple(self._moves)

    def apply(self, move: Move | str) -> State:
        """Give the state after a turn; this one stays as it is.

        Raises
        ------
        MoveError
            When the move cannot be read or is not legal here.
        """
        wanted = Move.parse(str(move))
        if isinstance(move, Move) and wanted != move:
            raise MoveError(f"{move!r} is no move; Move.parse makes the moves that there are")
        if wanted not in self._moves:
            texts = [str(move) for move in [*self._moves][:_MOST_LISTED]]
            hidden = len(self._moves) - len(texts)
            more = f"; and {hidden} more" if hidden else ""
            raise MoveError(
                f"{wanted} is not legal here; legal moves: {'; '.join(texts) or 'none'}{more}"
            )
        return self._after(self._moves[wanted])

    def _after(self, packed: int) -> State:
        from hanasolve.tamaki import book
        from hanasolve.tamaki import kernel as k

        words = book.apply(self._book, self._words, packed)
        claims = [*self._claims]
        claims[self.turn] |= words[k.BY_PLAY] | words[k.BY_DRAW]
        words = tuple(0 if at in (k.BY_PLAY, k.BY_DRAW) else w for at, w in enumerate(words))
        after = object.__new__(State)
        after._fill(self.rules, self._book, words, tuple(claims), self._seat, self._scores)
        return after

    def played(self, packed: Iterator[int] | list[int]) -> Iterator[tuple[int, Move, State]]:
        """Give for packed moves, one after another, the seat, the move, and the state after it.

        Raises
        ------
        HanasolveError
            When one is not legal.
        """
        state = self
        for code in packed:
            named = {number: move for move, number in state._moves.items()}
            if code not in named:
                raise HanasolveError(f"move {code} is not legal")
            seat, move = state.turn, named[code]
            state = state._after(code)
            yield seat, move, state

    def perft(self, depth: int) -> int:
        """Count the sequences of exactly ``depth`` turns, without merging positions."""
        from hanasolve.tamaki import book

        if depth < 0:
            raise HanasolveError(f"a depth is a number from 0, not {depth}")
        return book.perft(self._book, self._words, depth)

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
        hand = " ".join(CODES[card] for card in self.position.hands[self.turn] if card is not None)
        table = " ".join(CODES[card] for card in self.position.table)
        return (
            f"<State {self.rules.name()}: seat {self.turn} of {self.players} to move; hand"
            f" {hand or '--'}, table {table or '--'}>"
        )


def next_round(state: State, *, seed: int, choose: Chooser | None = None) -> State:
    """Deal the round after one that is over; scores are added up, and the lead passes on.

    Parameters
    ----------
    state : State
        The end of a round. As hands are of one size, the seat to move then is its leader.
    seed : int
        Of the next deal.
    choose : callable, optional
        As in `State.deal`.

    Raises
    ------
    HanasolveError
        When the round is not over.
    """
    import dataclasses

    if not state.is_over:
        raise HanasolveError("the round is not over; play it to its end first")
    before = state.position
    leader = (state.turn + 1) % state.players
    dealt = deal_seed(seed, state.rules, players=state.players, leader=leader, choose=choose)
    scores = tuple(map(sum, zip(before.scores, state.round_scores(), strict=True)))
    return State(dataclasses.replace(dealt, scores=scores, seat=before.seat), state.rules)
