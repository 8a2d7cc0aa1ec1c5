"""The switches of Hanafuda by Tamaki, what each card is worth, and the yaku."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final, Literal

from hanasolve.cards import DECK_SIZE, parse
from hanasolve.switches import Switches

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 7
SIZES: Final = {2: (8, 8), 3: (7, 6), 4: (5, 8), 5: (4, 8), 6: (3, 12), 7: (3, 6)}
"""Cards dealt to each hand and to the table, by the number of players."""


def _cards(codes: str) -> frozenset[int]:
    return frozenset(map(parse, codes.split()))


_WORTH: Final = {
    20: _cards("01a 03a 08a 11a 12a"),
    10: _cards("02a 04a 05a 06a 07a 08b 09a 10a 11b"),
    5: _cards("01b 02b 03b 04b 05b 06b 07b 09b 10b 11c"),
}
POINTS: Final = tuple(
    next((points for points, cards in _WORTH.items() if card in cards), 0)
    for card in range(DECK_SIZE)
)
"""What each card is worth; 240 in all."""
YAKU: Final = {
    "boar_deer_butterflies": _cards("07a 10a 06a"),
    "red": _cards("04b 05b 07b"),
    "blue": _cards("06b 09b 10b"),
    "poetry": _cards("01b 02b 03b"),
}
"""The three cards of each yaku. No card is in two of them."""
PAYMENT: Final = 20
"""What every other seat pays to the holder of a yaku."""
UNIT: Final = 5
"""All points are multiples of it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules(Switches):
    """One reading of the rules: the value of every switch.

    Attributes
    ----------
    yaku_payment : {"per_group", "per_player"}
        Whether a holder is paid for each yaku, or once, however many there are.
    two_player_rest : {"unused", "play_out"}
        Whether two seats go on drawing, after the hands, until the mountain is empty.
    hand_three : {"compulsory", "optional", "off"}
        Whether three cards of a month in a dealt hand are broken up.
    capture : {"compulsory", "optional"}
        Whether what can be captured must be.

    Raises
    ------
    RulesError
        For a value that does not exist.
    """

    yaku_payment: Literal["per_group", "per_player"] = "per_group"
    two_player_rest: Literal["unused", "play_out"] = "unused"
    hand_three: Literal["compulsory", "optional", "off"] = "compulsory"
    capture: Literal["compulsory", "optional"] = "compulsory"

    @classmethod
    def presets(cls) -> Mapping[str, Rules]:
        """Give the rules that have a name."""
        return PRESETS

    def payments(self, yaku: list[int]) -> list[int]:
        """Give what each seat is paid, less what it pays, by how many yaku each one holds."""
        if self.yaku_payment == "per_player":
            yaku = [min(number, 1) for number in yaku]
        return [PAYMENT * (len(yaku) * own - sum(yaku)) for own in yaku]


PRESETS: Final = {"base": Rules()}
