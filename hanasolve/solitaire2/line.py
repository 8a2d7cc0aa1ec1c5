"""From a line of a search to single moves that a person can play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hanasolve.solitaire2 import arranged, quotient
from hanasolve.solitaire2.book import labels
from hanasolve.solitaire2.move import COLUMN_UP, DRAW, TURN, Move, decode_move
from hanasolve.solitaire2.state import State


def expand(state: State, line: Sequence[int]) -> tuple[Move, ...]:
    """Turn a line over arranged positions into single moves.

    Parameters
    ----------
    state : State
        Where the line begins.
    line : sequence of int
        Moves of `arranged` or `shortest`.

    Returns
    -------
    tuple of Move
        Every one of them was played, so the rules have checked it.
    """
    player = _Player(state)
    for move in line:
        player.draw_to(move >> arranged.PLACE & 63)
        player.play(decode_move(move & (1 << arranged.PLACE) - 1))
        if move >> arranged.THEN_UP:
            player.play(decode_move(COLUMN_UP | move & 15 << 4 | move >> arranged.THEN_UP + 1 << 8))
    return tuple(player.moves)


def arrange(state: State, line: Sequence[int], heads: Sequence[int]) -> tuple[Move, ...]:
    """Turn a line of the quotient into single moves, moving parts of runs where that is needed.

    Parameters
    ----------
    state : State
        Where the line begins.
    line : sequence of int
        Moves of `quotient`.
    heads : sequence of int
        For each of them, the set of heads before it.

    Returns
    -------
    tuple of Move
        Every one of them was played, so the rules have checked it.
    """
    player = _Player(state)
    for move, heads_before in zip(line, heads, strict=True):
        kind, what = move & 15, move >> 4 & 63
        pile = (move >> 10 & 15) + 1 if state.rules.nonpoint_piles == "interchangeable" else 0
        if kind == quotient.UP:
            player.bring_up(what, heads_before, pile)
        elif kind == quotient.OFF:
            player.move_off(what)
        else:
            player.draw_to(move >> 16)
            if kind == quotient.STOCK_UP:
                player.play(Move("waste", "pile", target_number=pile))
            else:
                column = player.landing(player.state.position.waste[-1], ())
                player.play(Move("waste", "column", target_number=column + 1))
    return tuple(player.moves)


class _Player:
    """Plays moves from a state and keeps them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.moves: list[Move] = []
        self._label = labels(state.rules)

    def play(self, move: Move) -> None:
        self.state = self.state.apply(move)
        self.moves.append(move)

    def draw_to(self, place: int) -> None:
        """Draw, and turn the waste if need be, until so many cards are in the waste."""
        while place and len(self.state.position.waste) != place:
            self.play(DRAW if self.state.position.stock else TURN)

    def landing(self, card: int, beside: Sequence[int]) -> int:
        """Find a column onto which a card can go: one whose last card carries it, or an empty one.

        ``beside`` are columns that will not do.
        """
        tableau, rules = self.state.position, self.state.rules
        for column, run in enumerate(tableau.up):
            if column not in beside and run and rules.fits(card, run[-1]):
                return column
        return next(c for c, run in enumerate(tableau.up) if not run and c not in beside)

    def move_run(self, column: int, start: int) -> None:
        """Move the cards of a run from index ``start`` on to wherever they can go."""
        run = self.state.position.up[column]
        target = self.landing(run[start], (column,))
        self.play(Move("column", "column", column + 1, target + 1, len(run) - start))

    def move_off(self, head: int) -> None:
        """Move the run headed by the card with a label."""
        runs = self.state.position.up
        self.move_run(next(c for c, run in enumerate(runs) if self._is(run[:1], head)), 0)

    def _is(self, cards: Sequence[int], label: int) -> bool:
        return [self._label[card] for card in cards] == [label]

    def bring_up(self, label: int, heads: int, pile: int) -> None:
        """Bring up the card with a label, or one like it, moving the run on it away first."""
        column, index = min(self._alike(label, heads), key=self._cards_on)
        if self._cards_on((column, index)):
            self.move_run(column, index + 1)
        self.play(Move("column", "pile", column + 1, pile))

    def _cards_on(self, place: tuple[int, int]) -> int:
        column, index = place
        return len(self.state.position.up[column]) - index - 1

    def _alike(self, label: int, heads: int) -> Iterator[tuple[int, int]]:
        """Column and index of each face-up card that the quotient may mean by a label.

        A head is itself. Of other cards the quotient knows, where any card of a month goes up,
        only how many there are of each kind that the rules tell apart.
        """
        rules = self.state.rules

        def same(other: int) -> bool:
            if heads >> label & 1 or rules.foundation_suits == "by_class":
                return other == label
            if heads >> other & 1 or other // 4 != label // 4:
                return False
            return not rules.alternate or other & 2 == label & 2

        for column, run in enumerate(self.state.position.up):
            for index, card in enumerate(run):
                if same(self._label[card]):
                    yield column, index
