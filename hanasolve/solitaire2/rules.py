"""The switches and presets of Hanafuda Solitaire #2, and which card may lie on which.

Every switch is a field of `Rules`; its default is the base game. A value that does not exist, and a
switch whose value can have no effect in the combination, are refused by name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final, Literal

from hanasolve.errors import RulesError
from hanasolve.switches import Switches

_HAWAII_EXCHANGED: Final = (2, 4, 5, 6, 7, 9, 10, 11)
_NOVEMBER_PILES: Final = (0, 2, 1, 3)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules(Switches):
    """One reading of the rules: the value of every switch.

    Attributes
    ----------
    run_moves : {"whole", "any_suffix"}
        Only the complete face-up part of a column moves, or any suffix of it.
    tableau_step : {"consecutive", "any_earlier"}
        A card goes onto the month right after its own, or onto any later month.
    foundation_suits : {"any", "by_class"}
        Any card of the month goes up, or each pile takes its own class (rule 1).
    foundation_order : {"completion", "none", "sequential"}
        With ``by_class``: a pile takes its December, or starts at all, only when the piles before
        it are complete.
    alternate : bool
        Point and non-point cards alternate in building down (rule 2).
    max_passes : int
        Runs through the stock in all; 0 is no limit (rule 3 is 3).
    draw_count : {3, 1, 2}
        Cards drawn at a time.
    empty_column : {"december", "any", "none"}
        What starts an empty column.
    point_scale : {"standard", "hawaii"}
        Which card is a month's highest; it relabels cards for ``by_class`` only.
    nonpoint_piles : {"oriented", "interchangeable"}
        With ``by_class``: the third and fourth pile told apart by left and right, or not.
    foundation_return : bool
        The last card of a pile may go back to a column.

    Raises
    ------
    RulesError
        For a value that does not exist, and for one that can have no effect.
    """

    run_moves: Literal["whole", "any_suffix"] = "whole"
    tableau_step: Literal["consecutive", "any_earlier"] = "consecutive"
    foundation_suits: Literal["any", "by_class"] = "any"
    foundation_order: Literal["completion", "none", "sequential"] = "completion"
    alternate: bool = False
    max_passes: int = 0
    draw_count: Literal[3, 1, 2] = 3
    empty_column: Literal["december", "any", "none"] = "december"
    point_scale: Literal["standard", "hawaii"] = "standard"
    nonpoint_piles: Literal["oriented", "interchangeable"] = "oriented"
    foundation_return: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.foundation_suits == "any":
            for name in ("foundation_order", "point_scale", "nonpoint_piles"):
                if name in self.differing():
                    raise RulesError(
                        f"{name} has an effect only with foundation_suits=by_class; leave it out"
                        " or set foundation_suits",
                        name,
                    )

    @classmethod
    def presets(cls) -> Mapping[str, Rules]:
        """Give the rules that have a name."""
        return PRESETS

    def pile_of(self, card: int) -> int:
        """Foundation pile, 0 to 3, that a card belongs to under ``by_class``.

        Piles 0 and 1 hold the point cards, so this also tells the two kinds of alternation apart.
        """
        month, k = card // 4 + 1, card % 4
        pile = _NOVEMBER_PILES[k] if month == 11 else k
        if self.point_scale == "hawaii" and month in _HAWAII_EXCHANGED and pile < 2:
            return 1 - pile
        return pile

    def is_point(self, card: int) -> bool:
        """Whether a card counts as a point card when kinds alternate."""
        return self.pile_of(card) < 2

    def fits(self, card: int, onto: int) -> bool:
        """Whether a card may be built onto another: the month, and the kind if they alternate."""
        month, target = card // 4, onto // 4
        if self.tableau_step == "consecutive":
            if month + 1 != target:
                return False
        elif month >= target:
            return False
        return not self.alternate or self.is_point(card) != self.is_point(onto)

    def starts_column(self, card: int) -> bool:
        """Whether a card may start an empty column."""
        return self.empty_column == "any" or (self.empty_column == "december" and card >= 44)

    def takes(self, pile: int, card: int) -> bool:
        """Whether a pile (0 to 3) is one for this card, whatever its height."""
        if self.foundation_suits == "any":
            return True
        own = self.pile_of(card)
        if self.nonpoint_piles == "interchangeable" and own >= 2:
            return pile >= 2
        return pile == own


PRESETS: Final = {
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
