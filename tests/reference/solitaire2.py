"""A plain reference implementation of Hanafuda Solitaire #2.

It is written to be read and believed, not to be fast: cards are numbers 0..47 in tuples, every rule
is one small function, and nothing is cached. A faster implementation can be tested against it.

Cards: ``card = (month - 1) * 4 + k`` with month 1..12 and k 0..3, highest class first.
Moves are text: ``draw``, ``turn``, ``W-F``, ``3-F``, ``W-F3``, ``W-5``, ``2-4x3``, ``F2-5``.
"""

import math
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

MONTH: tuple[int, ...] = tuple(month for month in range(1, 13) for _ in range(4))

# "p" is a point card, "n" a non-point card; November's swallow (card 41) is a non-point card.
ALTERNATION: str = "ppnn ppnn ppnn ppnn ppnn ppnn ppnn ppnn ppnn ppnn pnpn ppnn".replace(" ", "")

# The foundation pile (1..4) of each card, January to December, by either scale of points.
FOUNDATION_CLASS: dict[str, str] = {
    "standard": "1234 1234 1234 1234 1234 1234 1234 1234 1234 1234 1324 1234".replace(" ", ""),
    "hawaii": "1234 2134 1234 2134 2134 2134 2134 1234 2134 2134 2314 1234".replace(" ", ""),
}

COLUMNS = range(1, 7)
PILES = range(1, 5)
LAST_MONTH = 12

# The values of the switches that are words, the default first.
WORDS: dict[str, tuple[str, ...]] = {
    "run_moves": ("whole", "any_suffix"),
    "tableau_step": ("consecutive", "any_earlier"),
    "foundation_suits": ("any", "by_class"),
    "foundation_order": ("completion", "none", "sequential"),
    "empty_column": ("december", "any", "none"),
    "point_scale": ("standard", "hawaii"),
    "nonpoint_piles": ("oriented", "interchangeable"),
}

# Switches that mean nothing unless the foundations are built by class.
ONLY_BY_CLASS = ("foundation_order", "point_scale", "nonpoint_piles")


@dataclass(frozen=True)
class Rules:
    """The eleven switches. A value that does not exist or could have no effect is refused."""

    run_moves: str = "whole"
    tableau_step: str = "consecutive"
    foundation_suits: str = "any"
    foundation_order: str = "completion"
    alternate: bool = False
    max_passes: int = 0
    draw_count: int = 3
    empty_column: str = "december"
    point_scale: str = "standard"
    nonpoint_piles: str = "oriented"
    foundation_return: bool = False

    def __post_init__(self) -> None:
        for name, values in WORDS.items():
            value = getattr(self, name)
            if value not in values:
                raise ValueError(f"{name}: no value {value!r}")
            if name in ONLY_BY_CLASS and self.foundation_suits == "any" and value != values[0]:
                raise ValueError(f"{name}={value} has no effect with foundation_suits=any")
        if self.max_passes < 0:
            raise ValueError("max_passes is 0 (no limit) or more")
        if self.draw_count not in (1, 2, 3):
            raise ValueError("draw_count is 1, 2 or 3")


PRESETS: dict[str, Rules] = {
    "base": Rules(),
    "rule1": Rules(foundation_suits="by_class"),
    "rule2": Rules(alternate=True),
    "rule3": Rules(max_passes=3),
    "rule12": Rules(foundation_suits="by_class", alternate=True),
    "rule13": Rules(foundation_suits="by_class", max_passes=3),
    "rule23": Rules(alternate=True, max_passes=3),
    "rule123": Rules(foundation_suits="by_class", alternate=True, max_passes=3),
    "klondike12": Rules(
        foundation_suits="by_class",
        alternate=True,
        run_moves="any_suffix",
        foundation_order="none",
    ),
}


@dataclass(frozen=True)
class Position:
    """The table. Columns, waste and foundations run bottom to top; the stock's next card is first.

    The face-up part of a column is always a run that was built by the rules, and a column without
    face-up cards is empty.
    """

    down: tuple[tuple[int, ...], ...]
    up: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    foundations: tuple[tuple[int, ...], ...]
    turns: int


def deal(deck: Sequence[int]) -> Position:
    """Row r gives a card to each of the columns r..6, its first card face up; the rest is stock."""
    if sorted(deck) != list(range(48)):
        raise ValueError("a deck has each of the 48 cards once")
    cards = list(deck)
    down: list[list[int]] = [[] for _ in COLUMNS]
    up: list[list[int]] = [[] for _ in COLUMNS]
    for row in COLUMNS:
        for column in range(row, 7):
            side = up if column == row else down
            side[column - 1].append(cards.pop(0))
    return Position(
        down=tuple(tuple(column) for column in down),
        up=tuple(tuple(column) for column in up),
        stock=tuple(cards),
        waste=(),
        foundations=((), (), (), ()),
        turns=0,
    )


def is_won(position: Position) -> bool:
    """The game is won when all 48 cards lie on the foundations."""
    return sum(len(pile) for pile in position.foundations) == 48


# --- what may be done -----------------------------------------------------------------------------


def may_draw(position: Position) -> bool:
    """Cards can be drawn as long as there is a stock."""
    return len(position.stock) > 0


def may_turn(rules: Rules, position: Position) -> bool:
    """The waste is turned over when the stock is used up and another pass is allowed.

    With n passes in all there are n - 1 turns; 0 means any number of passes.
    """
    if position.stock or not position.waste:
        return False
    return rules.max_passes == 0 or position.turns < rules.max_passes - 1


def is_earlier_step(rules: Rules, card: int, onto: int) -> bool:
    """Building goes down: exactly one month earlier, or by the switch any earlier month."""
    if rules.tableau_step == "any_earlier":
        return MONTH[card] < MONTH[onto]
    return MONTH[card] == MONTH[onto] - 1


def alternates(rules: Rules, card: int, onto: int) -> bool:
    """With rule 2, a point card lands on a non-point card and a non-point card on a point card."""
    return not rules.alternate or ALTERNATION[card] != ALTERNATION[onto]


def may_start_empty_column(rules: Rules, head: int) -> bool:
    """A December card, alone or as the head of a run, starts an empty column; or all, or none."""
    if rules.empty_column == "december":
        return MONTH[head] == LAST_MONTH
    return rules.empty_column == "any"


def column_takes(rules: Rules, position: Position, column: int, head: int) -> bool:
    """Whether cards headed by ``head`` may be laid on a column: only the head is looked at."""
    cards = position.up[column - 1]
    if not cards:
        return may_start_empty_column(rules, head)
    return is_earlier_step(rules, head, cards[-1]) and alternates(rules, head, cards[-1])


def movable_counts(rules: Rules, position: Position, column: int) -> list[int]:
    """How many cards may leave a column together: all its face-up cards, or any suffix of them."""
    face_up = len(position.up[column - 1])
    if rules.run_moves == "any_suffix":
        return list(range(1, face_up + 1))
    return [face_up] if face_up > 0 else []


def belongs_to_pile(rules: Rules, card: int, pile: int) -> bool:
    """Without rule 1 any pile will do; with it, the card's class names its pile.

    By the switch, piles 3 and 4 both take either non-point card.
    """
    if rules.foundation_suits == "any":
        return True
    own = int(FOUNDATION_CLASS[rules.point_scale][card])
    if rules.nonpoint_piles == "interchangeable" and own in (3, 4):
        return pile in (3, 4)
    return pile == own


def in_foundation_order(rules: Rules, position: Position, card: int, pile: int) -> bool:
    """The piles of rule 1 are finished (or, read strictly, begun) one after the other.

    ``completion``: December has to wait until all earlier piles are complete; ``sequential``:
    January has to. It is judged on the heights that the piles have now.
    """
    if rules.foundation_suits == "any" or rules.foundation_order == "none":
        return True
    waiting_month = LAST_MONTH if rules.foundation_order == "completion" else 1
    if MONTH[card] != waiting_month:
        return True
    return all(len(earlier) == LAST_MONTH for earlier in position.foundations[: pile - 1])


def pile_takes(rules: Rules, position: Position, pile: int, card: int) -> bool:
    """A pile goes up from January month by month, with the cards and in the order of rule 1."""
    next_month = len(position.foundations[pile - 1]) + 1
    return (
        MONTH[card] == next_month
        and belongs_to_pile(rules, card, pile)
        and in_foundation_order(rules, position, card, pile)
    )


def piles_that_take(rules: Rules, position: Position, card: int) -> list[int]:
    """The numbers of all foundation piles to which the card could go now, lowest first."""
    return [pile for pile in PILES if pile_takes(rules, position, pile, card)]


def playable_card(position: Position, source: str) -> int | None:
    """The card on top of the waste ("W") or the last card of a column ("1".."6"), if any."""
    cards = position.waste if source == "W" else position.up[int(source) - 1]
    return cards[-1] if cards else None


def foundation_moves(rules: Rules, position: Position, source: str) -> list[str]:
    """A card going up is written ``F`` for the lowest pile that takes it.

    Where it matters which pile it is, each further pile is a move of its own, written ``Fk``.
    """
    card = playable_card(position, source)
    piles = [] if card is None else piles_that_take(rules, position, card)
    if not piles:
        return []
    moves = [f"{source}-F"]
    if rules.nonpoint_piles == "interchangeable" or rules.foundation_return:
        moves += [f"{source}-F{pile}" for pile in piles[1:]]
    return moves


def waste_moves(rules: Rules, position: Position) -> list[str]:
    """Only the top card of the waste can be laid on a column."""
    if not position.waste:
        return []
    card = position.waste[-1]
    return [f"W-{column}" for column in COLUMNS if column_takes(rules, position, column, card)]


def column_moves(rules: Rules, position: Position, column: int) -> list[str]:
    """Runs go from a column to any other one; also a whole column to an empty one."""
    moves: list[str] = []
    for target in COLUMNS:
        for count in movable_counts(rules, position, column):
            head = position.up[column - 1][-count]
            if target != column and column_takes(rules, position, target, head):
                moves.append(f"{column}-{target}x{count}")
    return moves


def return_moves(rules: Rules, position: Position) -> list[str]:
    """By the switch, the last card of a foundation may go back to a column that takes it."""
    if not rules.foundation_return:
        return []
    return [
        f"F{pile}-{column}"
        for pile in PILES
        for column in COLUMNS
        if position.foundations[pile - 1]
        and column_takes(rules, position, column, position.foundations[pile - 1][-1])
    ]


def legal_moves(rules: Rules, position: Position) -> list[str]:
    """Every legal move once. A won game is over: it has no moves, whatever could go back."""
    if is_won(position):
        return []
    moves: list[str] = []
    if may_draw(position):
        moves.append("draw")
    if may_turn(rules, position):
        moves.append("turn")
    for source in ("W", "1", "2", "3", "4", "5", "6"):
        moves += foundation_moves(rules, position, source)
    moves += waste_moves(rules, position)
    for column in COLUMNS:
        moves += column_moves(rules, position, column)
    moves += return_moves(rules, position)
    return moves


# --- doing it -------------------------------------------------------------------------------------


def draw(rules: Rules, position: Position) -> Position:
    """Up to three cards go one by one from the stock to the waste; the last one is its top."""
    drawn = position.stock[: rules.draw_count]
    return replace(position, stock=position.stock[rules.draw_count :], waste=position.waste + drawn)


def turn(position: Position) -> Position:
    """The waste becomes the stock as a block, so that its cards come in the same order again."""
    return replace(position, stock=position.waste, waste=(), turns=position.turns + 1)


def with_item(
    items: tuple[tuple[int, ...], ...], index: int, item: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """A copy of the columns or piles with one of them exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def take(position: Position, source: str, count: int) -> tuple[Position, tuple[int, ...]]:
    """Lift cards from the waste "W", a column "1".."6" or a foundation "F1".."F4".

    A face-down card that becomes the last of its column is turned up at once.
    """
    if source == "W":
        return replace(position, waste=position.waste[:-count]), position.waste[-count:]
    if source.startswith("F"):
        index = int(source[1:]) - 1
        pile = position.foundations[index]
        lower = with_item(position.foundations, index, pile[:-count])
        return replace(position, foundations=lower), pile[-count:]
    index = int(source) - 1
    down, up = position.down[index], position.up[index]
    left = up[:-count]
    if not left and down:
        down, left = down[:-1], down[-1:]
    shorter = replace(
        position,
        down=with_item(position.down, index, down),
        up=with_item(position.up, index, left),
    )
    return shorter, up[-count:]


def put(position: Position, target: str, cards: tuple[int, ...]) -> Position:
    """Lay cards on a column "1".."6" or a foundation "F1".."F4", keeping their order."""
    if target.startswith("F"):
        index = int(target[1:]) - 1
        higher = with_item(position.foundations, index, position.foundations[index] + cards)
        return replace(position, foundations=higher)
    index = int(target) - 1
    return replace(position, up=with_item(position.up, index, position.up[index] + cards))


def choose_pile(rules: Rules, position: Position, source: str, named: str) -> int:
    """The pile that is named, if it takes the card, or else the lowest one that does."""
    card = playable_card(position, source)
    piles = [] if card is None else piles_that_take(rules, position, card)
    if named:
        piles = [pile for pile in piles if pile == int(named)]
    if not piles:
        raise ValueError(f"not legal: {source}-F{named}")
    return piles[0]


def apply(rules: Rules, position: Position, move: str) -> Position:
    """The position after a legal move; ValueError if the move is not legal.

    A card going up may always name its pile, also where ``legal_moves`` writes only ``F``.
    """
    up = re.fullmatch(r"([W1-6])-F([1-4]?)", move, re.ASCII)
    if up:
        pile = choose_pile(rules, position, up[1], up[2])
        position, cards = take(position, up[1], 1)
        return put(position, f"F{pile}", cards)
    if move not in legal_moves(rules, position):
        raise ValueError(f"not legal: {move}")
    if move == "draw":
        return draw(rules, position)
    if move == "turn":
        return turn(position)
    source, target = move.split("-")
    target, _, count = target.partition("x")
    position, cards = take(position, source, int(count or 1))
    return put(position, target, cards)


# --- counting and searching -----------------------------------------------------------------------


def perft(rules: Rules, position: Position, depth: int) -> int:
    """The number of sequences of exactly ``depth`` legal moves; positions are not merged."""
    if depth == 0:
        return 1
    moves = legal_moves(rules, position)
    return sum(perft(rules, apply(rules, position, move), depth - 1) for move in moves)


def search_key(rules: Rules, position: Position) -> Position:
    """What tells positions apart: the count of turns only where turns are limited."""
    return position if rules.max_passes > 0 else replace(position, turns=0)


def distance(rules: Rules, position: Position, limit: int) -> int | float | None:
    """The least number of moves to win, by breadth-first search over all positions.

    ``math.inf`` if no sequence of moves wins, None as soon as more than ``limit`` positions (the
    first one included) were seen.
    """
    start = search_key(rules, position)
    seen = {start}
    queue = deque([(start, 0)])
    if len(seen) > limit:
        return None
    if is_won(start):
        return 0
    while queue:
        here, steps = queue.popleft()
        for move in legal_moves(rules, here):
            there = search_key(rules, apply(rules, here, move))
            if there in seen:
                continue
            seen.add(there)
            if len(seen) > limit:
                return None
            if is_won(there):
                return steps + 1
            queue.append((there, steps + 1))
    return math.inf


def solvable(rules: Rules, position: Position, limit: int) -> bool | None:
    """Whether some sequence of moves wins; None when ``distance`` meets the limit."""
    moves = distance(rules, position, limit)
    return None if moves is None else moves != math.inf
