"""Exact values by expectimax: canonical keys, steps without doubles, the compiled search.

*Key.* Exact up to the names of months: for every month, what each of its cards is and where, or
nothing for cards that cannot matter any more; the months in the order of these numbers; the phase;
and the places of trial and deck, a known card by the rank of its month and its rank there. Two
beliefs have one key exactly when renaming months, and cards of a month that are the same and lie
the same, turns one into the other, apart from what cannot matter:

- cards on the discard pile when no blue banner can be played any more: only it brings cards back.
  With ``blue_source=hand`` only animals come back at all. Banners never do;
- of the present, whether it is an animal, and its month.

A belief in which a treasure can never be won any more is lost: one on the discard pile from which
nothing brings it back, or under the present.

*Bounds.* From above, by the game without months (`hanasolve.treasures.relaxed`), which is searched
in the same way as far as it is asked for. From below: with `WIDTH` set the player has only so many
decisions, those that the policy likes best; what can be won with them can be won with all. Of
a *vague* belief (`kernel.shuffle_in`) nothing is known.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from hanasolve.jit import FLOATS, ITEMS, ROWS, float64, inline, int64, jit, lowest, tuple_of
from hanasolve.search import expectimax
from hanasolve.search.depth_first import (
    ASKED,
    EXHAUSTED,
    NODES,
    PAUSE,
    PAUSED,
    PENDING,
    REASON,
    TABLE_FULL,
    UNTIL,
)
from hanasolve.search.expectimax import GRAPH, KIND, Graph
from hanasolve.search.table import Array, Floats, probe
from hanasolve.treasures import kernel as k
from hanasolve.treasures import policy, relaxed

SIGNS: Final = k.WORDS
"""What the cards of each month are, and where: 12 numbers."""
CARD_BITS: Final = 7
MONTH_BITS: Final = 4 * CARD_BITS
SORTED: Final = SIGNS + 12
"""The same, the largest first."""
KEY: Final = SORTED + 12
SIGN_WORDS: Final = 6
ALL_CARDS: Final = (1 << 48) - 1

# Where a card is, for the signs.
GONE: Final = 0
IN_HAND: Final = 1
IN_POOL: Final = 2
"""And one more for each class that bars the card."""
ON_DISCARD: Final = 6
ON_TOP: Final = 7
IS_SEEN: Final = 8
AT_PLACE: Final = 9
PLACES_OF_CARD: Final = 10

TRIAL_KEYS: Final = k.AFTER
"""Words that the trial takes in the key."""
DECK_KEYS: Final = k.AFTER + 1
CANONICAL: Final = k.AFTER + 2
"""Whether months that play the same part share a key."""
WIDTH: Final = k.AFTER + 3
"""0 for the exact value."""
EFFORT: Final = k.AFTER + 4
"""Nodes that the relaxed game may take in all, to find exact values; 0 to do without it."""
LITTLE: Final = 1_000
"""Nodes that it may take for a bound all the same."""
BOOK_SIZE: Final = k.AFTER + 5


@inline
def where(stack: Array, row: int, bit: int, back: int, top: int) -> int:
    """Give where a card is, as the signs have it."""
    if stack[row, k.HAND] & bit:
        return IN_HAND
    if stack[row, k.POOL] & bit:
        barred = 0
        for j in range(k.CLASSES):
            barred += stack[row, k.NOT + j] & bit != 0
        return int(IN_POOL + barred)
    if back & bit:
        return ON_DISCARD
    if stack[row, k.SEEN] & bit:
        return IS_SEEN
    if stack[row, k.KNOWN] & bit:
        return AT_PLACE
    if top & bit:
        return ON_TOP
    return GONE


@inline
def sign_of_card(book: Array, stack: Array, row: int, card: int, back: int, top: int) -> int:
    """Give what a card is and where it is; 0 when it does not matter."""
    place = where(stack, row, 1 << card, back, top)
    if place == GONE:
        return 0
    kind = book[k.KIND + card]
    if place == ON_TOP:
        kind = kind == 1
    return int(1 + kind * PLACES_OF_CARD + place)


@inline
def replace(stack: Array, row: int, old: int, new: int) -> None:
    """Put another number in the place of one among the sorted signs."""
    i = SORTED
    while stack[row, i] != old:
        i += 1
    while i > SORTED and stack[row, i - 1] < new:
        stack[row, i] = stack[row, i - 1]
        i -= 1
    while i < SORTED + 11 and stack[row, i + 1] > new:
        stack[row, i] = stack[row, i + 1]
        i += 1
    stack[row, i] = new


@inline
def write_sign(book: Array, stack: Array, row: int, month: int, back: int, top: int) -> None:
    """Write what the cards of a month are and where, in an order of their own."""
    a = sign_of_card(book, stack, row, 4 * month, back, top)
    b = sign_of_card(book, stack, row, 4 * month + 1, back, top)
    c = sign_of_card(book, stack, row, 4 * month + 2, back, top)
    d = sign_of_card(book, stack, row, 4 * month + 3, back, top)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    sign = ((a << CARD_BITS | b) << CARD_BITS | c) << CARD_BITS | d
    replace(stack, row, stack[row, SIGNS + month], sign)
    stack[row, SIGNS + month] = sign


@inline
def moved(stack: Array, depth: int) -> int:
    """Cards that lie in another way in the next row than in this one."""
    row = depth + 1
    cards = 0
    for word in (k.HAND, k.POOL, k.DISCARD, k.SEEN, k.KNOWN):
        cards |= stack[depth, word] ^ stack[row, word]
    for j in range(k.CLASSES):
        cards |= stack[depth, k.NOT + j] ^ stack[row, k.NOT + j]
    tops = 1 << (stack[depth, k.META] >> k.TOP_SHIFT & 63)
    tops ^= 1 << (stack[row, k.META] >> k.TOP_SHIFT & 63)
    return int(cards | tops)


@inline
def drop_classes(stack: Array, row: int) -> None:
    """Forget the restrictions when no place has any."""
    restricted = 0
    for j in range(k.CLASSES):
        restricted |= stack[row, k.NOT + j]
    if restricted != 0:
        places = 0
        for j in range(1, k.CLASSES + 1):
            places += k.places_of(stack, row, k.UNKNOWN + j)
        if places == 0:
            for j in range(k.CLASSES):
                stack[row, k.NOT + j] = 0


@inline
def write_signs(book: Array, stack: Array, row: int, back: int, cards: int) -> None:
    """Write the signs of the months of some cards."""
    top = 1 << (stack[row, k.META] >> k.TOP_SHIFT & 63)
    while cards != 0:
        month = lowest(cards) >> 2
        cards &= ~(15 << 4 * month)
        write_sign(book, stack, row, month, back, top)


@inline
def write_key(book: Array, stack: Array, row: int, back: int) -> None:
    """Write the exact key of a belief; its signs are written, if it has any."""
    meta = stack[row, k.META]
    top = meta >> k.TOP_SHIFT & 63
    stack[row, KEY] = (meta & ~k.TOP) << 1
    n = KEY + 1
    if book[k.MONTHLESS]:
        stack[row, KEY] |= (book[k.ANIMALS] >> top & 1) << k.TOP_SHIFT + 1
        relaxed.write_counts(book, stack, row, n, back)
        n += relaxed.WORDS
    else:
        at = SORTED if book[CANONICAL] else SIGNS
        for pair in range(SIGN_WORDS):
            stack[row, n] = stack[row, at + 2 * pair] << MONTH_BITS | stack[row, at + 2 * pair + 1]
            n += 1
    for word in range(book[TRIAL_KEYS]):
        stack[row, n + word] = stack[row, k.TRIAL + word]
    name_known(book, stack, row, n, k.TRIAL, meta >> k.TRIAL_SHIFT & 31)
    n += book[TRIAL_KEYS]
    for word in range(book[DECK_KEYS]):
        stack[row, n + word] = stack[row, k.DECK + word]
    name_known(book, stack, row, n, k.DECK, meta >> k.DECK_SHIFT & 63)


@inline
def rank_of(book: Array, stack: Array, row: int, month: int) -> int:
    """Give a month's place in the order of the key; months of one sign stand in their own order."""
    if not book[CANONICAL]:
        return month
    sign = stack[row, SIGNS + month]
    rank = 0
    for other in range(12):
        there = stack[row, SIGNS + other]
        rank += there > sign or (there == sign and other < month)
    return rank


@inline
def name_known(book: Array, stack: Array, row: int, at: int, source: int, count: int) -> None:
    """Name the known cards at some places by the rank of their month, and of their kind there."""
    if stack[row, k.KNOWN] == 0:
        return
    for n in range(count):
        shift = 6 * (n % k.A_WORD)
        card = stack[row, source + n // k.A_WORD] >> shift & 63
        if card < k.UNKNOWN and book[k.MONTHLESS]:
            stack[row, at + n // k.A_WORD] ^= (card ^ book[k.KIND + card]) << shift
        elif card < k.UNKNOWN:
            name = 4 * rank_of(book, stack, row, card >> 2)
            for other in range(card & ~3, (card & ~3) + 4):
                at_place = stack[row, k.KNOWN] >> other & 1
                name += at_place and book[k.KIND + other] < book[k.KIND + card]
            stack[row, at + n // k.A_WORD] ^= (card ^ name) << shift


@inline
def same(book: Array, stack: Array, row: int, one: int, other: int) -> bool:
    """Whether two cards that lie in the same way are renamings of one another."""
    if book[k.KIND + one] != book[k.KIND + other]:
        return False
    if one >> 2 == other >> 2 or book[k.MONTHLESS]:
        return True
    return bool(
        book[CANONICAL]
        and stack[row, SIGNS + (one >> 2)] == stack[row, SIGNS + (other >> 2)]
        and stack[row, k.KNOWN] & 15 << (one & ~3) == 0
        and stack[row, k.KNOWN] & 15 << (other & ~3) == 0
    )


@inline
def same_step(book: Array, stack: Array, row: int, one: int, other: int) -> bool:
    """Whether two decisions are renamings of one another."""
    if one & 15 != other & 15:
        return False
    shift = 4
    while shift <= 22:
        a, b = one >> shift & 63, other >> shift & 63
        if (a == k.NO_CARD) != (b == k.NO_CARD):
            return False
        if a != k.NO_CARD:
            if not same(book, stack, row, a, b):
                return False
            # What is of one month must stay so.
            back = 4
            while back < shift and not book[k.MONTHLESS]:
                c, d = one >> back & 63, other >> back & 63
                if (a >> 2 == c >> 2) != (b >> 2 == d >> 2):
                    return False
                back += 6
        shift += 6
    return True


@inline
def barred_from(stack: Array, row: int, card: int) -> int:
    """Count the classes that bar a card."""
    barred = 0
    for j in range(k.CLASSES):
        barred += stack[row, k.NOT + j] >> card & 1
    return int(barred)


@inline
def outcomes(
    book: Array, stack: Array, depth: int, moves: Array, weights: Floats, start: int
) -> int:
    """Write what chance may do, one card of each that are renamings, with probabilities."""
    n = start
    cards = k.candidates(stack, depth)
    pool = stack[depth, k.POOL]
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        chance = k.outcome_chance(stack, depth, card)
        if chance <= 0.0:
            continue
        i = start
        while i < n:
            other = moves[i] >> 4 & 63
            if (
                pool >> card & pool >> other & 1
                and barred_from(stack, depth, card) == barred_from(stack, depth, other)
                and same(book, stack, depth, card, other)
            ):
                break
            i += 1
        if i < n:
            weights[i] += chance
        else:
            moves[n] = k.one(k.UNCOVER, card)
            weights[n] = chance
            n += 1
    return n


@inline
def expand(
    book: Array,
    aids: Floats,
    stack: Array,
    depth: int,
    moves: Array,
    weights: Floats,
    start: int,
) -> int:
    """Write the steps of a belief, one of each that are renamings; the engine's `expand`."""
    if stack[depth, k.META] & k.PHASE < k.ACT:
        stack[depth, KIND] = 1
        return outcomes(book, stack, depth, moves, weights, start)
    stack[depth, KIND] = 0
    end = k.actions(book, stack, depth, moves, start)
    n = start
    for i in range(start, end):
        j = start
        while j < n and not same_step(book, stack, depth, moves[i], moves[j]):
            j += 1
        if j == n:
            moves[n] = moves[i]
            n += 1
    if n - start > book[WIDTH] > 0:
        n = best_liked(book, aids, stack, depth, moves, weights, start, n)
    return n


@inline
def best_liked(
    book: Array,
    aids: Floats,
    stack: Array,
    depth: int,
    moves: Array,
    scores: Floats,
    start: int,
    end: int,
) -> int:
    """Keep the decisions that the policy likes best, as many as are looked at; gives their end."""
    policy.look(book, stack, depth, aids)
    n = start
    for i in range(start, end):
        move = moves[i]
        liked = policy.score(book, stack, depth, move, aids)
        n = policy.rank(moves, scores, start, n, book[WIDTH], move, liked)
    return n


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the belief after a step into the next row, with its key; the engine's `child`."""
    row = depth + 1
    for word in range(k.HAND, k.WORDS if book[k.MONTHLESS] else KEY):
        stack[row, word] = stack[depth, word]
    k.play(book, stack, row, move)
    phase = stack[row, k.META] & k.PHASE
    if phase == k.WON:
        return expectimax.WON
    if phase == k.LOST:
        return expectimax.LOST
    if stack[row, k.META] & k.VAGUE:
        return expectimax.OPEN
    back = k.matters(book, stack, row)
    if k.is_hopeless(book, stack, row, back):
        return expectimax.LOST
    drop_classes(stack, row)
    if not book[k.MONTHLESS]:
        cards = moved(stack, depth) | back ^ k.matters(book, stack, depth)
        write_signs(book, stack, row, back, cards)
    write_key(book, stack, row, back)
    return expectimax.GOES_ON


@inline
def begin(book: Array, stack: Array) -> int:
    """Write the key of the belief in row 0; gives whether it goes on."""
    phase = stack[0, k.META] & k.PHASE
    if phase == k.WON:
        return expectimax.WON
    if stack[0, k.META] & k.VAGUE:
        return expectimax.OPEN
    back = k.matters(book, stack, 0)
    if phase == k.LOST or k.is_hopeless(book, stack, 0, back):
        return expectimax.LOST
    drop_classes(stack, 0)
    if not book[k.MONTHLESS]:
        for word in range(SIGNS, KEY):
            stack[0, word] = 0
        write_signs(book, stack, 0, back, ALL_CARDS)
    write_key(book, stack, 0, back)
    return expectimax.GOES_ON


class Oracle(NamedTuple):
    """What is needed to search the relaxed game: as for the game, and its own book."""

    book: Array
    aids: Floats
    graph: Graph


ORACLE: Final[Any] = tuple_of(Oracle, ITEMS, FLOATS, GRAPH)


@inline
def enter_relaxed(oracle: Oracle, graph: Graph, row: int) -> None:
    """Enter the belief in a row as the root of the relaxed game."""
    for word in range(k.HAND, k.WORDS):
        oracle.graph.stack[0, word] = graph.stack[row, word]
    begin(oracle.book, oracle.graph.stack)


@inline
def peek(oracle: Oracle, graph: Graph, row: int) -> float:
    """Give the bound that is known of a belief without any search."""
    if oracle.book[EFFORT] == 0:
        return 1.0
    enter_relaxed(oracle, graph, row)
    inner = oracle.graph
    slot = probe(inner.table, inner.stack, 0, KEY, expectimax.VALUES)
    if inner.table[slot, 0] == 0:
        return 1.0
    return float(inner.bounds[inner.numbers[slot], expectimax.HIGH])


@inline
def bound(oracle: Oracle, graph: Graph, row: int, floor: float) -> float:
    """Give what a belief is worth in the relaxed game, or a bound when that takes too long.

    Stopped in the middle it goes on when it is asked again, as it is by the search that resumes:
    how the work is sliced changes nothing.
    """
    if oracle.book[EFFORT] == 0:
        return 1.0
    inner = oracle.graph
    control = inner.control
    if not control[PENDING]:
        enter_relaxed(oracle, graph, row)
        control[REASON] = TABLE_FULL
        if expectimax.begin(inner) < 0:
            return -1.0
        inner.floors[0] = floor
        control[UNTIL] = control[NODES] + max(LITTLE, oracle.book[EFFORT] - control[NODES])
    before = control[NODES]
    slice_ = graph.control[PAUSE] - graph.control[NODES] - graph.control[ASKED]
    control[PAUSE] = min(control[UNTIL], before + slice_)
    control[REASON] = expectimax.run(
        *(oracle.book, oracle.aids, expand, child, expectimax.no_peek, expectimax.no_bound),
        *(oracle.book, inner, 0.0),
    )
    graph.control[ASKED] += control[NODES] - before
    gives_up = control[REASON] == PAUSED and control[NODES] >= control[UNTIL]
    control[PENDING] = control[REASON] != EXHAUSTED and not gives_up
    return -1.0 if control[PENDING] else float(inner.bounds[inner.path[0], expectimax.HIGH])


@jit(int64(ITEMS, ROWS, GRAPH))
def enter(book: Array, position: Array, graph: Graph) -> int:
    """Enter the packed belief ``position[0]`` as the root; gives what a ``child`` gives."""
    for word in range(k.HAND, k.WORDS):
        graph.stack[0, word] = position[0, word]
    return int(begin(book, graph.stack))


@jit(int64(GRAPH))
def start(graph: Graph) -> int:
    """Begin the search at the root; gives its node, -1 when there is no room."""
    return int(expectimax.begin(graph))


@jit(int64(ITEMS, FLOATS, ORACLE, GRAPH, float64))
def search(book: Array, aids: Floats, oracle: Oracle, graph: Graph, width: float) -> int:
    """Search on; gives the reason for the engine's return."""
    return int(expectimax.run(book, aids, expand, child, peek, bound, oracle, graph, width))
