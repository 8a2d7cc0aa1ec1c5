"""A plain reference implementation of Three Treasures, in explicit worlds.

It is written to be read and believed, not to be fast. A *world* is where every card lies that the
player cannot see: the deck, top first, and the trial, in the order of drawing. A *belief* is what
the player sees together with all the worlds that are still possible and how likely each one is.
Nothing is ever assumed about unknown cards: a shuffle replaces a world by all the orders of its
deck, and whatever is seen strikes out the worlds that do not agree with it.

Cards: ``card = (month - 1) * 4 + k`` with month 1..12 and k 0..3, highest class first.
Decisions are texts as in a record of a game (``red-draw 03b``). Chance shows ``draw C`` (from the
deck), ``trial C`` (a card of the trial is turned up) and ``pick C`` (the blind pick of a kill), one
card at a time.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

MONTH: tuple[int, ...] = tuple(month for month in range(1, 13) for _ in range(4))


def code(card: int) -> str:
    """The text of a card: 0 is ``01a``."""
    return f"{MONTH[card]:02d}{'abcd'[card % 4]}"


CODES: dict[str, int] = {code(card): card for card in range(48)}


def cards_of(text: str) -> frozenset[int]:
    """The set of the cards whose codes are in a text."""
    return frozenset(CODES[word] for word in text.split())


TREASURES = cards_of("03a 05a 09a")
MOON = CODES["08a"]
RAINMAN = CODES["11a"]
LIGHTNING = CODES["11d"]
DEPICTED = cards_of("01a 02a 04a 06a 07a 08b 10a 11b 12a")
TANE = DEPICTED - cards_of("01a 12a")
POETRY = cards_of("01b 02b 03b")
RED = cards_of("01b 02b 03b 04b 05b 07b 11c")
BLUE = cards_of("06b 09b 10b")
BANNERS = RED | BLUE
EMPTY = (
    frozenset(range(48)) - TREASURES - DEPICTED - BANNERS - frozenset({MOON, RAINMAN, LIGHTNING})
)
ALL_CARDS = frozenset(range(48)) - {RAINMAN}

# More cards than this cannot be shuffled here: a shuffle writes down every order of them.
MOST_SHUFFLED = 9

# The values of the switches, the default first.
VALUES: dict[str, tuple[str | bool, ...]] = {
    "animal_cards": ("depicted", "tane"),
    "red_banners": ("all_red", "plain_only"),
    "reshuffle_moon": ("shuffled", "stays_bottom"),
    "end_redraw": ("once_if_treasure", "always", "never"),
    "lightning_redraw": (False, True),
    "kill_pick": ("blind", "look"),
    "blue_source": ("discard", "hand"),
    "covered_trial": ("discard", "merge"),
    "red_animal_trial": (True, False),
    "turn_end": ("after_any_action", "ending_action_only"),
    "zero_hand": ("immediate", "end_of_action"),
    "win_check": ("after_redraw", "before_redraw"),
}


@dataclass(frozen=True)
class Rules:
    """The twelve switches; a value that does not exist is refused."""

    animal_cards: str = "depicted"
    red_banners: str = "all_red"
    reshuffle_moon: str = "shuffled"
    end_redraw: str = "once_if_treasure"
    lightning_redraw: bool = False
    kill_pick: str = "blind"
    blue_source: str = "discard"
    covered_trial: str = "discard"
    red_animal_trial: bool = True
    turn_end: str = "after_any_action"
    zero_hand: str = "immediate"
    win_check: str = "after_redraw"

    def __post_init__(self) -> None:
        for name, values in VALUES.items():
            value = getattr(self, name)
            if (type(value), value) not in [(type(good), good) for good in values]:
                raise ValueError(f"{name}: no value {value!r}")


def animals(rules: Rules) -> frozenset[int]:
    """The animals: every card that shows one, or by the switch only the animal class."""
    return DEPICTED if rules.animal_cards == "depicted" else TANE


def useful_red(rules: Rules) -> frozenset[int]:
    """The red banners that can be used as such."""
    return RED if rules.red_banners == "all_red" else RED - POETRY


class World(NamedTuple):
    """Where the cards lie that the player may not know: deck top first, trial as it was drawn."""

    deck: tuple[int, ...]
    trial: tuple[int, ...]


Worlds = tuple[tuple[World, Fraction], ...]


@dataclass(frozen=True)
class Belief:
    """What the player sees, and the possible worlds with their probabilities.

    ``phase`` says what comes next.
    Chance: ``start`` (a start draw), ``end draw`` (a start draw at the end of a turn), ``red draw``
    (the next card of a red draw), ``penalty draw`` (the next card that the penalty discards),
    ``cover`` (the next card of a covered trial goes to the discard pile), ``look`` (the next card
    of the trial is looked at), ``pick`` (blindly, from the trial).
    Decisions: ``act``, ``acted``, ``penalty``, ``choose`` (between two cards of a red draw),
    ``take`` (from the trial just looked at).
    Over: ``lost``, ``won``.

    ``what`` says during what: the ``start``, ``end`` or ``red`` draw; ``dispel`` or ``kill``.
    ``seen`` are the cards shown and not yet decided upon; ``left`` counts the cards that the
    penalty has yet to discard; ``forgiven`` says that the hand became empty by moving treasures.
    While there is a penalty, the lightning lies beside the deck.
    """

    phase: str
    hand: frozenset[int]
    present: int
    discard: frozenset[int]
    victory: frozenset[int]
    worlds: Worlds
    what: str = ""
    seen: tuple[int, ...] = ()
    left: int = 0
    forgiven: bool = False


Outcomes = list[tuple[Fraction, str, Belief]]

# --- worlds ---------------------------------------------------------------------------------------


def collect(pairs: Iterable[tuple[World, Fraction]]) -> Worlds:
    """Equal worlds merged, weights that sum to 1, in a fixed order."""
    weights: dict[World, Fraction] = {}
    for world, weight in pairs:
        weights[world] = weights.get(world, Fraction(0)) + weight
    total = sum(weights.values(), Fraction(0))
    return tuple((world, weights[world] / total) for world in sorted(weights))


def deck_size(belief: Belief) -> int:
    """The number of cards in the deck, which is public and so the same in every world."""
    return len(belief.worlds[0][0].deck)


def trial_size(belief: Belief) -> int:
    """The number of cards in the trial, which is public and so the same in every world."""
    return len(belief.worlds[0][0].trial)


def change(belief: Belief, move: Callable[[World], World]) -> Belief:
    """The same cards are moved in every world, unseen."""
    return replace(belief, worlds=collect((move(world), p) for world, p in belief.worlds))


def orders(rules: Rules, cards: Iterable[int]) -> list[tuple[int, ...]]:
    """All the orders that shuffling these cards can give; by the switch the moon stays last."""
    mixed = sorted(cards)
    if len(mixed) > MOST_SHUFFLED:
        raise OverflowError(f"{len(mixed)} cards have too many orders")
    if rules.reshuffle_moon == "stays_bottom" and MOON in mixed:
        mixed.remove(MOON)
        return [(*order, MOON) for order in permutations(mixed)]
    return list(permutations(mixed))


def shuffle_deck(rules: Rules, belief: Belief) -> Belief:
    """Each world becomes all the orders of its deck, each as likely as the others.

    Worlds that differ only in the order of the deck are put together first, to save time.
    """
    sets: dict[World, Fraction] = {}
    for world, weight in belief.worlds:
        unordered = World(tuple(sorted(world.deck)), world.trial)
        sets[unordered] = sets.get(unordered, Fraction(0)) + weight
    pairs: list[tuple[World, Fraction]] = []
    for world, weight in sets.items():
        decks = orders(rules, world.deck)
        pairs += [(World(deck, world.trial), weight / len(decks)) for deck in decks]
    return replace(belief, worlds=collect(pairs))


def show(
    belief: Belief, look: Callable[[World], list[tuple[Fraction, int, World]]]
) -> list[tuple[Fraction, int, Belief]]:
    """A card is shown: for each card that it can be, how likely, and what is believed then.

    ``look`` says for a world which card it shows with what probability, and the world after it.
    """
    found: dict[int, list[tuple[World, Fraction]]] = {}
    for world, weight in belief.worlds:
        for chance, card, after in look(world):
            found.setdefault(card, []).append((after, weight * chance))
    return [
        (
            sum((weight for _, weight in pairs), Fraction(0)),
            card,
            replace(belief, worlds=collect(pairs)),
        )
        for card, pairs in sorted(found.items())
    ]


def top_card(world: World) -> list[tuple[Fraction, int, World]]:
    """The top card of the deck leaves it."""
    return [(Fraction(1), world.deck[0], World(world.deck[1:], world.trial))]


def first_trial_card(world: World) -> list[tuple[Fraction, int, World]]:
    """The first card of the trial leaves it."""
    return [(Fraction(1), world.trial[0], World(world.deck, world.trial[1:]))]


def any_trial_card(world: World) -> list[tuple[Fraction, int, World]]:
    """A card of the trial leaves it, each with the same chance."""
    chance = Fraction(1, len(world.trial))
    return [
        (chance, card, World(world.deck, world.trial[:place] + world.trial[place + 1 :]))
        for place, card in enumerate(world.trial)
    ]


def with_trial(world: World) -> World:
    """Three cards are drawn face down and join the trial."""
    return World(world.deck[3:], world.trial + world.deck[:3])


def with_trial_below(world: World) -> World:
    """The trial goes under the deck, the card drawn first uppermost."""
    return World(world.deck + world.trial, ())


# --- what may be done -----------------------------------------------------------------------------


def red_draws(rules: Rules, belief: Belief) -> list[str]:
    return [f"red-draw {code(card)}" for card in sorted(belief.hand & useful_red(rules))]


def blues(rules: Rules, belief: Belief) -> list[str]:
    """Blue banner, card X, and as many other discarded animals as there are, up to two."""
    texts: list[str] = []
    for banner in sorted(belief.hand & BLUE):
        source = belief.discard if rules.blue_source == "discard" else belief.hand - {banner}
        for x in sorted(source - BANNERS):
            others = sorted((belief.discard & animals(rules)) - {x})
            for more in combinations(others, min(2, len(others))):
                texts.append(" ".join(["blue", *map(code, (banner, x, *more))]))
    return texts


def dispels(rules: Rules, belief: Belief) -> list[str]:
    if belief.present not in animals(rules):
        return []
    return [
        f"dispel {code(card)}"
        for card in sorted(belief.hand - animals(rules))
        if MONTH[card] == MONTH[belief.present]
    ]


def avoids(rules: Rules, belief: Belief) -> list[str]:
    if belief.present not in animals(rules):
        return []
    return [
        f"avoid {code(card)}"
        for card in sorted(belief.hand)
        if MONTH[card] != MONTH[belief.present]
    ]


def kills(rules: Rules, belief: Belief) -> list[str]:
    if belief.present not in animals(rules):
        return []
    return [f"kill {code(card)}" for card in sorted(belief.hand & useful_red(rules))]


def wanders(rules: Rules, belief: Belief) -> list[str]:
    if belief.present in animals(rules):
        return []
    return [
        f"wander {code(card)}"
        for card in sorted(belief.hand & EMPTY)
        if MONTH[card] != MONTH[belief.present]
    ]


def starves(belief: Belief) -> list[str]:
    return [f"starve {code(a)} {code(b)}" for a, b in combinations(sorted(belief.hand), 2)]


def penalties(belief: Belief) -> list[str]:
    blue = [f"penalty blue {code(card)}" for card in sorted(belief.hand & BLUE)]
    return [*blue, "penalty deck"]


def choices(rules: Rules, belief: Belief) -> list[str]:
    """Of two animals one comes onto the present; of other cards one is kept."""
    both = all(card in animals(rules) for card in belief.seen)
    verb = "present" if both else "keep"
    return [f"{verb} {code(card)}" for card in sorted(belief.seen)]


def actions(rules: Rules, belief: Belief) -> list[str]:
    """Every decision open to the player; none when chance is to move or the game is over."""
    if belief.phase == "penalty":
        return penalties(belief)
    if belief.phase == "choose":
        return choices(rules, belief)
    if belief.phase == "take":
        return [f"take {code(card)}" for card in sorted(belief.seen)]
    if belief.phase not in ("act", "acted"):
        return []
    texts = (
        red_draws(rules, belief)
        + blues(rules, belief)
        + dispels(rules, belief)
        + avoids(rules, belief)
        + kills(rules, belief)
        + wanders(rules, belief)
        + starves(belief)
    )
    if belief.phase == "acted" and rules.turn_end == "after_any_action":
        texts.append("end")
    return texts


def is_over(rules: Rules, belief: Belief) -> int | None:
    """1 when the game is won, 0 when it is lost, None while it goes on."""
    return {"won": 1, "lost": 0}.get(belief.phase)


# --- what comes next ------------------------------------------------------------------------------


def lost(belief: Belief) -> Belief:
    return replace(belief, phase="lost", what="", seen=(), left=0)


def won(belief: Belief) -> Belief:
    return replace(belief, phase="won", what="", seen=(), left=0)


def starves_now(rules: Rules, belief: Belief) -> bool:
    """Whether the hand, just made smaller, loses the game at this very moment."""
    return rules.zero_hand == "immediate" and not belief.hand


def start_draw_due(belief: Belief, what: str) -> Belief:
    """A start draw is due, at the start of a turn or at its end; without a deck that loses.

    UNCLEAR: an empty deck is judged here, before anything is drawn: "a required draw is
    impossible" loses at once.
    """
    if deck_size(belief) == 0:
        return lost(belief)
    return replace(belief, phase={"start": "start", "end": "end draw"}[what], what=what, seen=())


def actions_due(rules: Rules, belief: Belief, phase: str) -> Belief:
    """The player is to act. An empty hand loses here at the latest, and so does no legal action.

    UNCLEAR: "Under ending_action_only, no ending action left after a red draw: lost" is read as no
    legal action left; while another red draw is possible, it may be made.
    """
    belief = replace(belief, phase=phase, what="", seen=(), left=0)
    if not belief.hand or not actions(rules, belief):
        return lost(belief)
    return belief


def draw_done(rules: Rules, belief: Belief) -> Belief:
    """A start draw, end draw or red draw is complete."""
    if belief.what == "start":
        return actions_due(rules, belief, "act")
    if belief.what == "red":
        return actions_due(rules, belief, "acted")
    return turn_done(rules, belief)


def end_turn(rules: Rules, belief: Belief) -> Belief:
    """An ending action was taken, or the player stopped: treasures move, an end draw may follow."""
    belief = replace(belief, what="", seen=(), left=0)
    if not belief.hand:
        return lost(belief)
    moved = belief.hand & TREASURES
    belief = replace(belief, hand=belief.hand - moved, victory=belief.victory | moved)
    belief = replace(belief, forgiven=not belief.hand)
    if rules.win_check == "before_redraw" and belief.victory == TREASURES:
        return won(belief)
    if rules.end_redraw == "always" or (rules.end_redraw == "once_if_treasure" and moved):
        return start_draw_due(belief, "end")
    return turn_done(rules, belief)


def turn_done(rules: Rules, belief: Belief) -> Belief:
    """After the end draw, if there is one: the hand is judged, the win, and the next turn begins.

    UNCLEAR: only a hand emptied by moving treasures is forgiven. A hand emptied by the penalty in
    the end draw (possible here with end_of_action) loses even with all three treasures. With
    end_of_action a hand emptied by an action is judged before an end draw (end_redraw=always).
    UNCLEAR: a forgiven hand that is still empty now and does not win loses, also when there is no
    end draw at all (end_redraw=never), and with before_redraw also when the third treasure came in
    the end draw.
    """
    if not belief.hand and not belief.forgiven:
        return lost(belief)
    if rules.win_check == "after_redraw" and belief.victory == TREASURES:
        return won(belief)
    if not belief.hand:
        return lost(belief)
    return start_draw_due(replace(belief, forgiven=False), "start")


# --- animals and the lightning --------------------------------------------------------------------


def animal_comes(rules: Rules, belief: Belief, card: int) -> Belief:
    """An animal was put on the present. A waiting trial goes to the discard pile, card by card.

    UNCLEAR: the waiting trial is discarded (and seen) before the new trial is drawn, so also when
    there are too few cards for that.
    """
    belief = replace(belief, present=card, seen=())
    if rules.covered_trial == "discard" and trial_size(belief) > 0:
        return replace(belief, phase="cover")
    return new_trial(rules, belief)


def new_trial(rules: Rules, belief: Belief) -> Belief:
    """Three cards are drawn face down; fewer lose. By the switch not for a red draw's animal."""
    if belief.what == "red" and not rules.red_animal_trial:
        return draw_done(rules, belief)
    if deck_size(belief) < 3:
        return lost(belief)
    return draw_done(rules, change(belief, with_trial))


def lightning_under(rules: Rules, belief: Belief) -> Belief:
    """The penalty is paid: the lightning goes under the deck, and by the switch one draws again.

    UNCLEAR: "the lightning the only card of the deck: lost" is judged when the new draw is due,
    after the penalty (not as soon as the lightning is drawn).
    """
    belief = change(belief, lambda world: World((*world.deck, LIGHTNING), world.trial))
    belief = replace(belief, seen=(), left=0)
    if rules.lightning_redraw and belief.what != "red":
        if deck_size(belief) == 1:
            return lost(belief)
        return start_draw_due(belief, belief.what)
    return draw_done(rules, belief)


# --- decisions ------------------------------------------------------------------------------------


def without(belief: Belief, *cards: int) -> Belief:
    """Cards leave the hand."""
    return replace(belief, hand=belief.hand - set(cards))


def discarding(belief: Belief, *cards: int) -> Belief:
    """Cards come to the discard pile."""
    return replace(belief, discard=belief.discard | set(cards))


def do_penalty(rules: Rules, belief: Belief, words: Sequence[str]) -> Belief:
    if words[0] == "blue":
        card = CODES[words[1]]
        belief = discarding(without(belief, card), card)
        return lost(belief) if starves_now(rules, belief) else lightning_under(rules, belief)
    count = min(3, deck_size(belief))
    if count == 0:
        return lightning_under(rules, belief)
    return replace(belief, phase="penalty draw", left=count, seen=())


def do_red_draw(rules: Rules, belief: Belief, card: int) -> Belief:
    belief = discarding(without(belief, card), card)
    if starves_now(rules, belief) or deck_size(belief) < 2:
        return lost(belief)
    return replace(belief, phase="red draw", what="red", seen=())


def do_keep(rules: Rules, belief: Belief, card: int) -> Belief:
    others = [other for other in belief.seen if other != card]
    return draw_done(rules, discarding(replace(belief, hand=belief.hand | {card}), *others))


def do_present(rules: Rules, belief: Belief, card: int) -> Belief:
    others = [other for other in belief.seen if other != card]
    return animal_comes(rules, discarding(belief, *others), card)


def do_blue(rules: Rules, belief: Belief, banner: int, x: int, more: Sequence[int]) -> Belief:
    belief = discarding(without(belief, banner), banner)
    if starves_now(rules, belief):
        return lost(belief)
    if rules.blue_source == "hand":
        belief = without(belief, x)
        if starves_now(rules, belief):
            return lost(belief)
    belief = replace(belief, discard=belief.discard - {x, *more})
    belief = change(belief, lambda world: World((*world.deck, x, *more), world.trial))
    return end_turn(rules, shuffle_deck(rules, belief))


def do_dispel(rules: Rules, belief: Belief, card: int) -> Belief:
    belief = replace(without(belief, card), present=card)
    if starves_now(rules, belief):
        return lost(belief)
    if trial_size(belief) == 0:
        return end_turn(rules, belief)
    return replace(belief, phase="look", what="dispel", seen=())


def do_avoid(rules: Rules, belief: Belief, card: int) -> Belief:
    belief = replace(without(belief, card), present=card)
    return end_turn(rules, change(belief, with_trial_below))


def do_kill(rules: Rules, belief: Belief, card: int) -> Belief:
    belief = replace(without(belief, card), present=card)
    if starves_now(rules, belief):
        return lost(belief)
    if trial_size(belief) == 0:
        return end_turn(rules, shuffle_deck(rules, belief))
    phase = "pick" if rules.kill_pick == "blind" else "look"
    return replace(belief, phase=phase, what="kill", seen=())


def do_take(rules: Rules, belief: Belief, card: int) -> Belief:
    """One card of the trial to the hand, the others to the discard pile or into the deck."""
    others = [other for other in belief.seen if other != card]
    belief = replace(belief, hand=belief.hand | {card})
    if belief.what == "dispel":
        return end_turn(rules, discarding(belief, *others))
    belief = change(belief, lambda world: World((*world.deck, *others), world.trial))
    return end_turn(rules, shuffle_deck(rules, belief))


def do_wander(rules: Rules, belief: Belief, card: int) -> Belief:
    return end_turn(rules, replace(without(belief, card), present=card))


def do_starve(rules: Rules, belief: Belief, a: int, b: int) -> Belief:
    return end_turn(rules, discarding(without(belief, a, b), a, b))


def apply(rules: Rules, belief: Belief, action: str) -> Belief:
    """What is believed after a legal action; ValueError if the action is not legal."""
    if action not in actions(rules, belief):
        raise ValueError(f"not legal: {action}")
    verb, *words = action.split()
    if verb == "penalty":
        return do_penalty(rules, belief, words)
    if verb == "end":
        return end_turn(rules, belief)
    cards = [CODES[word] for word in words]
    if verb == "blue":
        return do_blue(rules, belief, cards[0], cards[1], cards[2:])
    if verb == "starve":
        return do_starve(rules, belief, cards[0], cards[1])
    single: dict[str, Callable[[Rules, Belief, int], Belief]] = {
        "red-draw": do_red_draw,
        "keep": do_keep,
        "present": do_present,
        "dispel": do_dispel,
        "avoid": do_avoid,
        "kill": do_kill,
        "take": do_take,
        "wander": do_wander,
    }
    return single[verb](rules, belief, cards[0])


# --- chance ---------------------------------------------------------------------------------------


def start_drawn(rules: Rules, belief: Belief, card: int) -> Belief:
    """A start draw, at the start or the end of a turn, brought this card."""
    if card == MOON:
        return lost(belief)
    if card in TREASURES:
        return start_draw_due(replace(belief, victory=belief.victory | {card}), belief.what)
    if card in animals(rules):
        return animal_comes(rules, belief, card)
    if card == LIGHTNING:
        return replace(belief, phase="penalty")
    return draw_done(rules, replace(belief, hand=belief.hand | {card}))


def red_drawn(rules: Rules, belief: Belief, card: int) -> Belief:
    """A card of a red draw; with the second one it is seen what they are good for."""
    seen = tuple(sorted((*belief.seen, card)))
    belief = replace(belief, seen=seen)
    if len(seen) < 2:
        return belief
    if LIGHTNING in seen:
        others = [other for other in seen if other != LIGHTNING]
        return replace(discarding(belief, *others), phase="penalty", seen=())
    return replace(belief, phase="choose")


def penalty_drawn(rules: Rules, belief: Belief, card: int) -> Belief:
    """The penalty discards this card."""
    belief = replace(discarding(belief, card), left=belief.left - 1)
    return belief if belief.left > 0 else lightning_under(rules, belief)


def covered(rules: Rules, belief: Belief, card: int) -> Belief:
    """A card of the covered trial goes to the discard pile."""
    belief = discarding(belief, card)
    return belief if trial_size(belief) > 0 else new_trial(rules, belief)


def looked(rules: Rules, belief: Belief, card: int) -> Belief:
    """A card of the trial is looked at; after the last one the player takes one."""
    belief = replace(belief, seen=(*belief.seen, card))
    if trial_size(belief) > 0:
        return belief
    return replace(belief, phase="take", seen=tuple(sorted(belief.seen)))


def picked(rules: Rules, belief: Belief, card: int) -> Belief:
    """A kill brought this card; the rest of the trial is shuffled into the deck."""
    belief = change(replace(belief, hand=belief.hand | {card}), with_trial_below)
    return end_turn(rules, shuffle_deck(rules, belief))


Look = Callable[[World], list[tuple[Fraction, int, World]]]
Then = Callable[[Rules, Belief, int], Belief]

# What chance shows in each of its phases: the word, where the card comes from, what follows.
CHANCE: dict[str, tuple[str, Look, Then]] = {
    "start": ("draw", top_card, start_drawn),
    "end draw": ("draw", top_card, start_drawn),
    "red draw": ("draw", top_card, red_drawn),
    "penalty draw": ("draw", top_card, penalty_drawn),
    "cover": ("trial", first_trial_card, covered),
    "look": ("trial", first_trial_card, looked),
    "pick": ("pick", any_trial_card, picked),
}


def observations(belief: Belief) -> list[str]:
    """What chance can show next; nothing if chance is not to move."""
    if belief.phase not in CHANCE:
        return []
    verb, look, _ = CHANCE[belief.phase]
    return [f"{verb} {code(card)}" for _, card, _ in show(belief, look)]


def chance(rules: Rules, belief: Belief) -> Outcomes:
    """Everything that chance can show next, or nothing if chance is not to move."""
    if belief.phase not in CHANCE:
        return []
    verb, look, then = CHANCE[belief.phase]
    return [
        (probability, f"{verb} {code(card)}", then(rules, after, card))
        for probability, card, after in show(belief, look)
    ]


def step(rules: Rules, belief: Belief, action: str | None) -> Outcomes:
    """What can happen next: with an action that one thing, with None all that chance can do."""
    if action is not None:
        return [(Fraction(1), action, apply(rules, belief, action))]
    outcomes = chance(rules, belief)
    if not outcomes:
        raise ValueError("chance is not to move")
    return outcomes


# --- counting and solving -------------------------------------------------------------------------


def perft(rules: Rules, belief: Belief, depth: int) -> int:
    """The number of sequences of exactly ``depth`` moves, of the player or of chance.

    Beliefs are not merged, and a game that is over has no sequences beyond. The last move is
    counted without being made, since it may be a shuffle of many cards.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(actions(rules, belief)) + len(observations(belief))
    moves: Sequence[str | None] = actions(rules, belief)
    if not moves and is_over(rules, belief) is None:
        moves = [None]
    return sum(
        perft(rules, after, depth - 1)
        for move in moves
        for _, _, after in step(rules, belief, move)
    )


Memo = dict[tuple[Rules, Belief], Fraction]


def memo_key(rules: Rules, belief: Belief) -> tuple[Rules, Belief]:
    """What tells beliefs apart: a banner on the discard pile never comes back."""
    return rules, replace(belief, discard=belief.discard - BANNERS)


def best_value(rules: Rules, belief: Belief, moves: Sequence[str], memo: Memo) -> Fraction:
    """The best value of these actions; nothing is better than 1."""
    best = Fraction(0)
    for move in moves:
        best = max(best, value(rules, apply(rules, belief, move), memo))
        if best == 1:
            break
    return best


def value(rules: Rules, belief: Belief, memo: Memo | None = None) -> Fraction:
    """The probability of winning under best play with what is believed.

    Results are kept in ``memo``, which may be handed in to keep them from one call to the next.
    """
    if memo is None:
        memo = {}
    over = is_over(rules, belief)
    if over is not None:
        return Fraction(over)
    key = memo_key(rules, belief)
    if key not in memo:
        moves = actions(rules, belief)
        if moves:
            memo[key] = best_value(rules, belief, moves, memo)
        else:
            outcomes = step(rules, belief, None)
            memo[key] = sum((p * value(rules, after, memo) for p, _, after in outcomes), Fraction())
    return memo[key]


def action_values(
    rules: Rules, belief: Belief, memo: Memo | None = None
) -> list[tuple[str, Fraction]]:
    """The value of every action, in the order of ``actions``."""
    if memo is None:
        memo = {}
    return [
        (move, value(rules, apply(rules, belief, move), memo)) for move in actions(rules, belief)
    ]


# --- positions ------------------------------------------------------------------------------------


def card_of(item: Any) -> int:
    """A card of an instance file: a code (``1a`` too) or a number."""
    if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 48:
        return item
    text = str(item)
    if text.rjust(3, "0") in CODES and isinstance(item, str):
        return CODES[text.rjust(3, "0")]
    raise ValueError(f"no card: {item!r}")


def rules_of(entry: Any) -> Rules:
    """The switches of an instance file: ``base``, or those that differ from the defaults."""
    if isinstance(entry, str):
        entry = {"preset": entry}
    switches = dict(entry or {})
    if switches.pop("preset", "base") != "base":
        raise ValueError("no such preset")
    return Rules(**switches)


def is_unknown(item: Any) -> bool:
    return isinstance(item, str) and item.startswith("?")


def fillings(
    places: Sequence[str], cards: frozenset[int], forbidden: dict[str, frozenset[int]]
) -> list[tuple[int, ...]]:
    """All ways to put the cards in the places, none where it is forbidden, place after place."""
    if not places:
        return [()]
    return [
        (card, *rest)
        for card in sorted(cards - forbidden.get(places[0], frozenset()))
        for rest in fillings(places[1:], cards - {card}, forbidden)
    ]


def filled(items: Sequence[Any], cards: list[int]) -> tuple[int, ...]:
    """The items with their unknown places filled by the next of the cards, which are used up."""
    return tuple(cards.pop(0) if is_unknown(item) else card_of(item) for item in items)


def belief_of(instance: dict[str, Any]) -> tuple[Rules, Belief]:
    """The switches and the belief of an instance: all fillings of its unknown places alike."""
    rules = rules_of(instance.get("rules"))
    deck, trial = instance["deck"], instance.get("trial", [])
    hand = [card_of(item) for item in instance["hand"]]
    present = [card_of(item) for item in instance["present"]]
    discard = [card_of(item) for item in instance.get("discard", [])]
    victory = [card_of(item) for item in instance.get("victory", [])]
    unknown = [card_of(item) for item in instance.get("unknown", [])]
    hidden = [*trial, *deck]
    known = [card_of(item) for item in hidden if not is_unknown(item)]
    places = [item for item in hidden if is_unknown(item)]
    everything = hand + present + discard + victory + unknown + known
    if sorted(everything) != sorted(ALL_CARDS):
        raise ValueError("the 47 cards must be there once each")
    if len(places) != len(unknown):
        raise ValueError("as many unknown places as unknown cards")
    if not set(victory) <= TREASURES:
        raise ValueError("the victory pile holds treasures")
    if not present:
        # UNCLEAR: no set-up and no play leaves the present pile empty; it is refused here.
        raise ValueError("there must be a present")
    # UNCLEAR: a trial beside a present that is not an animal cannot come from play. It is accepted:
    # it stays where it is, until an animal covers it.
    forbidden = {
        place: frozenset(card_of(item) for item in items)
        for place, items in instance.get("not", {}).items()
    }
    worlds: list[tuple[World, Fraction]] = []
    for filling in fillings(places, frozenset(unknown), forbidden):
        cards = list(filling)
        trial_cards = filled(trial, cards)
        worlds.append((World(filled(deck, cards), trial_cards), Fraction(1)))
    if not worlds:
        raise ValueError("the unknown cards do not fit in the unknown places")
    belief = Belief(
        phase=instance["phase"],
        hand=frozenset(hand),
        present=present[-1],
        discard=frozenset(discard),
        victory=frozenset(victory),
        worlds=collect(worlds),
    )
    if belief.phase in ("act", "acted"):
        return rules, actions_due(rules, belief, belief.phase)
    if belief.phase != "start":
        raise ValueError(f"no phase {belief.phase!r}")
    # UNCLEAR: an empty hand in phase start comes from play only when a lightning took the last card
    # and the draw is due again. It loses at once, or with end_of_action after the start draw.
    if starves_now(rules, belief):
        return rules, lost(belief)
    return rules, start_draw_due(belief, "start")


# --- the deal -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A game that is set up: the hand in the order drawn, the present, the deck top first."""

    hand: tuple[int, ...]
    present: int
    deck: tuple[int, ...]


def shuffled(cards: Iterable[int], stream: random.Random) -> list[int]:
    """Fisher-Yates from the end, on nothing but ``random()``."""
    result = list(cards)
    for i in range(len(result) - 1, 0, -1):
        j = int(stream.random() * (i + 1))
        result[i], result[j] = result[j], result[i]
    return result


def set_up(rules: Rules, cards: Sequence[int]) -> tuple[tuple[int, ...], int, list[int], list[int]]:
    """Hand, present, rest of the cards and cards set aside, from the shuffled 43 cards."""
    rest = list(cards)
    hand: list[int] = []
    aside: list[int] = []
    while len(hand) < 4:
        card = rest.pop(0)
        (aside if card in animals(rules) or card == LIGHTNING else hand).append(card)
    while rest[0] in BANNERS or rest[0] == LIGHTNING:
        aside.append(rest.pop(0))
    present = rest.pop(0)
    return tuple(hand), present, rest, aside


def deal(seed: int, rules: Rules) -> Table:
    """The set-up of a seed."""
    stream = random.Random(seed)
    cards = [card for card in range(48) if card not in TREASURES | {MOON, RAINMAN}]
    hand, present, rest, aside = set_up(rules, shuffled(cards, stream))
    deck = shuffled([*rest, *aside, *sorted(TREASURES)], stream)
    return Table(hand, present, (*deck, MOON))


def known_belief(rules: Rules, table: Table) -> Belief:
    """A game just set up, for a player who knows the whole deck: a single world."""
    world = World(table.deck, ())
    belief = Belief(
        phase="start",
        hand=frozenset(table.hand),
        present=table.present,
        discard=frozenset(),
        victory=frozenset(),
        worlds=((world, Fraction(1)),),
    )
    return start_draw_due(belief, "start")
