"""The worked positions of the rules, one test each, for the package and for the reference game.

Columns and piles are written bottom to top, cards as ids: ``id = (month - 1) * 4 + k``. The cards
that a position does not name lie in the stock.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pytest

from hanasolve.errors import MoveError
from hanasolve.solitaire2 import position as package
from hanasolve.solitaire2.rules import Rules
from hanasolve.solitaire2.state import State
from tests.reference import solitaire2 as reference

Piles = Mapping[int, Sequence[int]]
"""Cards by the number of the column or pile; those not named are empty."""


@dataclasses.dataclass(frozen=True)
class Table:
    """What lies where; each list has one entry a column or pile."""

    down: list[list[int]]
    up: list[list[int]]
    stock: list[int]
    waste: list[int]
    foundations: list[list[int]]
    turns: int = 0


class Game(Protocol):
    """A position that can be played on; moves are text."""

    def moves(self) -> list[str]: ...

    def play(self, move: str) -> Game: ...

    def table(self) -> Table: ...

    def is_won(self) -> bool: ...


def to_lists(piles: Sequence[Sequence[Any]]) -> list[list[int]]:
    return [list(pile) for pile in piles]


def to_tuples(piles: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(pile) for pile in piles)


def table_of(position: package.Position | reference.Position) -> Table:
    stock: list[Any] = list(position.stock)
    return Table(
        down=to_lists(position.down),
        up=to_lists(position.up),
        stock=stock,
        waste=list(position.waste),
        foundations=to_lists(position.foundations),
        turns=position.turns,
    )


class Package:
    """The game as the package plays it."""

    def __init__(self, state: State) -> None:
        self._state = state

    @classmethod
    def deal(cls, rules: dict[str, Any], deck: Sequence[int]) -> Package:
        return cls(State.deal(deck, rules=Rules(**rules)))

    @classmethod
    def lay(cls, rules: dict[str, Any], table: Table) -> Package:
        position = package.Position(
            down=to_tuples(table.down),
            up=to_tuples(table.up),
            stock=tuple(table.stock),
            waste=tuple(table.waste),
            foundations=to_tuples(table.foundations),
            turns=table.turns,
        )
        return cls(State(position, Rules(**rules)))

    def moves(self) -> list[str]:
        return [str(move) for move in self._state.legal_moves()]

    def play(self, move: str) -> Package:
        return Package(self._state.apply(move))

    def table(self) -> Table:
        return table_of(self._state.position)

    def is_won(self) -> bool:
        return self._state.is_won


class Reference:
    """The game as the reference plays it."""

    def __init__(self, rules: reference.Rules, position: reference.Position) -> None:
        self._rules, self._position = rules, position

    @classmethod
    def deal(cls, rules: dict[str, Any], deck: Sequence[int]) -> Reference:
        return cls(reference.Rules(**rules), reference.deal(deck))

    @classmethod
    def lay(cls, rules: dict[str, Any], table: Table) -> Reference:
        position = reference.Position(
            down=to_tuples(table.down),
            up=to_tuples(table.up),
            stock=tuple(table.stock),
            waste=tuple(table.waste),
            foundations=to_tuples(table.foundations),
            turns=table.turns,
        )
        return cls(reference.Rules(**rules), position)

    def moves(self) -> list[str]:
        return reference.legal_moves(self._rules, self._position)

    def play(self, move: str) -> Reference:
        return Reference(self._rules, reference.apply(self._rules, self._position, move))

    def table(self) -> Table:
        return table_of(self._position)

    def is_won(self) -> bool:
        return reference.is_won(self._position)


class Start:
    """How games start for one of the two implementations."""

    def __init__(self, kind: type[Package] | type[Reference]) -> None:
        self._kind = kind

    def deal(self, deck: Sequence[int], **rules: Any) -> Game:
        return self._kind.deal(rules, deck)

    def lay(
        self,
        *,
        up: Piles | None = None,
        down: Piles | None = None,
        waste: Sequence[int] = (),
        piles: Piles | None = None,
        **rules: Any,
    ) -> Game:
        """Lay the cards that matter; the others, face down, are the stock."""
        columns, runs, foundations = down or {}, up or {}, piles or {}
        named = [pile for group in (columns, runs, foundations) for pile in group.values()]
        used = {card for pile in (*named, waste) for card in pile}
        table = Table(
            down=[list(columns.get(number, ())) for number in range(1, 7)],
            up=[list(runs.get(number, ())) for number in range(1, 7)],
            stock=[card for card in range(48) if card not in used],
            waste=list(waste),
            foundations=[list(foundations.get(number, ())) for number in range(1, 5)],
        )
        return self._kind.lay(rules, table)


@pytest.fixture(params=[Package, Reference], ids=["package", "reference"])
def start(request: pytest.FixtureRequest) -> Start:
    return Start(request.param)


def assert_legal(game: Game, move: str) -> Game:
    """Check that a move is offered and can be made; gives the game after it."""
    assert move in game.moves()
    return game.play(move)


def assert_illegal(game: Game, move: str) -> None:
    """Check that a move is not offered and is refused."""
    assert move not in game.moves()
    before = game.table()
    with pytest.raises(MoveError if isinstance(game, Package) else ValueError):
        game.play(move)
    assert game.table() == before


def check(game: Game, move: str, legal: bool) -> None:
    if legal:
        assert_legal(game, move)
    else:
        assert_illegal(game, move)


def months_up(pile: int, months: int) -> list[int]:
    """Give a pile's cards from January on: card ``pile`` of four in each month."""
    return [4 * month + pile - 1 for month in range(months)]


BY_CLASS: dict[str, Any] = {"foundation_suits": "by_class"}
ALTERNATE: dict[str, Any] = {"alternate": True}


def test_so1_deal(start: Start) -> None:
    table = start.deal(range(48)).table()
    columns = [down + up for down, up in zip(table.down, table.up, strict=True)]
    assert columns == [
        [0],
        [1, 6],
        [2, 7, 11],
        [3, 8, 12, 15],
        [4, 9, 13, 16, 18],
        [5, 10, 14, 17, 19, 20],
    ]
    assert table.up == [[0], [6], [11], [15], [18], [20]]
    assert table.stock == list(range(21, 48))
    assert len(table.stock) == 27
    assert table.waste == []
    assert table.foundations == [[], [], [], []]
    assert table.turns == 0


def test_so2_draw(start: Start) -> None:
    game = assert_legal(start.deal(range(48)), "draw")
    assert game.table().waste == [21, 22, 23]
    assert game.table().stock == list(range(24, 48))


@pytest.mark.parametrize(("waste", "legal"), [([21, 22, 23], False), ([23, 22, 21], True)])
def test_so2_only_the_last_card_drawn_can_be_played(
    start: Start, waste: list[int], legal: bool
) -> None:
    # Only 21 (June, a point card) fits the 26 (July, a non-point card) when kinds alternate.
    game = start.lay(up={1: [26]}, waste=waste, **ALTERNATE)
    check(game, "W-1", legal)


def test_so3_turn(start: Start) -> None:
    game = start.deal(range(48))
    tops = []
    for _ in range(9):
        game = assert_legal(game, "draw")
        tops.append(game.table().waste[-1])
    assert tops == [23, 26, 29, 32, 35, 38, 41, 44, 47]
    assert_illegal(game, "draw")
    game = assert_legal(game, "turn")
    assert game.table().waste == []
    assert game.table().stock == list(range(21, 48))
    assert game.table().turns == 1
    game = assert_legal(game, "draw")
    assert game.table().waste == [21, 22, 23]


def test_so5_waste_in_sequence(start: Start) -> None:
    game = start.lay(up={1: [28], 2: [29], 3: [30]}, waste=[21, 22, 23, 24, 25, 26])
    for column, left in ((1, 25), (2, 24), (3, 23)):
        played = game.table().waste[-1]
        game = assert_legal(game, f"W-{column}")
        assert game.table().waste[-1] == left
        assert game.table().up[column - 1][-1] == played
    assert game.table().waste == [21, 22, 23]


@pytest.mark.parametrize("draws", range(10))
def test_so6_no_turn_before_the_stock_is_out(start: Start, draws: int) -> None:
    game = start.deal(range(48))
    for _ in range(draws):
        game = game.play("draw")
    check(game, "turn", legal=draws == 9)


def test_so6_no_turn_without_a_waste(start: Start) -> None:
    last = [47]
    piles = {1: months_up(1, 12), 2: months_up(2, 12), 3: months_up(3, 12), 4: months_up(4, 11)}
    game = start.lay(up={1: last}, piles=piles)
    assert game.table().stock == []
    assert_illegal(game, "turn")
    assert_illegal(game, "draw")


@pytest.mark.parametrize(
    ("onto", "card", "rules", "legal"),
    [
        pytest.param(43, 38, {}, True, id="so7"),
        pytest.param(38, 43, {}, False, id="so8"),
        pytest.param(38, 39, {}, False, id="so9"),
        pytest.param(43, 35, {}, False, id="so10"),
        pytest.param(43, 35, {"tableau_step": "any_earlier"}, True, id="so10-any-earlier"),
        pytest.param(38, 43, {"tableau_step": "any_earlier"}, False, id="so8-any-earlier"),
        pytest.param(38, 39, {"tableau_step": "any_earlier"}, False, id="so9-any-earlier"),
        pytest.param(41, 36, ALTERNATE, True, id="so24-36"),
        pytest.param(41, 37, ALTERNATE, True, id="so24-37"),
        pytest.param(41, 38, ALTERNATE, False, id="so24-38"),
        pytest.param(42, 38, ALTERNATE, True, id="so25-38"),
        pytest.param(42, 36, ALTERNATE, False, id="so25-36"),
    ],
)
@pytest.mark.parametrize("whence", ["column", "waste"])
def test_building(
    start: Start, onto: int, card: int, rules: dict[str, Any], legal: bool, whence: str
) -> None:
    if whence == "column":
        game, move = start.lay(up={1: [card], 2: [onto]}, **rules), "1-2x1"
    else:
        game, move = start.lay(up={2: [onto]}, waste=[card], **rules), "W-2"
    check(game, move, legal)
    if legal:
        assert game.play(move).table().up[1] == [onto, card]


def test_so11_whole_run(start: Start) -> None:
    game = start.lay(down={1: [20, 1]}, up={1: [41, 38, 34], 2: [44]})
    for count in (1, 2, 4):
        assert_illegal(game, f"1-2x{count}")
    table = assert_legal(game, "1-2x3").table()
    assert table.up == [[1], [44, 41, 38, 34], [], [], [], []]
    assert table.down == [[20], [], [], [], [], []]


@pytest.mark.parametrize(
    ("run", "legal"),
    [([44], True), ([46, 43, 36], True), ([43], False), ([42, 37], False)],
    ids=["44", "46-43-36", "43", "42-37"],
)
def test_so13_empty_column(start: Start, run: list[int], legal: bool) -> None:
    game = start.lay(down={1: [0]}, up={1: run, 3: [20], 4: [21], 5: [22], 6: [23]})
    move = f"1-2x{len(run)}"
    check(game, move, legal)
    if legal:
        assert game.play(move).table().up[:2] == [[0], run]


def test_so14_december_from_the_waste(start: Start) -> None:
    game = assert_legal(start.lay(waste=[20, 45]), "W-1")
    assert game.table().up[0] == [45]
    assert game.table().waste == [20]


def test_so15_first_card_of_a_foundation(start: Start) -> None:
    game = start.lay(waste=[3])
    assert assert_legal(game, "W-F").table().foundations == [[3], [], [], []]
    for pile in range(1, 5):
        after = game.play(f"W-F{pile}").table()
        assert [*map(len, after.foundations)] == [int(number == pile) for number in range(1, 5)]
        assert after.waste == []
    february = start.lay(waste=[4])
    for move in ("W-F", "W-F1", "W-F2", "W-F3", "W-F4"):
        assert_illegal(february, move)


@pytest.mark.parametrize("card", [4, 5, 6, 7, 8, 1])
def test_so16_second_card_of_a_foundation(start: Start, card: int) -> None:
    game = start.lay(waste=[card], piles={1: [0]})
    if card in (4, 5, 6, 7):
        assert assert_legal(game, "W-F").table().foundations[0] == [0, card]
        assert game.play("W-F1").table().foundations[0] == [0, card]
    else:
        assert_illegal(game, "W-F1")


@pytest.mark.parametrize("card", range(12, 20))
def test_so17_april_on_march(start: Start, card: int) -> None:
    check(start.lay(waste=[card], piles={1: [1, 5, 9]}), "W-F", legal=card < 16)


@pytest.mark.parametrize("returns", [False, True])
def test_so18_back_from_a_foundation(start: Start, returns: bool) -> None:
    game = start.lay(up={3: [9]}, down={3: [40]}, piles={1: [0, 5]}, foundation_return=returns)
    check(game, "F1-3", legal=returns)
    if returns:
        after = game.play("F1-3").table()
        assert after.foundations[0] == [0]
        assert after.up[2] == [9, 5]
        assert after.down[2] == [40]


@pytest.mark.parametrize("card", range(4))
def test_so19_first_cards_by_class(start: Start, card: int) -> None:
    game = start.lay(waste=[card], **BY_CLASS)
    own = card + 1
    after = assert_legal(game, "W-F").table()
    assert after.foundations == [[card] if pile == own else [] for pile in range(1, 5)]
    assert game.play(f"W-F{own}").table() == after
    for pile in {1, 2, 3, 4} - {own}:
        assert_illegal(game, f"W-F{pile}")


@pytest.mark.parametrize("nonpoint", ["oriented", "interchangeable"])
def test_so20_right_card_on_the_left_pile(start: Start, nonpoint: str) -> None:
    game = start.lay(waste=[7], piles={3: [2]}, **BY_CLASS, nonpoint_piles=nonpoint)
    if nonpoint == "oriented":
        assert_illegal(game, "W-F")
        assert_illegal(game, "W-F3")
    else:
        assert assert_legal(game, "W-F").table().foundations[2] == [2, 7]
        assert game.play("W-F3").table().foundations[2] == [2, 7]


@pytest.mark.parametrize(
    ("order", "height", "legal"),
    [("sequential", height, height == 12) for height in range(13)]
    + [("completion", height, True) for height in range(13)],
)
def test_so23_second_pile(start: Start, order: str, height: int, legal: bool) -> None:
    first = {1: months_up(1, height)}
    game = start.lay(waste=[1], piles=first, **BY_CLASS, foundation_order=order)
    check(game, "W-F", legal)


def test_so27_head_of_a_run_alternates(start: Start) -> None:
    game = start.lay(up={1: [37, 35], 2: [43]}, **ALTERNATE)
    assert assert_legal(game, "1-2x2").table().up[1] == [43, 37, 35]


@pytest.mark.parametrize("rules", [{}, BY_CLASS], ids=["any", "by_class"])
@pytest.mark.parametrize("returns", [False, True])
def test_so29_won(start: Start, rules: dict[str, Any], returns: bool) -> None:
    piles = {pile: months_up(pile, 12) for pile in (1, 2, 3)} | {4: months_up(4, 11)}
    if rules:
        # November's swallow (41) is a left non-point card, its ribbon (42) the other point card.
        piles[2][10], piles[3][10] = 42, 41
    game = start.lay(waste=[47], piles=piles, foundation_return=returns, **rules)
    assert game.table().stock == []
    assert not game.is_won()
    game = assert_legal(game, "W-F")
    assert game.is_won()
    assert game.table().foundations == [piles[1], piles[2], piles[3], [*piles[4], 47]]
    assert game.moves() == []
