"""A quick policy: the step that a weighted sum of features likes best; games played by it.

A decision is looked at by its kind, by the cards that it gives away or takes, and by the belief in
which it is made. Each feature has a weight (`WEIGHTS`); the score of a decision is their sum. The
weights were found by policy gradient ascent over games that the policy played itself
(``bench/tune.py``), so they are estimates of what is good and prove nothing.

Source: R. J. Williams, Simple statistical gradient-following algorithms for connectionist
reinforcement learning (1992).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hanasolve.jit import FLOATS, ITEMS, ROWS, inline, int64, jit, lowest, nth_bit, popcount
from hanasolve.search.randomness import uniform
from hanasolve.search.table import Array, Floats
from hanasolve.treasures import kernel as k
from hanasolve.treasures.weights import WEIGHTS

# What is looked at in a belief.
ALWAYS: Final = 0
IN_TRIAL: Final = 1
"""Treasures to be expected in the trial."""
BELOW: Final = 2
"""Treasures to be expected below the moon."""
MOON_MIXED: Final = 3
MOON_GONE: Final = 4
NEAR: Final = 5
"""How soon the moon may come: one over the cards that come before it at most."""
ABOVE: Final = 6
"""Cards above the moon, where it is known, in parts of the whole deck."""
TWO_LEFT: Final = 7
CARDS_LEFT: Final = 8
"""Cards in the hand, in sixths."""
DISCARDED: Final = 9
"""Treasures on the discard pile."""
TO_WIN: Final = 10
"""Treasures that are not won yet, in thirds."""
IS_ANIMAL: Final = 11
HAS_KEY: Final = 12
"""Whether a card of the present's month that is no animal is in the hand."""
IN_HAND: Final = 13
"""Whether a treasure is in the hand."""
NO_EMPTY: Final = 14
ONE_EMPTY: Final = 15
"""Whether there is no empty card in the hand; one alone."""
NO_RED: Final = 16
ONE_RED: Final = 17
HAS_BLUE: Final = 18
HAS_TRIAL: Final = 19
ANIMALS_LEFT: Final = 20
"""Part of the unknown cards that are animals."""
READY: Final = 21
"""Animals that may still come and whose month is in the hand, in thirds."""
LIGHTNING_LEFT: Final = 22
A_CARD: Final = 23
"""Part of the unknown cards that are treasures."""
FEATURES: Final = 24

CARD: Final = 14 * FEATURES
"""Behind the blocks of all kinds of steps. Of a card in the hand: its kind, and whether it is the
only one of it."""
KEY: Final = CARD + 18
"""Of a card that is no animal: whether the animal of its month may still come."""
KEY_NOW: Final = KEY + 1
"""The same, when it is the present."""
WIDTH: Final = KEY + 2
"""Size of the array ``aids``: what is looked at, in place of the weights of steps of chance, which
are no decisions; a block of weights for each kind of decision; those of cards."""

_WHOLE_DECK: Final = 42.0


def weights() -> Floats:
    """Give the array ``aids`` with the tuned weights."""
    aids: Floats = np.zeros(WIDTH)
    aids[FEATURES:] = WEIGHTS
    return aids


@inline
def sample(row: Array, r: int, stream: Array) -> int:
    """Draw what chance does next, each card with its probability."""
    phase = row[r, k.META] & k.PHASE
    if row[r, k.NOT] == 0:
        at = k.TRIAL if phase in (k.LOOKING, k.COVERING, k.PICKING) else k.DECK
        place = 0
        if phase == k.PICKING:
            place = int(uniform(stream) * k.count(row, r, k.TRIAL_SHIFT, k.TRIAL_COUNT))
        code = k.code_at(row, r, at, place)
        if code >= k.UNKNOWN:
            pool = row[r, k.POOL]
            code = nth_bit(pool, 1 + int(uniform(stream) * popcount(pool)))
        return int(k.one(k.UNCOVER, code))
    cards = k.candidates(row, r)
    left = uniform(stream)
    last = -1
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        chance = k.outcome_chance(row, r, card)
        if chance > 0.0:
            last = card
            left -= chance
            if left < 0.0:
                break
    return int(k.one(k.UNCOVER, last))


@inline
def place_of(row: Array, r: int, card: int) -> int:
    """Give the place of a known card in the deck, counted from its top; -1 when it is not there."""
    n = k.count(row, r, k.DECK_SHIFT, k.DECK_COUNT)
    while n > 0:
        n -= 1
        if k.code_at(row, r, k.DECK, n) == card:
            return n
    return -1


@inline
def look(book: Array, row: Array, r: int, aids: Floats) -> None:
    """Write what is looked at in a belief."""
    hand, pool = row[r, k.HAND], row[r, k.POOL]
    deck = k.count(row, r, k.DECK_SHIFT, k.DECK_COUNT)
    trial = k.count(row, r, k.TRIAL_SHIFT, k.TRIAL_COUNT)
    a_place = popcount(pool & k.TREASURES) / popcount(pool) if pool != 0 else 0.0
    aids[ALWAYS] = 1.0
    aids[IN_TRIAL] = a_place * trial
    aids[BELOW] = 0.0
    aids[MOON_MIXED] = pool >> k.MOON & 1
    aids[MOON_GONE] = 0.0
    aids[NEAR] = 0.0
    aids[ABOVE] = 0.0
    if pool >> k.MOON & 1:
        aids[NEAR] = 1.0 / popcount(pool)
    else:
        place = place_of(row, r, k.MOON) if row[r, k.KNOWN] >> k.MOON & 1 else -1
        if place < 0:
            aids[MOON_GONE] = 1.0
        else:
            aids[BELOW] = a_place * (deck - place - 1)
            aids[NEAR] = 1.0 / (1.0 + place)
            aids[ABOVE] = place / _WHOLE_DECK
    cards = popcount(hand)
    aids[TWO_LEFT] = cards <= 2
    aids[CARDS_LEFT] = cards / 6.0
    aids[DISCARDED] = popcount(row[r, k.DISCARD] & k.TREASURES)
    aids[TO_WIN] = 1.0 - k.count(row, r, k.WON_SHIFT, 3 << k.WON_SHIFT) / 3.0
    top = 1 << k.count(row, r, k.TOP_SHIFT, k.TOP)
    aids[IS_ANIMAL] = top & book[k.ANIMALS] != 0
    aids[HAS_KEY] = hand & k.months_of(top) & ~book[k.ANIMALS] != 0
    aids[IN_HAND] = hand & k.TREASURES != 0
    empties, reds = popcount(hand & book[k.EMPTIES]), popcount(hand & book[k.REDS])
    aids[NO_EMPTY] = empties == 0
    aids[ONE_EMPTY] = empties == 1
    aids[NO_RED] = reds == 0
    aids[ONE_RED] = reds == 1
    aids[HAS_BLUE] = hand & book[k.BLUES] != 0
    aids[HAS_TRIAL] = trial != 0
    animals = pool & book[k.ANIMALS]
    aids[ANIMALS_LEFT] = popcount(animals) / popcount(pool) if pool != 0 else 0.0
    aids[READY] = popcount(animals & k.months_of(hand & ~book[k.ANIMALS])) / 3.0
    aids[LIGHTNING_LEFT] = pool >> k.LIGHTNING & 1
    aids[A_CARD] = a_place


@inline
def card_features(book: Array, row: Array, r: int, card: int) -> int:
    """Give which features a card has in the hand, or would have: up to three, ten bits each."""
    kind = book[k.KIND + card]
    of_kind = 0
    others = row[r, k.HAND] & ~(1 << card)
    while others != 0:
        of_kind += book[k.KIND + lowest(others)] == kind
        others &= others - 1
    features = CARD + 2 * kind + (of_kind == 0)
    if not book[k.ANIMALS] >> card & 1:
        animals = book[k.ANIMALS] & k.months_of(1 << card)
        if animals & (row[r, k.POOL] | row[r, k.KNOWN]):
            features = features << 10 | KEY
        if animals >> k.count(row, r, k.TOP_SHIFT, k.TOP) & 1:
            features = features << 10 | KEY_NOW
    return int(features)


@inline
def worth(book: Array, row: Array, r: int, card: int, aids: Floats) -> float:
    """Give what the policy thinks that a card in the hand is worth."""
    total = 0.0
    features = card_features(book, row, r, card)
    while features != 0:
        total += aids[features & 1023]
        features >>= 10
    return total


@inline
def cheapest(book: Array, row: Array, r: int, cards: int, aids: Floats) -> int:
    """Give the card of some in the hand that is worth least; `NO_CARD` when there is none."""
    best, least = k.NO_CARD, 0.0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        value = worth(book, row, r, card, aids)
        if best == k.NO_CARD or value < least:
            best, least = card, value
    return best


@inline
def compared(book: Array, row: Array, r: int, aids: Floats, out: Array) -> int:
    """Write the decisions that the policy compares: few of the many that differ in cards alone."""
    phase = row[r, k.META] & k.PHASE
    if phase not in (k.ACT, k.ACTED):
        return k.actions(book, row, r, out, 0)
    hand, n = row[r, k.HAND], 0
    month = k.months_of(1 << k.count(row, r, k.TOP_SHIFT, k.TOP))
    if phase == k.ACTED and not book[k.ENDING_ONLY]:
        out[n] = k.one(k.END, k.NO_CARD)
        n += 1
    n = best_of(book, row, r, hand & book[k.REDS], k.RED_DRAW, aids, out, n)
    if k.is_animal(book, row, r):
        n = best_of(book, row, r, hand & month & ~book[k.ANIMALS], k.DISPEL, aids, out, n)
        n = best_of(book, row, r, hand & ~month, k.AVOID, aids, out, n)
        n = best_of(book, row, r, hand & book[k.REDS], k.KILL, aids, out, n)
    else:
        n = best_of(book, row, r, hand & book[k.EMPTIES] & ~month, k.WANDER, aids, out, n)
    n = best_blue(book, row, r, aids, out, n)
    first = cheapest(book, row, r, hand, aids)
    second = cheapest(book, row, r, hand & ~(1 << first), aids)
    if second != k.NO_CARD:
        out[n] = k.step(k.STARVE, min(first, second), max(first, second), k.NO_CARD, k.NO_CARD)
        n += 1
    return n


@inline
def best_of(
    book: Array,
    row: Array,
    r: int,
    cards: int,
    kind: int,
    aids: Floats,
    out: Array,
    n: int,
) -> int:
    """Write the decision of a kind that gives the least away, if there is one."""
    card = cheapest(book, row, r, cards, aids)
    if card == k.NO_CARD:
        return n
    out[n] = k.one(kind, card)
    return n + 1


@inline
def best_blue(book: Array, row: Array, r: int, aids: Floats, out: Array, n: int) -> int:
    """Write one way to play a blue banner: treasures come back first, then what cannot hurt."""
    banner = cheapest(book, row, r, row[r, k.HAND] & book[k.BLUES], aids)
    if banner == k.NO_CARD:
        return n
    source = row[r, k.HAND] ^ 1 << banner if book[k.FROM_HAND] else row[r, k.DISCARD]
    source &= ~book[k.BANNERS]
    if source == 0:
        return n
    x = k.NO_CARD
    if book[k.FROM_HAND]:
        x = cheapest(book, row, r, source, aids)
    elif source & k.TREASURES:
        x = lowest(source & k.TREASURES)
    elif source & book[k.EMPTIES]:
        x = lowest(source & book[k.EMPTIES])
    else:
        x = lowest(source)
    animals = row[r, k.DISCARD] & book[k.ANIMALS] & ~(1 << x)
    # Those first whose month is in the hand.
    ready = animals & k.months_of(row[r, k.HAND] & ~book[k.ANIMALS])
    y, z = k.NO_CARD, k.NO_CARD
    if animals != 0:
        y = lowest(ready) if ready != 0 else lowest(animals)
        animals &= ~(1 << y)
        ready &= animals
        if animals != 0:
            z = lowest(ready) if ready != 0 else lowest(animals)
    if z != k.NO_CARD and z < y:
        y, z = z, y
    out[n] = k.step(k.BLUE, banner, x, y, z)
    return n + 1


@inline
def gained(kind: int) -> float:
    """Whether a decision takes its card, -1 when it gives it away, 0 when neither."""
    if kind in (k.KEEP, k.TAKE):
        return 1.0
    return 0.0 if kind in (k.END, k.PAY_DECK, k.PRESENT) else -1.0


@inline
def score(book: Array, row: Array, r: int, move: int, aids: Floats) -> float:
    """Give what the policy thinks of a decision in the belief that was looked at last."""
    kind, card = move & 15, move >> 4 & 63
    total = 0.0
    for i in range(FEATURES):
        total += aids[kind * FEATURES + i] * aids[i]
    sign = gained(kind)
    if sign != 0.0:
        total += sign * worth(book, row, r, card, aids)
    if kind == k.PRESENT:
        total += popcount(row[r, k.HAND] & k.months_of(1 << card))
    if kind == k.STARVE:
        total -= worth(book, row, r, move >> 10 & 63, aids)
    return total


@inline
def rank(
    moves: Array, scores: Floats, start: int, end: int, most: int, move: int, liked: float
) -> int:
    """Put a decision among those liked best, at most so many, the best first; gives their end."""
    if end - start == most:
        if liked <= scores[end - 1]:
            return end
        end -= 1
    j = end
    while j > start and scores[j - 1] < liked:
        scores[j], moves[j] = scores[j - 1], moves[j - 1]
        j -= 1
    scores[j], moves[j] = liked, move
    return end + 1


@inline
def choose(book: Array, row: Array, r: int, aids: Floats, scratch: Array) -> int:
    """Give the decision that the policy makes; -1 when there is none."""
    n = compared(book, row, r, aids, scratch)
    if n <= 1:
        return int(scratch[0]) if n == 1 else -1
    look(book, row, r, aids)
    best, most = -1, 0.0
    for i in range(n):
        value = score(book, row, r, scratch[i], aids)
        if best < 0 or value > most:
            best, most = int(scratch[i]), value
    return best


@inline
def is_over(book: Array, row: Array, r: int) -> bool:
    """Whether the game is won, lost, or cannot be won any more."""
    phase = row[r, k.META] & k.PHASE
    return bool(phase >= k.WON or k.is_hopeless(book, row, r, k.matters(book, row, r)))


@inline
def playout(book: Array, row: Array, r: int, aids: Floats, stream: Array, scratch: Array) -> bool:
    """Play a belief in row r to its end by the policy; gives whether it was won."""
    while not is_over(book, row, r):
        if row[r, k.META] & k.PHASE < k.ACT:
            move = sample(row, r, stream)
        else:
            move = choose(book, row, r, aids, scratch)
            if move < 0:
                return False
        k.play(book, row, r, move)
    return bool(row[r, k.META] & k.PHASE == k.WON)


@jit(int64(ITEMS, ROWS, FLOATS, ITEMS))
def decide(book: Array, rows: Array, aids: Floats, scratch: Array) -> int:
    """Give the decision that the policy makes in the belief ``rows[0]``; -1 when there is none."""
    return int(choose(book, rows, 0, aids, scratch))


@jit(int64(ITEMS, ROWS, FLOATS, ITEMS, FLOATS))
def rate(book: Array, rows: Array, aids: Floats, moves: Array, scores: Floats) -> int:
    """Write what the policy thinks of decisions in the belief ``rows[0]``."""
    look(book, rows, 0, aids)
    for i in range(moves.size):
        scores[i] = score(book, rows, 0, moves[i], aids)
    return 0


@jit(int64(ITEMS, ROWS, FLOATS, ITEMS, ITEMS, int64))
def playouts(
    book: Array, rows: Array, aids: Floats, stream: Array, scratch: Array, games: int
) -> int:
    """Play the belief ``rows[0]`` to its end so many times; gives how many were won."""
    wins = 0
    for _ in range(games):
        for word in range(rows.shape[1]):
            rows[1, word] = rows[0, word]
        wins += playout(book, rows, 1, aids, stream, scratch)
    return wins


@jit(int64(ITEMS, ROWS, ITEMS))
def let_chance(book: Array, rows: Array, stream: Array) -> int:
    """Let chance move in the belief ``rows[0]`` until a decision is due; gives how often it did."""
    n = 0
    while rows[0, k.META] & k.PHASE < k.ACT:
        k.play(book, rows, 0, sample(rows, 0, stream))
        n += 1
    return n
