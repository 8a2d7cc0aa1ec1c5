"""A whole game at a table: what really lies where, and what its player knows of it.

A game goes on by *events*. The player's decisions are the moves of `hanasolve.treasures.state`.
What chance did is told as somebody would tell it who sees all cards:

- ``draw C`` for each card of a start draw, of the draw at the end of a turn, and of a red draw;
- ``trial C C C`` when a trial is formed, the card drawn first before the others;
- ``pick C`` for the card that a blind kill takes;
- ``shuffle C C …`` after every shuffle: the whole new deck, top first. There is none when it could
  change nothing: of no cards, or of the moon alone under ``reshuffle_moon=stays_bottom``.

A trial or a shuffle need not be told when the game is over with what it follows. Cards that a
penalty discards, and those of a trial that is covered or looked at, follow from what was told
before, so they are no events.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from hanasolve import cards
from hanasolve.errors import MoveError
from hanasolve.treasures import book
from hanasolve.treasures.instance import refuse_unknown
from hanasolve.treasures.move import PICK, SHUFFLE, TRIAL, Move
from hanasolve.treasures.position import Card, deal
from hanasolve.treasures.rules import Rules
from hanasolve.treasures.state import State


@dataclasses.dataclass(frozen=True)
class Game:
    """A game under way, immutable.

    Attributes
    ----------
    truth : State
        What really lies where. Between an action that shuffles and the event that tells the new
        deck, the order of the deck is unknown here.
    view : State
        What the player knows.
    formed : tuple of int
        The cards of a trial that was formed and is yet to be told.
    mixed : tuple of int
        The cards of a deck that was shuffled, its new order yet to be told: as they lay before,
        those that joined the deck behind the others in id order, without the moon if it stays at
        the bottom.

    Examples
    --------
    >>> game = Game.start(State.deal(seed=1))
    >>> game.apply("draw 05d").view.phase
    'act'
    """

    truth: State
    view: State
    formed: tuple[int, ...] = ()
    mixed: tuple[int, ...] = ()

    @classmethod
    def start(cls, state: State) -> Game:
        """Begin a game from a state with all cards known.

        The player knows what `Position.as_seen` leaves of it.

        Raises
        ------
        InstanceError
            When a card's identity is unknown.
        """
        if state.is_over:
            return cls(state, state)
        refuse_unknown(state.position)
        return cls(state, State(state.position.as_seen(state.rules), state.rules))

    @property
    def is_won(self) -> bool:
        """Whether the game is won."""
        return self.truth.is_won

    @property
    def is_over(self) -> bool:
        """Whether the game is won or lost."""
        return self.truth.is_over

    def apply(self, event: Move | str) -> Game:
        """Give the game after an event; this one stays as it is.

        Raises
        ------
        MoveError
            When the event cannot be read, or is not what the rules have here.
        """
        event = Move.parse(str(event))
        if self.mixed and (event.verb == SHUFFLE or not self.is_over):
            return self._told_deck(event)
        if self.formed:
            return self._told_trial(event)
        truth, view = self.truth.apply(event), self.view.apply(event)
        while truth.phase == "discard":
            ((discarded, _),) = truth.outcomes()
            truth, view = truth.apply(discarded), view.apply(discarded)
        for card, place in zip(_known(self.truth.trial), self.view.trial, strict=True):
            if view.phase in ("look", "cover") and not isinstance(place, int):
                view = view.apply(Move(TRIAL, (card,)))
        before, unknown = _known(self.truth.deck), book.unknown(truth.words)
        return Game(
            truth,
            view,
            formed=tuple(card for card in _known(truth.trial) if card in before),
            mixed=(
                *(card for card in before if card in unknown),
                *(card for card in unknown if card not in before),
            ),
        )

    def chance(self, uniform: Callable[[], float]) -> Move | None:
        """Let chance make the next event; None when the player is to decide or the game is over.

        Parameters
        ----------
        uniform : callable
            Gives the next number in [0, 1), as `hanasolve.cards.uniform_stream` does. A shuffle
            takes one for each card but one, a blind pick takes one, nothing else takes any.
        """
        if self.mixed:
            order = cards.shuffle([*self.mixed], uniform)
            return Move(SHUFFLE, (*order, *_known(self.truth.deck)))
        if self.formed:
            return Move(TRIAL, self.formed)
        if self.truth.phase == "pick":
            trial = _known(self.truth.trial)
            return Move(PICK, (trial[int(uniform() * len(trial))],))
        return self.truth.outcomes()[0][0] if self.truth.is_chance else None

    def _told_deck(self, event: Move) -> Game:
        if event.verb != SHUFFLE:
            raise MoveError(
                f"{event} cannot come here: the deck was shuffled, so shuffle and its"
                f" {len(self.truth.deck)} cards are due, top first"
            )
        return Game(self.truth.with_deck(event.cards), self.view)

    def _told_trial(self, event: Move) -> Game:
        due = Move(TRIAL, self.formed)
        if event != due:
            raise MoveError(f"{event} cannot come here: a trial was formed, so {due} is due")
        return dataclasses.replace(self, formed=())


def _known(pile: tuple[Card, ...]) -> tuple[int, ...]:
    """Give the known cards of a pile."""
    return tuple(card for card in pile if isinstance(card, int))


Policy = Callable[[State], Move | str]
"""What decides in a game, by what the player knows."""


def deal_game(seed: int, rules: Rules) -> tuple[Game, Callable[[], float]]:
    """Deal the game of a seed; gives it with the stream of numbers that its later chance takes."""
    uniform = cards.uniform_stream(seed)
    return Game.start(State(deal(uniform, rules), rules)), uniform


def play(game: Game, policy: Policy, uniform: Callable[[], float]) -> tuple[Game, list[str]]:
    """Play a game to its end.

    Parameters
    ----------
    game : Game
    policy : callable
        Called with the player's `State` at every decision; gives one of its legal moves.
    uniform : callable
        Where chance comes from; see `Game.chance`.

    Returns
    -------
    game : Game
        The game at its end.
    events : list of str
        What happened, as `hanasolve.treasures.verify` replays it.
    """
    events: list[str] = []
    while not game.is_over:
        event = game.chance(uniform) or policy(game.view)
        game = game.apply(event)
        events.append(str(event))
    return game, events
