"""The switches of Three Treasures, and what each card is under them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Final, Literal

from hanasolve.cards import DECK_SIZE, parse
from hanasolve.switches import Switches


def _cards(codes: str) -> frozenset[int]:
    return frozenset(map(parse, codes.split()))


REMOVED: Final = parse("11a")
"""The rainman, which is out for good."""
MOON: Final = parse("08a")
LIGHTNING: Final = parse("11d")
TREASURES: Final = _cards("03a 05a 09a")
RED_BANNERS: Final = _cards("01b 02b 03b 04b 05b 07b 11c")
BLUE_BANNERS: Final = _cards("06b 09b 10b")
BANNERS: Final = RED_BANNERS | BLUE_BANNERS
CARDS: Final = frozenset(range(DECK_SIZE)) - {REMOVED}
"""The 47 cards of the game."""
_POETRY: Final = _cards("01b 02b 03b")
_DEPICTED: Final = _cards("01a 02a 04a 06a 07a 08b 10a 11b 12a")
_BRIGHT_ANIMALS: Final = _cards("01a 12a")

KINDS: Final = (
    "empty", "animal", "red banner", "blue banner", "treasure", "moon", "lightning", "bright",
    "poetry ribbon",
)  # fmt: skip
"""What a card can be; the last two only under switches that take their part away."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rules(Switches):
    """One reading of the rules: the value of every switch.

    Attributes
    ----------
    animal_cards : {"depicted", "tane"}
        The nine cards that show an animal, or without the crane and the phoenix, which are then
        neither empty nor animal.
    red_banners : {"all_red", "plain_only"}
        Whether the poetry ribbons have their use as banners.
    reshuffle_moon : {"shuffled", "stays_bottom"}
        Where the moon is after a shuffle.
    end_redraw : {"once_if_treasure", "always", "never"}
        The draw at the end of a turn.
    lightning_redraw : bool
        A start draw follows the penalty of a start draw.
    kill_pick : {"blind", "look"}
        How a card of the trial is taken by a kill.
    blue_source : {"discard", "hand"}
        Where the card X of a blue banner comes from.
    covered_trial : {"discard", "merge"}
        What becomes of a waiting trial when a new animal comes.
    red_animal_trial : bool
        Whether an animal from a red draw forms a trial.
    turn_end : {"after_any_action", "ending_action_only"}
        Whether one may stop after a red draw.
    zero_hand : {"immediate", "end_of_action"}
        When an empty hand is judged.
    win_check : {"after_redraw", "before_redraw"}
        When a win is judged.

    Raises
    ------
    RulesError
        For a value that does not exist.
    """

    animal_cards: Literal["depicted", "tane"] = "depicted"
    red_banners: Literal["all_red", "plain_only"] = "all_red"
    reshuffle_moon: Literal["shuffled", "stays_bottom"] = "shuffled"
    end_redraw: Literal["once_if_treasure", "always", "never"] = "once_if_treasure"
    lightning_redraw: bool = False
    kill_pick: Literal["blind", "look"] = "blind"
    blue_source: Literal["discard", "hand"] = "discard"
    covered_trial: Literal["discard", "merge"] = "discard"
    red_animal_trial: bool = True
    turn_end: Literal["after_any_action", "ending_action_only"] = "after_any_action"
    zero_hand: Literal["immediate", "end_of_action"] = "immediate"
    win_check: Literal["after_redraw", "before_redraw"] = "after_redraw"

    @classmethod
    def presets(cls) -> Mapping[str, Rules]:
        """Give the rules that have a name."""
        return PRESETS

    def kind_of(self, card: int) -> str:
        """Give what a card is, one of `KINDS`."""
        if card == MOON:
            return "moon"
        if card == LIGHTNING:
            return "lightning"
        if card in TREASURES:
            return "treasure"
        if card in BLUE_BANNERS:
            return "blue banner"
        if card in RED_BANNERS:
            plain_only = self.red_banners == "plain_only"
            return "poetry ribbon" if plain_only and card in _POETRY else "red banner"
        if card in _DEPICTED:
            tane = self.animal_cards == "tane"
            return "bright" if tane and card in _BRIGHT_ANIMALS else "animal"
        return "empty"


PRESETS: Final = {"base": Rules()}
