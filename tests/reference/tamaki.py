"""A plain reference implementation of Hanafuda by Tamaki.

It is written to be read and believed, not to be fast: every value is found by trying every legal
continuation to the end of the round. Nothing is pruned, nothing is merged unless ``memo`` is asked
for, and nothing is estimated.

Cards: ``card = (month - 1) * 4 + k`` with month 1..12 and k 0..3, highest class first. Seats are
counted from 0. The mountain is a tuple with its top first; hands, table and claims have no order
and are kept as sorted tuples, so that equal positions are equal values.

Where the rules leave something open, a note marked UNCLEAR says what is done here.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import perm
from typing import NamedTuple, TypeVar

V = TypeVar("V")

Cards = tuple[int, ...]
Uniform = Callable[[], float]
"""Gives the next number in [0, 1)."""

# Seats: cards in a hand, cards on the table.
SIZES: dict[int, tuple[int, int]] = {
    2: (8, 8),
    3: (7, 6),
    4: (5, 8),
    5: (4, 8),
    6: (3, 12),
    7: (3, 6),
}

TWENTY = {0, 8, 28, 40, 44}
TEN = {4, 12, 16, 20, 24, 29, 32, 36, 41}
FIVE = {1, 5, 9, 13, 17, 21, 25, 33, 37, 42}

YAKU: dict[str, set[int]] = {
    "boar_deer_butterflies": {24, 36, 20},
    "red": {13, 17, 25},
    "blue": {21, 33, 37},
    "poetry": {1, 5, 9},
}
YAKU_PAYMENT = 20

# The values of the switches, the default first.
VALUES: dict[str, tuple[str, ...]] = {
    "yaku_payment": ("per_group", "per_player"),
    "two_player_rest": ("unused", "play_out"),
    "hand_three": ("compulsory", "optional", "off"),
    "capture": ("compulsory", "optional"),
}

# More orders of the mountain than this are not tried one after another.
MOST_ORDERS = 100_000


@dataclass(frozen=True)
class Rules:
    """The four switches; a value that does not exist is refused.

    UNCLEAR: ``play_out`` is for two seats only. With more seats it is accepted and does nothing.
    """

    yaku_payment: str = "per_group"
    two_player_rest: str = "unused"
    hand_three: str = "compulsory"
    capture: str = "compulsory"

    def __post_init__(self) -> None:
        for name, values in VALUES.items():
            if getattr(self, name) not in values:
                raise ValueError(f"{name}: no value {getattr(self, name)!r}")


@dataclass(frozen=True)
class State:
    """A position in a round.

    ``turn`` is the seat to move. ``drawn`` is the card that this seat has just drawn and that has
    not landed yet; between turns it is None, and only between turns can `turns`, `apply` and the
    values be asked for.
    """

    hands: tuple[Cards, ...]
    table: Cards
    mountain: Cards
    claims: tuple[Cards, ...]
    turn: int = 0
    rules: Rules = field(default_factory=Rules)
    drawn: int | None = None

    @property
    def players(self) -> int:
        return len(self.hands)


class Turn(NamedTuple):
    """A complete turn: card played, table cards it takes, card drawn, table cards that one takes.

    ``play`` is None when the hands are empty (``play_out``), ``draw`` when the mountain is.
    """

    play: int | None
    capture: Cards
    draw: int | None
    draw_capture: Cards


def month(card: int) -> int:
    """The month of a card, 1..12."""
    return card // 4 + 1


def make(
    hands: Iterable[Iterable[int]],
    table: Iterable[int] = (),
    mountain: Iterable[int] = (),
    claims: Iterable[Iterable[int]] | None = None,
    turn: int = 0,
    rules: Rules | None = None,
) -> State:
    """A position from any lists; without claims, nobody has any. Nothing is checked."""
    hand_tuples = tuple(tuple(sorted(hand)) for hand in hands)
    if claims is None:
        claims = [()] * len(hand_tuples)
    return State(
        hands=hand_tuples,
        table=tuple(sorted(table)),
        mountain=tuple(mountain),
        claims=tuple(tuple(sorted(claim)) for claim in claims),
        turn=turn,
        rules=rules or Rules(),
    )


def check(state: State) -> None:
    """Refuse a position that is none: a card missing or twice, seats or hand sizes that are off."""
    if state.players not in SIZES or len(state.claims) != state.players:
        raise ValueError("2 to 7 seats, each with a hand and a claim")
    if state.turn not in range(state.players):
        raise ValueError(f"no seat {state.turn}")
    cards = [*state.table, *state.mountain]
    for pile in (*state.hands, *state.claims):
        cards += pile
    if state.drawn is not None:
        cards.append(state.drawn)
    if sorted(cards) != list(range(48)):
        raise ValueError("every card must be there once")
    if state.drawn is None:
        sizes = [len(state.hands[seat]) for seat in seats_from(state.turn, state.players)]
        if sizes != sorted(sizes, reverse=True) or sizes[0] - sizes[-1] > 1:
            raise ValueError(f"hand sizes {sizes}, in order from the seat to move")


def seats_from(seat: int, players: int) -> list[int]:
    """All seats in order, from this one."""
    return [(seat + i) % players for i in range(players)]


# --- the deal -------------------------------------------------------------------------------------

Choose = Callable[[int, list[int], list[int]], int | None]
"""Chooses one of three: ``choose(seat, hand, three)`` is the card to exchange; None declines."""


def leader_of(players: int, round_number: int) -> int:
    """The seat that leads a round; rounds are counted from 1."""
    return (round_number - 1) % players


def shuffle(cards: Iterable[int], uniform: Uniform) -> list[int]:
    """The cards shuffled as the seeds prescribe; one number for each exchange."""
    mixed = list(cards)
    for i in range(len(mixed) - 1, 0, -1):
        j = int(uniform() * (i + 1))
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return mixed


def passes(
    players: int, leader: int, deck: Sequence[int]
) -> tuple[list[list[int]], list[int], list[int]]:
    """Both passes of the deal, before anything is swapped: the hands, the table, the mountain."""
    in_hand, face_up = SIZES[players]
    rest = list(deck)
    hands: list[list[int]] = [[] for _ in range(players)]
    table: list[int] = []
    first = (face_up // 2, in_hand // 2)
    second = (face_up - face_up // 2, in_hand - in_hand // 2)
    for to_table, to_hand in (first, second):
        for _ in range(to_table):
            table.append(rest.pop(0))
        for _ in range(to_hand):
            for seat in seats_from(leader, players):
                hands[seat].append(rest.pop(0))
    return hands, table, rest


def months_held(pile: Sequence[int], count: int) -> list[int]:
    """The months of which the pile holds exactly so many cards, earliest first."""
    held = [month(card) for card in pile]
    return [m for m in range(1, 13) if held.count(m) == count]


def of_month(pile: Sequence[int], wanted: int) -> list[int]:
    """The cards of a month in a pile, in id order."""
    return sorted(card for card in pile if month(card) == wanted)


def swap(pile: list[int], mountain: list[int], leaving: list[int], uniform: Uniform) -> None:
    """As many top cards of the mountain come as leave; those go into it and it is shuffled.

    UNCLEAR: two cards that leave stand at the mountain's end in the order in which the shuffle of
    the four gave them, and then the whole mountain is shuffled.
    """
    for card in leaving:
        pile.remove(card)
    for _ in leaving:
        pile.append(mountain.pop(0))
    mountain[:] = shuffle([*mountain, *leaving], uniform)


def swap_fours(pile: list[int], mountain: list[int], uniform: Uniform) -> None:
    """While a table or a hand holds four of a month, two of them at random are swapped."""
    while months_held(pile, 4):
        four = of_month(pile, months_held(pile, 4)[0])
        swap(pile, mountain, shuffle(four, uniform)[:2], uniform)


def exchange_threes(
    seat: int,
    hand: list[int],
    mountain: list[int],
    rules: Rules,
    uniform: Uniform,
    choose: Choose | None = None,
) -> None:
    """While a hand holds three of a month, one of them, chosen, is exchanged.

    Without ``choose`` the choice is random: the first of a shuffle of the three. A choice made by
    ``choose`` takes no number from the stream.

    UNCLEAR: the three are shuffled from id order, as the four are. ``optional`` in a deal from a
    seed: the random choice is among the three cards only and never declines, so that the deal is
    the one of ``compulsory``. A new four is exchanged before any three is looked at, also before
    one of an earlier month and also when its month was declined as a three.
    """
    declined: set[int] = set()
    while True:
        swap_fours(hand, mountain, uniform)
        asked = [m for m in months_held(hand, 3) if m not in declined]
        if rules.hand_three == "off" or not asked:
            return
        three = of_month(hand, asked[0])
        if choose is None:
            card: int | None = shuffle(three, uniform)[0]
        else:
            card = choose(seat, sorted(hand), three)
        if card is None and rules.hand_three == "optional":
            declined.add(asked[0])
        elif card in three:
            swap(hand, mountain, [card], uniform)
        else:
            raise ValueError(f"one of {three} must be exchanged, not {card}")


def deal(
    players: int,
    leader: int = 0,
    deck: Sequence[int] | None = None,
    seed: int | Uniform = 0,
    rules: Rules | None = None,
    choose: Choose | None = None,
) -> State:
    """A finished deal: passes, swaps on the table, exchanges of four, then choices of three.

    Without a deck it is shuffled, and everything else that is random goes on with the same stream.
    With a deck the stream begins with the first swap. Instead of a seed the stream may be given.
    """
    rules = rules or Rules()
    uniform = seed if callable(seed) else random.Random(seed).random
    if deck is None:
        deck = shuffle(range(48), uniform)
    if sorted(deck) != list(range(48)):
        raise ValueError("a deck has every card once")
    hands, table, mountain = passes(players, leader, deck)
    swap_fours(table, mountain, uniform)
    for seat in seats_from(leader, players):
        swap_fours(hands[seat], mountain, uniform)
    for seat in seats_from(leader, players):
        exchange_threes(seat, hands[seat], mountain, rules, uniform, choose)
    return make(hands, table, mountain, turn=leader, rules=rules)


# --- play -----------------------------------------------------------------------------------------


def captures(rules: Rules, table: Cards, card: int) -> list[Cards]:
    """What a card that lands may take, by id; taking nothing comes last."""
    matches = tuple(of_month(table, month(card)))
    if not matches:
        return [()]
    options: list[Cards] = [(match,) for match in matches]
    if len(matches) == 3:
        options = [matches]
    if rules.capture == "optional":
        options.append(())
    return options


def plays_out(state: State) -> bool:
    """Whether the mountain is drawn to its end after the hands are empty."""
    return state.players == 2 and state.rules.two_player_rest == "play_out"


def is_over(state: State) -> bool:
    """Whether the round has ended."""
    if state.drawn is not None or any(state.hands):
        return False
    return not (plays_out(state) and state.mountain)


def steps(state: State) -> list[tuple[int, Cards]]:
    """Every single step: a card that lands, and what it takes.

    The card comes from the hand; or it is the card drawn; or, with the hands empty and the mountain
    played out, it is the mountain's top card.
    """
    if is_over(state):
        return []
    if state.drawn is not None:
        cards: Cards = (state.drawn,)
    elif any(state.hands):
        cards = state.hands[state.turn]
    else:
        cards = state.mountain[:1]
    return [(card, taken) for card in cards for taken in captures(state.rules, state.table, card)]


def land(state: State, card: int, taken: Cards) -> State:
    """A card lands on the table; with the cards that it takes it goes to the claim of the seat."""
    if not taken:
        return replace(state, table=tuple(sorted((*state.table, card))))
    claims = list(state.claims)
    claims[state.turn] = tuple(sorted((*claims[state.turn], card, *taken)))
    table = tuple(other for other in state.table if other not in taken)
    return replace(state, table=table, claims=tuple(claims))


def step(state: State, card: int, taken: Cards) -> State:
    """Make one step, which must be one of `steps`."""
    if (card, taken) not in steps(state):
        raise ValueError(f"{card} taking {taken} is not legal here")
    return after_step(state, card, taken)


def after_step(state: State, card: int, taken: Cards) -> State:
    """The position after one step that is known to be legal.

    After a card from the hand the top card of the mountain is drawn, if there is one, and is to
    land; otherwise the turn passes.
    """
    from_hand = state.drawn is None and card in state.hands[state.turn]
    from_mountain = state.drawn is None and not from_hand
    state = land(state, card, taken)
    if from_hand:
        hands = [tuple(c for c in hand if c != card) for hand in state.hands]
        state = replace(state, hands=tuple(hands))
        if state.mountain:
            return replace(state, drawn=state.mountain[0], mountain=state.mountain[1:])
    if from_mountain:
        state = replace(state, mountain=state.mountain[1:])
    return replace(state, drawn=None, turn=(state.turn + 1) % state.players)


def tie_order(turn: Turn) -> tuple[int, int, int]:
    """The order of a turn's choices: card played, table cards taken by it and by the draw.

    No capture comes last. Of three cards taken together the lowest stands for them: there is no
    other choice but none.
    """
    last = 48
    return (
        -1 if turn.play is None else turn.play,
        min(turn.capture, default=last),
        min(turn.draw_capture, default=last),
    )


def turns_and_after(state: State) -> list[tuple[Turn, State]]:
    """Every complete turn with the position after it, in the order of `tie_order`."""
    if state.drawn is not None:
        raise ValueError("in the middle of a turn")
    found: list[tuple[Turn, State]] = []
    for card, taken in steps(state):
        middle = after_step(state, card, taken)
        if not any(state.hands):
            found.append((Turn(None, (), card, taken), middle))
        elif middle.drawn is None:
            found.append((Turn(card, taken, None, ()), middle))
        else:
            for drawn, draw_taken in steps(middle):
                after = after_step(middle, drawn, draw_taken)
                found.append((Turn(card, taken, drawn, draw_taken), after))
    return sorted(found, key=lambda pair: tie_order(pair[0]))


def turns(state: State) -> list[Turn]:
    """Every complete turn, in the order of `tie_order`; none when the round is over."""
    return [turn for turn, _ in turns_and_after(state)]


def apply(state: State, turn: Turn) -> State:
    """Make a complete turn, which must be one of `turns`."""
    for legal, after in turns_and_after(state):
        if legal == turn:
            return after
    raise ValueError(f"{turn} is not legal here")


# --- scores ---------------------------------------------------------------------------------------


def points(card: int) -> int:
    """What a captured card is worth."""
    if card in TWENTY:
        return 20
    if card in TEN:
        return 10
    return 5 if card in FIVE else 0


def card_points(claim: Iterable[int]) -> int:
    """The points of the cards of a claim."""
    return sum(points(card) for card in claim)


def yaku_held(claim: Iterable[int]) -> list[str]:
    """The yaku that are complete in a claim."""
    held = set(claim)
    return [name for name, cards in YAKU.items() if cards <= held]


def round_scores(state: State) -> list[int]:
    """What each seat would score if the round ended now: card points and payments for yaku."""
    scores = [card_points(claim) for claim in state.claims]
    for holder, claim in enumerate(state.claims):
        count = len(yaku_held(claim))
        if state.rules.yaku_payment == "per_player":
            count = min(count, 1)
        for payer in range(state.players):
            if payer != holder:
                scores[payer] -= YAKU_PAYMENT * count
                scores[holder] += YAKU_PAYMENT * count
    return scores


# --- values, by trying everything -----------------------------------------------------------------


def search(
    state: State,
    at_end: Callable[[State], V],
    pick: Callable[[int, list[V]], V],
    memo: dict[State, V] | None,
) -> V:
    """The value of a position: ``at_end`` of a finished round, else what the seat to move picks.

    ``pick(seat, values)`` is given the values of all turns in the order of `turns`.
    """
    if is_over(state):
        return at_end(state)
    if memo is not None and state in memo:
        return memo[state]
    values = [search(after, at_end, pick, memo) for _, after in turns_and_after(state)]
    value = pick(state.turn, values)
    if memo is not None:
        memo[state] = value
    return value


def memory(wanted: bool) -> dict[State, V] | None:
    """An empty memory of positions, or none."""
    return {} if wanted else None


def against_all(seat: int) -> Callable[[int, list[int]], int]:
    """The seat picks the highest value, every other seat the lowest."""
    return lambda mover, values: max(values) if mover == seat else min(values)


def margin(state: State, seat: int = 0, memo: bool = False) -> int:
    """Two seats: own round score minus the other's, both playing perfectly."""
    if state.players != 2:
        raise ValueError("margin is for two seats")

    def difference(end: State) -> int:
        scores = round_scores(end)
        return scores[seat] - scores[1 - seat]

    return search(state, difference, against_all(seat), memory(memo))


def paranoid(state: State, seat: int = 0, memo: bool = False) -> int:
    """The most that a seat can be sure of, all others playing against it."""
    return search(state, lambda end: round_scores(end)[seat], against_all(seat), memory(memo))


def maxn(state: State, memo: bool = False) -> list[int]:
    """The round scores when each seat takes the first turn with the highest score of its own."""

    def first_best(mover: int, vectors: list[list[int]]) -> list[int]:
        best = vectors[0]
        for vector in vectors[1:]:
            if vector[mover] > best[mover]:
                best = vector
        return best

    return search(state, round_scores, first_best, memory(memo))


def cooperative(state: State, seat: int = 0, memo: bool = False) -> int:
    """The highest round score of a seat that any legal continuation gives."""
    return search(
        state, lambda end: round_scores(end)[seat], lambda _, values: max(values), memory(memo)
    )


def yaku_possible(state: State, memo: bool = False) -> list[dict[str, bool]]:
    """For each seat and yaku, whether some legal continuation completes it."""

    def held(end: State) -> set[tuple[int, str]]:
        return {(seat, name) for seat, claim in enumerate(end.claims) for name in yaku_held(claim)}

    def any_of(_: int, sets: list[set[tuple[int, str]]]) -> set[tuple[int, str]]:
        return set().union(*sets)

    possible = search(state, held, any_of, memory(memo))
    return [{name: (seat, name) in possible for name in YAKU} for seat in range(state.players)]


def most_yaku(state: State, memo: bool = False) -> list[int]:
    """For each seat, by itself, the most yaku that it can hold at the end."""

    def counts(end: State) -> list[int]:
        return [len(yaku_held(claim)) for claim in end.claims]

    def highest(_: int, vectors: list[list[int]]) -> list[int]:
        return [max(column) for column in zip(*vectors, strict=True)]

    return search(state, counts, highest, memory(memo))


def orders(state: State, known: int = 0) -> list[State]:
    """The position with every order of the mountain; its first ``known`` cards stay where they are.

    Orders that differ only in cards that are never drawn are tried once.
    """
    fixed, free = state.mountain[:known], state.mountain[known:]
    draws = len(state.mountain)
    if not plays_out(state):
        draws = min(draws, sum(len(hand) for hand in state.hands))
    count = max(0, draws - len(fixed))
    if perm(len(free), count) > MOST_ORDERS:
        raise OverflowError(f"{count} of {len(free)} cards can come in too many orders")
    found: list[State] = []
    for drawn in permutations(free, count):
        undrawn = [card for card in free if card not in drawn]
        found.append(replace(state, mountain=(*fixed, *drawn, *undrawn)))
    return found


def ceiling(state: State, seat: int = 0, known: int = 0, memo: bool = False) -> int:
    """`cooperative` with the order of the mountain free too, but for its first ``known`` cards."""
    return max(cooperative(ordered, seat, memo) for ordered in orders(state, known))


# --- values of the turns at the root --------------------------------------------------------------


def turn_values(state: State, value: Callable[[State], V]) -> list[tuple[Turn, V]]:
    """Each turn with the value of the position after it, in the order of `turns`.

    ``turn_values(state, lambda after: margin(after, seat))``, and likewise for the other values;
    with `ceiling` the card drawn in this very turn would not be free: see `ceiling_turns`.
    """
    return [(turn, value(after)) for turn, after in turns_and_after(state)]


def ceiling_turns(
    state: State, seat: int = 0, known: int = 0, memo: bool = False
) -> list[tuple[Turn, int]]:
    """Each turn that some order of the mountain allows, with its value, in the order of turns.

    The card drawn is part of a turn; turns that differ in nothing else stand in its id order.
    """
    best: dict[Turn, int] = {}
    for ordered in orders(state, known):
        for turn, value in turn_values(ordered, lambda after: cooperative(after, seat, memo)):
            best[turn] = max(value, best.get(turn, value))

    def order(turn: Turn) -> tuple[int, int, int, int]:
        return (*tie_order(turn), -1 if turn.draw is None else turn.draw)

    return [(turn, best[turn]) for turn in sorted(best, key=order)]
