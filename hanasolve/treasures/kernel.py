"""The rules of Three Treasures on a packed belief: their one implementation.

*Belief.* What the player knows: where every seen card is, and for every other place that it holds
one of the unknown cards, the *pool*. All ways to fill those places with the pool are equally
likely, but for *restrictions*: a place of class j holds none of the cards of word ``NOT + j - 1``,
and these sets grow with j. They come from a blue banner played while an unknown trial waits (see
`shuffle_in`, also for the one case in which this cannot tell what the player knows). A game with
all cards known is a belief with an empty pool.

*Packed belief*, `WORDS` words: sets of cards (hand, pool, discard pile, cards *seen* that a
decision or the end of a look is due for, cards at known places of deck and trial), the state of the
turn (`META`), the restrictions, and the places of the trial and the deck, six bits each, ten a
word: the id of a known card, or `UNKNOWN` plus its class. The next of either is in the lowest bits.
Cards that are nowhere are gone: under the present, or won.

*Steps.* A belief is over, or the player decides (`actions`), or one place is uncovered (`outcomes`,
with probabilities). `play` makes a step of either kind. Everything else follows by itself.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import FLOATS, ITEMS, ROWS, highest, inline, int64, jit, lowest, popcount
from hanasolve.search.depth_first import NODE
from hanasolve.search.table import Array, Floats

# Words of a packed belief; before them a row has those of the search engine.
HAND: Final = NODE
POOL: Final = NODE + 1
DISCARD: Final = NODE + 2
SEEN: Final = NODE + 3
KNOWN: Final = NODE + 4
META: Final = NODE + 5
NOT: Final = NODE + 6
CLASSES: Final = 3
TRIAL: Final = NOT + CLASSES
TRIAL_WORDS: Final = 3
DECK: Final = TRIAL + TRIAL_WORDS
DECK_WORDS: Final = 5
WORDS: Final = DECK + DECK_WORDS

A_WORD: Final = 10
"""Places in a word."""
UNKNOWN: Final = 48

# Fields of META: shift, and mask once shifted.
PHASE: Final = 31
TOP_SHIFT: Final = 5
TOP: Final = 63 << TOP_SHIFT
"""The present."""
TRIAL_SHIFT: Final = 11
TRIAL_COUNT: Final = 31 << TRIAL_SHIFT
DECK_SHIFT: Final = 16
DECK_COUNT: Final = 63 << DECK_SHIFT
WON_SHIFT: Final = 22
"""Cards in the victory pile, two bits."""
LEFT_SHIFT: Final = 24
"""Cards that a penalty still discards, two bits."""
AT_END: Final = 1 << 26
"""The draw is the one at the end of a turn."""
IN_RED: Final = 1 << 27
"""It is in a red draw."""
BY_KILL: Final = 1 << 28
"""The trial is looked at for a kill."""
NO_TRIAL: Final = 1 << 29
"""The animal that covers forms no trial."""
FORGIVEN: Final = 1 << 30
"""The hand is empty because its last card was a treasure that was won."""
VAGUE: Final = 1 << 31
"""Not all ways to fill the unknown places are equally likely any more; see `shuffle_in`."""

# Phases: of chance, decisions, and the end.
START: Final = 0
DISCARDING: Final = 1
RED_FIRST: Final = 2
RED_SECOND: Final = 3
LOOKING: Final = 4
PICKING: Final = 5
COVERING: Final = 6
ACT: Final = 7
ACTED: Final = 8
CHOOSING: Final = 9
TAKING: Final = 10
PENALTY: Final = 11
WON: Final = 12
LOST: Final = 13

# Steps: the kind in the lowest four bits, and up to four cards, six bits each.
UNCOVER: Final = 0
RED_DRAW: Final = 1
BLUE: Final = 2
DISPEL: Final = 3
AVOID: Final = 4
KILL: Final = 5
WANDER: Final = 6
STARVE: Final = 7
END: Final = 8
KEEP: Final = 9
PRESENT: Final = 10
PAY_BLUE: Final = 11
PAY_DECK: Final = 12
TAKE: Final = 13
NO_CARD: Final = 63
"""In place of a card that a step has not."""

# The book: the switches, and sets of cards.
STAYS_BOTTOM: Final = 0
REDRAW: Final = 1
"""The draw at the end of a turn: 1 after a treasure, 2 always, 0 never."""
LIGHTNING_REDRAW: Final = 2
LOOK: Final = 3
FROM_HAND: Final = 4
MERGE: Final = 5
RED_TRIAL: Final = 6
ENDING_ONLY: Final = 7
AT_ONCE: Final = 8
"""Whether an empty hand loses at once."""
WIN_FIRST: Final = 9
ANIMALS: Final = 10
REDS: Final = 11
BANNERS: Final = 12
BLUES: Final = 13
EMPTIES: Final = 14
KIND: Final = 15
"""For each card its kind, 0 to 8."""
MONTHLESS: Final = KIND + 48
"""In no book of the rules: the relaxed game in which every card is of the month asked for."""
AFTER: Final = KIND + 49

MOON: Final = 28
LIGHTNING: Final = 43
TREASURES: Final = 1 << 8 | 1 << 16 | 1 << 32
MOST_STEPS: Final = 8_192
"""More than any belief has: 3 blue banners with up to 40 cards X and two of nine animals, and pairs
of up to 40 cards in the hand."""


@inline
def months_of(cards: int) -> int:
    """Give all cards of the months of some cards."""
    low = (cards | cards >> 1 | cards >> 2 | cards >> 3) & 0x111111111111
    return int(low * 15)


@inline
def take_place(row: Array, r: int, at: int, words: int) -> int:
    """Take the next place of deck or trial away; gives its code."""
    code = row[r, at] & 63
    for k in range(words - 1):
        row[r, at + k] = row[r, at + k] >> 6 | (row[r, at + k + 1] & 63) << 54
    row[r, at + words - 1] >>= 6
    return int(code)


@inline
def code_at(row: Array, r: int, at: int, n: int) -> int:
    """Give the code of the n-th place, from 0."""
    return int(row[r, at + n // A_WORD] >> 6 * (n % A_WORD) & 63)


@inline
def count(row: Array, r: int, shift: int, mask: int) -> int:
    """Give a field of META."""
    return int((row[r, META] & mask) >> shift)


@inline
def to_bottom(row: Array, r: int, code: int) -> None:
    """Put a place under the deck."""
    n = count(row, r, DECK_SHIFT, DECK_COUNT)
    row[r, DECK + n // A_WORD] |= code << 6 * (n % A_WORD)
    row[r, META] += 1 << DECK_SHIFT


@inline
def draw_place(row: Array, r: int) -> int:
    """Take the top place of the deck; gives its code."""
    row[r, META] -= 1 << DECK_SHIFT
    return take_place(row, r, DECK, DECK_WORDS)


@inline
def trial_place(row: Array, r: int) -> int:
    """Take the next place of the trial; gives its code."""
    row[r, META] -= 1 << TRIAL_SHIFT
    return take_place(row, r, TRIAL, TRIAL_WORDS)


@inline
def set_phase(row: Array, r: int, phase: int) -> None:
    """Enter a phase; the flags of what went before are cleared unless it is a part of it."""
    row[r, META] = row[r, META] & ~PHASE | phase


@inline
def finish(row: Array, r: int, phase: int) -> None:
    """Enter a phase with nothing pending."""
    pending = PHASE | AT_END | IN_RED | BY_KILL | NO_TRIAL | FORGIVEN | 3 << LEFT_SHIFT
    row[r, META] = row[r, META] & ~pending | phase


@inline
def forget(row: Array, r: int, card: int) -> None:
    """Take a card that has been uncovered out of the pool or the known places."""
    row[r, POOL] &= ~(1 << card)
    row[r, KNOWN] &= ~(1 << card)


@inline
def shuffle(book: Array, row: Array, r: int) -> None:
    """Shuffle the deck.

    Its known cards join the pool. If unknown places are left outside, in the trial, none of the
    cards that joined now can be there: these places get a class of their own.
    """
    n = count(row, r, DECK_SHIFT, DECK_COUNT)
    joined = 0
    for k in range(n):
        code = code_at(row, r, DECK, k)
        if code < UNKNOWN:
            joined |= 1 << code
    row[r, KNOWN] &= ~joined
    shuffle_in(book, row, r, joined, n)


@inline
def shuffle_in(book: Array, row: Array, r: int, joined: int, n: int) -> None:
    """Make a deck of n unknown places; some cards join the pool. Known places are done with.

    A deck that had restricted places loses them. If fewer cards are barred from the trial, what had
    to be in the trial for these places to be filled still has its weight: the belief is *vague*, no
    uniform one over fillings, until all unknown cards are shuffled. Nothing exact is said of it.
    """
    strictest = UNKNOWN
    for k in range(count(row, r, DECK_SHIFT, DECK_COUNT)):
        strictest = max(strictest, code_at(row, r, DECK, k))
    for k in range(count(row, r, TRIAL_SHIFT, TRIAL_COUNT)):
        code = code_at(row, r, TRIAL, k)
        if UNKNOWN <= code < strictest:
            row[r, META] |= VAGUE
    moon_last = book[STAYS_BOTTOM] != 0 and joined >> MOON & 1 != 0
    if moon_last:
        joined ^= 1 << MOON
    row[r, POOL] |= joined
    for k in range(DECK_WORDS):
        row[r, DECK + k] = 0
    row[r, META] &= ~DECK_COUNT
    for _ in range(n - moon_last):
        to_bottom(row, r, UNKNOWN)
    if moon_last:
        row[r, KNOWN] |= 1 << MOON
        to_bottom(row, r, MOON)
    # The classes of what is outside the deck: those that are left, and the new one.
    trial = count(row, r, TRIAL_SHIFT, TRIAL_COUNT)
    classless, some = False, False
    for k in range(trial):
        code = code_at(row, r, TRIAL, k)
        classless |= code == UNKNOWN
        some |= code >= UNKNOWN
    if not some:
        row[r, META] &= ~VAGUE
        for k in range(CLASSES):
            row[r, NOT + k] = 0
        return
    if joined == 0:
        return
    if classless:
        for k in range(CLASSES - 1, 0, -1):
            row[r, NOT + k] = row[r, NOT + k - 1]
        row[r, NOT] = 0
        for k in range(trial):
            if code_at(row, r, TRIAL, k) >= UNKNOWN:
                row[r, TRIAL + k // A_WORD] += 1 << 6 * (k % A_WORD)
    for k in range(CLASSES):
        row[r, NOT + k] |= joined


# What follows by itself.


@inline
def lose(row: Array, r: int) -> None:
    """End the game."""
    finish(row, r, LOST)


@inline
def start_draw(row: Array, r: int) -> None:
    """Ask for a start draw."""
    if row[r, META] & DECK_COUNT == 0:
        lose(row, r)
    else:
        set_phase(row, r, START)


@inline
def check_end(book: Array, row: Array, r: int) -> None:
    """End a turn, after its draw."""
    has_all = row[r, META] >> WON_SHIFT & 3 == 3
    stands = row[r, HAND] != 0 or row[r, META] & FORGIVEN != 0
    if has_all and stands and not book[WIN_FIRST]:
        finish(row, r, WON)
    elif row[r, HAND] == 0:
        lose(row, r)
    else:
        finish(row, r, START)
        start_draw(row, r)


@inline
def after_start_draw(book: Array, row: Array, r: int) -> None:
    """Go on after a start draw that is complete."""
    if row[r, META] & AT_END:
        check_end(book, row, r)
    elif row[r, HAND] == 0:
        lose(row, r)
    else:
        finish(row, r, ACT)


@inline
def end_turn(book: Array, row: Array, r: int) -> None:
    """End the turn after an action that is complete."""
    if row[r, HAND] == 0:
        lose(row, r)
        return
    found = row[r, HAND] & TREASURES
    row[r, HAND] ^= found
    row[r, META] += popcount(found) << WON_SHIFT
    if book[WIN_FIRST] and row[r, META] >> WON_SHIFT & 3 == 3:
        finish(row, r, WON)
        return
    finish(row, r, START)
    if row[r, HAND] == 0:
        row[r, META] |= FORGIVEN
    if book[REDRAW] == 2 or (book[REDRAW] == 1 and found != 0):
        row[r, META] |= AT_END
        start_draw(row, r)
    else:
        check_end(book, row, r)


@inline
def after_red(row: Array, r: int) -> None:
    """Go on after a red draw that is complete."""
    if row[r, HAND] == 0:
        lose(row, r)
    else:
        finish(row, r, ACTED)


@inline
def form_trial(book: Array, row: Array, r: int) -> None:
    """Draw three cards face down, once nothing waits any more or the new trial joins it."""
    if not row[r, META] & NO_TRIAL:
        if count(row, r, DECK_SHIFT, DECK_COUNT) < 3:
            lose(row, r)
            return
        for _ in range(3):
            code = draw_place(row, r)
            n = count(row, r, TRIAL_SHIFT, TRIAL_COUNT)
            row[r, TRIAL + n // A_WORD] |= code << 6 * (n % A_WORD)
            row[r, META] += 1 << TRIAL_SHIFT
    if row[r, META] & IN_RED:
        after_red(row, r)
    else:
        after_start_draw(book, row, r)


@inline
def uncover_known(row: Array, r: int, target: int) -> None:
    """Move the known cards of the trial to a set of cards, and keep the unknown places."""
    for _ in range(count(row, r, TRIAL_SHIFT, TRIAL_COUNT)):
        code = trial_place(row, r)
        if code < UNKNOWN:
            row[r, KNOWN] &= ~(1 << code)
            row[r, target] |= 1 << code
        else:
            n = count(row, r, TRIAL_SHIFT, TRIAL_COUNT)
            row[r, TRIAL + n // A_WORD] |= code << 6 * (n % A_WORD)
            row[r, META] += 1 << TRIAL_SHIFT


@inline
def appear(book: Array, row: Array, r: int, animal: int) -> None:
    """Let an animal become the present; a trial that waits is covered."""
    row[r, META] = row[r, META] & ~TOP | animal << TOP_SHIFT
    if row[r, META] & IN_RED and not book[RED_TRIAL]:
        row[r, META] |= NO_TRIAL
    if book[MERGE]:
        form_trial(book, row, r)
        return
    uncover_known(row, r, DISCARD)
    if row[r, META] & TRIAL_COUNT:
        set_phase(row, r, COVERING)
    else:
        form_trial(book, row, r)


@inline
def after_penalty(book: Array, row: Array, r: int) -> None:
    """Put the lightning under the deck and go on."""
    row[r, SEEN] = 0
    row[r, KNOWN] |= 1 << LIGHTNING
    to_bottom(row, r, LIGHTNING)
    if row[r, META] & IN_RED:
        after_red(row, r)
    elif book[LIGHTNING_REDRAW]:
        if count(row, r, DECK_SHIFT, DECK_COUNT) == 1:
            lose(row, r)
        else:
            set_phase(row, r, START)
    else:
        after_start_draw(book, row, r)


@inline
def looked(book: Array, row: Array, r: int) -> None:
    """Go on after all of the trial has been looked at."""
    if row[r, META] & TRIAL_COUNT:
        set_phase(row, r, LOOKING)
    else:
        set_phase(row, r, TAKING)


@inline
def uncover(book: Array, row: Array, r: int, card: int) -> None:
    """Let a card come up where the phase says."""
    phase = row[r, META] & PHASE
    bit = 1 << card
    if phase == PICKING:
        pick(book, row, r, card)
        return
    if phase in (LOOKING, COVERING):
        trial_place(row, r)
    else:
        draw_place(row, r)
    forget(row, r, card)
    if phase == LOOKING:
        row[r, SEEN] |= bit
        looked(book, row, r)
    elif phase == COVERING:
        row[r, DISCARD] |= bit
        if not row[r, META] & TRIAL_COUNT:
            form_trial(book, row, r)
    elif phase == DISCARDING:
        row[r, DISCARD] |= bit
        row[r, META] -= 1 << LEFT_SHIFT
        if not row[r, META] & 3 << LEFT_SHIFT:
            after_penalty(book, row, r)
    elif phase == RED_FIRST:
        row[r, SEEN] = bit
        set_phase(row, r, RED_SECOND)
    elif phase == RED_SECOND:
        row[r, SEEN] |= bit
        if row[r, SEEN] >> LIGHTNING & 1:
            row[r, DISCARD] |= row[r, SEEN] ^ 1 << LIGHTNING
            row[r, SEEN] = 1 << LIGHTNING
            set_phase(row, r, PENALTY)
        else:
            set_phase(row, r, CHOOSING)
    elif card == MOON:
        lose(row, r)
    elif bit & TREASURES:
        row[r, META] += 1 << WON_SHIFT
        start_draw(row, r)
    elif bit & book[ANIMALS]:
        appear(book, row, r, card)
    elif card == LIGHTNING:
        row[r, SEEN] = bit
        set_phase(row, r, PENALTY)
    else:
        row[r, HAND] |= bit
        after_start_draw(book, row, r)


@inline
def pick(book: Array, row: Array, r: int, card: int) -> None:
    """Take a card of the trial that was picked blindly, and shuffle the others into the deck."""
    forget(row, r, card)
    row[r, HAND] |= 1 << card
    # Which place it had does not matter any more: all that is left is mixed.
    n = count(row, r, TRIAL_SHIFT, TRIAL_COUNT) - 1
    return_trial(book, row, r, n)
    end_turn(book, row, r)


@inline
def return_trial(book: Array, row: Array, r: int, n: int) -> None:
    """Put n cards of the trial into the deck and shuffle it; all known ones are mixed."""
    row[r, META] &= ~TRIAL_COUNT
    for k in range(TRIAL_WORDS):
        row[r, TRIAL + k] = 0
    joined = row[r, KNOWN]
    row[r, KNOWN] = 0
    shuffle_in(book, row, r, joined, count(row, r, DECK_SHIFT, DECK_COUNT) + n)


# Decisions.


@inline
def step(kind: int, first: int, second: int, third: int, fourth: int) -> int:
    """Pack a step."""
    return int(kind | first << 4 | second << 10 | third << 16 | fourth << 22)


@inline
def one(kind: int, card: int) -> int:
    """Pack a step with one card, or none."""
    return step(kind, card, NO_CARD, NO_CARD, NO_CARD)


@inline
def is_animal(book: Array, row: Array, r: int) -> bool:
    """Whether the present is an animal."""
    return bool(book[ANIMALS] >> count(row, r, TOP_SHIFT, TOP) & 1)


@inline
def each(cards: int, kind: int, out: Array, n: int) -> int:
    """Write a step of one kind for each card."""
    while cards != 0:
        out[n] = one(kind, lowest(cards))
        n += 1
        cards &= cards - 1
    return n


@inline
def blue_steps(book: Array, row: Array, r: int, out: Array, n: int) -> int:
    """Write the ways to play a blue banner."""
    blues = row[r, HAND] & book[BLUES]
    while blues != 0:
        banner = lowest(blues)
        blues &= blues - 1
        source = row[r, HAND] ^ 1 << banner if book[FROM_HAND] else row[r, DISCARD]
        source &= ~book[BANNERS]
        while source != 0:
            x = lowest(source)
            source &= source - 1
            animals = row[r, DISCARD] & book[ANIMALS] & ~(1 << x)
            others = popcount(animals)
            if others <= 2:
                y = lowest(animals) if others > 0 else NO_CARD
                z = highest(animals) if others > 1 else NO_CARD
                out[n] = step(BLUE, banner, x, y, z)
                n += 1
                continue
            while animals != 0:
                y = lowest(animals)
                animals &= animals - 1
                rest = animals
                while rest != 0:
                    out[n] = step(BLUE, banner, x, y, lowest(rest))
                    n += 1
                    rest &= rest - 1
    return n


@inline
def actions(book: Array, row: Array, r: int, out: Array, n: int) -> int:
    """Write the decisions that are open to the player; none when it is not for him to decide."""
    phase = row[r, META] & PHASE
    hand = row[r, HAND]
    if phase == PENALTY:
        n = each(hand & book[BLUES], PAY_BLUE, out, n)
        out[n] = one(PAY_DECK, NO_CARD)
        return n + 1
    if phase == TAKING:
        return each(row[r, SEEN], TAKE, out, n)
    if phase == CHOOSING:
        both = row[r, SEEN] & book[ANIMALS] == row[r, SEEN]
        return each(row[r, SEEN], PRESENT if both else KEEP, out, n)
    if phase not in (ACT, ACTED):
        return n
    n = each(hand & book[REDS], RED_DRAW, out, n)
    n = blue_steps(book, row, r, out, n)
    month = months_of(1 << count(row, r, TOP_SHIFT, TOP))
    others = ~month
    if book[MONTHLESS]:
        month = others = -1
    if is_animal(book, row, r):
        n = each(hand & month & ~book[ANIMALS], DISPEL, out, n)
        n = each(hand & others, AVOID, out, n)
        n = each(hand & book[REDS], KILL, out, n)
    else:
        n = each(hand & book[EMPTIES] & others, WANDER, out, n)
    while hand != 0:
        first = lowest(hand)
        hand &= hand - 1
        rest = hand
        while rest != 0:
            out[n] = step(STARVE, first, lowest(rest), NO_CARD, NO_CARD)
            n += 1
            rest &= rest - 1
    if phase == ACTED and not book[ENDING_ONLY]:
        out[n] = one(END, NO_CARD)
        n += 1
    return n


@inline
def onto_present(row: Array, r: int, card: int) -> None:
    """Play a card from the hand onto the present pile."""
    row[r, HAND] &= ~(1 << card)
    row[r, META] = row[r, META] & ~TOP | card << TOP_SHIFT


@inline
def is_out(book: Array, row: Array, r: int) -> bool:
    """Whether the hand is empty and that is judged in the middle of an action."""
    return bool(row[r, HAND] == 0 and book[AT_ONCE])


@inline
def decide(book: Array, row: Array, r: int, kind: int, first: int, move: int) -> None:
    """Make a decision."""
    bit = 1 << first if first != NO_CARD else 0
    if kind == RED_DRAW:
        row[r, HAND] ^= bit
        row[r, DISCARD] |= bit
        if is_out(book, row, r) or count(row, r, DECK_SHIFT, DECK_COUNT) < 2:
            lose(row, r)
        else:
            finish(row, r, RED_FIRST)
            row[r, META] |= IN_RED
    elif kind == KEEP:
        row[r, HAND] |= bit
        row[r, DISCARD] |= row[r, SEEN] ^ bit
        row[r, SEEN] = 0
        after_red(row, r)
    elif kind == PRESENT:
        row[r, DISCARD] |= row[r, SEEN] ^ bit
        row[r, SEEN] = 0
        appear(book, row, r, first)
    elif kind == PAY_BLUE:
        row[r, HAND] ^= bit
        row[r, DISCARD] |= bit
        if is_out(book, row, r):
            lose(row, r)
        else:
            after_penalty(book, row, r)
    elif kind == PAY_DECK:
        left = min(3, count(row, r, DECK_SHIFT, DECK_COUNT))
        if left == 0:
            after_penalty(book, row, r)
        else:
            row[r, META] |= left << LEFT_SHIFT
            set_phase(row, r, DISCARDING)
    elif kind == TAKE:
        row[r, HAND] |= bit
        others = row[r, SEEN] ^ bit
        row[r, SEEN] = 0
        if row[r, META] & BY_KILL:
            row[r, KNOWN] |= others
            return_trial(book, row, r, popcount(others))
        else:
            row[r, DISCARD] |= others
        end_turn(book, row, r)
    elif kind == END:
        end_turn(book, row, r)
    elif kind == STARVE:
        both = bit | 1 << (move >> 10 & 63)
        row[r, HAND] ^= both
        row[r, DISCARD] |= both
        end_turn(book, row, r)
    elif kind == BLUE:
        play_blue(book, row, r, bit, move)
    else:
        onto_present(row, r, first)
        if is_out(book, row, r):
            lose(row, r)
        elif kind == AVOID:
            for _ in range(count(row, r, TRIAL_SHIFT, TRIAL_COUNT)):
                to_bottom(row, r, trial_place(row, r))
            end_turn(book, row, r)
        elif kind == WANDER:
            end_turn(book, row, r)
        elif not row[r, META] & TRIAL_COUNT:
            if kind == KILL:
                shuffle(book, row, r)
            end_turn(book, row, r)
        elif kind == KILL and not book[LOOK]:
            set_phase(row, r, PICKING)
        else:
            if kind == KILL:
                row[r, META] |= BY_KILL
            uncover_known(row, r, SEEN)
            looked(book, row, r)


@inline
def play_blue(book: Array, row: Array, r: int, banner: int, move: int) -> None:
    """Play a blue banner: cards X, Y, Z go back into the deck."""
    row[r, HAND] ^= banner
    row[r, DISCARD] |= banner
    back = 1 << (move >> 10 & 63)
    if book[FROM_HAND]:
        row[r, HAND] ^= back
    for shift in (16, 22):
        if move >> shift & 63 != NO_CARD:
            back |= 1 << (move >> shift & 63)
    row[r, DISCARD] &= ~back
    if is_out(book, row, r):
        lose(row, r)
        return
    cards = back
    while cards != 0:
        row[r, KNOWN] |= cards & -cards
        to_bottom(row, r, lowest(cards))
        cards &= cards - 1
    shuffle(book, row, r)
    end_turn(book, row, r)


@inline
def play(book: Array, row: Array, r: int, move: int) -> None:
    """Make a step: a decision, or a card that comes up."""
    kind, first = move & 15, move >> 4 & 63
    if kind == UNCOVER:
        uncover(book, row, r, first)
    else:
        decide(book, row, r, kind, first, move)


# What can still matter.


@inline
def matters(book: Array, row: Array, r: int) -> int:
    """Cards of the discard pile that may come back."""
    live = row[r, HAND] | row[r, POOL]
    live |= row[r, SEEN] | row[r, KNOWN]
    if not live & book[BLUES]:
        return 0
    back = row[r, DISCARD] & ~book[BANNERS]
    return int(back & book[ANIMALS] if book[FROM_HAND] else back)


@inline
def is_hopeless(book: Array, row: Array, r: int, back: int) -> bool:
    """Whether a treasure can never be won any more."""
    live = row[r, HAND] | row[r, POOL]
    live |= row[r, SEEN] | row[r, KNOWN] | back
    won = row[r, META] >> WON_SHIFT & 3
    return bool(popcount(live & TREASURES) + won < 3)


# Chance.


@inline
def chance_of(row: Array, r: int, card: int, code: int) -> float:
    """Probability that a place with this code holds a card of the pool.

    The ways to fill all places are counted class by class, the most restricted first: with s
    places of a class, and a cards of the pool that they may hold and that the classes before have
    left, there are a (a - 1) ... (a - s + 1) ways. With the card at the place in question each
    class before that may hold it has one card less, a factor (a - s) / a, and its own class one
    card and one place less, 1 / a.
    """
    of = code - UNKNOWN
    pool = row[r, POOL]
    if of > 0 and row[r, NOT + of - 1] >> card & 1:
        return 0.0
    if row[r, NOT] == 0:
        return 1.0 / popcount(pool)
    chance = 1.0
    used = 0
    for k in range(CLASSES, 0, -1):
        places = places_of(row, r, UNKNOWN + k)
        free = popcount(pool & ~row[r, NOT + k - 1]) - used
        if k == of:
            return chance / free
        if places > 0 and not row[r, NOT + k - 1] >> card & 1:
            chance *= (free - places) / free
        used += places
    return chance / (popcount(pool) - used)


@inline
def places_of(row: Array, r: int, code: int) -> int:
    """Count the places with a code in deck and trial."""
    places = 0
    for k in range(count(row, r, DECK_SHIFT, DECK_COUNT)):
        places += code_at(row, r, DECK, k) == code
    for k in range(count(row, r, TRIAL_SHIFT, TRIAL_COUNT)):
        places += code_at(row, r, TRIAL, k) == code
    return places


@inline
def outcome_chance(row: Array, r: int, card: int) -> float:
    """Probability that a card comes up next, in a phase of chance."""
    phase = row[r, META] & PHASE
    if phase != PICKING:
        code = code_at(row, r, TRIAL if phase in (LOOKING, COVERING) else DECK, 0)
        return chance_of(row, r, card, code) if code >= UNKNOWN else 1.0
    n = count(row, r, TRIAL_SHIFT, TRIAL_COUNT)
    chance = 0.0
    for k in range(n):
        code = code_at(row, r, TRIAL, k)
        if code >= UNKNOWN:
            if row[r, POOL] >> card & 1:
                chance += chance_of(row, r, card, code)
        elif code == card:
            chance += 1.0
    return chance / n


@inline
def candidates(row: Array, r: int) -> int:
    """Set of the cards that may come up next, in a phase of chance."""
    phase = row[r, META] & PHASE
    if phase != PICKING:
        code = code_at(row, r, TRIAL if phase in (LOOKING, COVERING) else DECK, 0)
        return int(row[r, POOL]) if code >= UNKNOWN else 1 << code
    cards = 0
    for k in range(count(row, r, TRIAL_SHIFT, TRIAL_COUNT)):
        code = code_at(row, r, TRIAL, k)
        cards |= row[r, POOL] if code >= UNKNOWN else 1 << code
    return int(cards)


@jit(int64(ITEMS, ROWS, ITEMS))
def legal(book: Array, row: Array, out: Array) -> int:
    """Write the decisions of ``row[0]``; gives their number."""
    return int(actions(book, row, 0, out, 0))


@inline
def steps(book: Array, row: Array, r: int, out: Array, n: int) -> int:
    """Write the decisions of a row, or the cards that may come up, from place n on."""
    if row[r, META] & PHASE >= ACT:
        return int(actions(book, row, r, out, n))
    cards = candidates(row, r)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if outcome_chance(row, r, card) > 0.0:
            out[n] = one(UNCOVER, card)
            n += 1
    return n


@jit(int64(ITEMS, ROWS, ITEMS, ITEMS, int64))
def perft(book: Array, rows: Array, out: Array, ends: Array, depth: int) -> int:
    """Count the sequences of ``depth`` steps from ``rows[0]``; ``ends`` has two words a level."""
    if depth == 0:
        return 1
    total, level = 0, 0
    ends[0], ends[1] = 0, steps(book, rows, 0, out, 0)
    while level >= 0:
        at, end = ends[2 * level], ends[2 * level + 1]
        if level == depth - 1 or at == end:
            total += end - at if level == depth - 1 else 0
            level -= 1
            continue
        ends[2 * level] = at + 1
        for word in range(WORDS):
            rows[level + 1, word] = rows[level, word]
        play(book, rows, level + 1, out[at])
        level += 1
        ends[2 * level] = end
        ends[2 * level + 1] = steps(book, rows, level, out, end)
    return total


@jit(int64(ROWS, ITEMS, FLOATS))
def chances(row: Array, out: Array, weights: Floats) -> int:
    """Write the cards that may come up in ``row[0]``, and their probabilities."""
    n = 0
    cards = candidates(row, 0)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        chance = outcome_chance(row, 0, card)
        if chance > 0.0:
            out[n] = one(UNCOVER, card)
            weights[n] = chance
            n += 1
    return n


@jit(int64(ITEMS, ROWS, int64))
def apply(book: Array, row: Array, move: int) -> int:
    """Change ``row[0]`` by a step."""
    play(book, row, 0, move)
    return 0


@jit(int64(ITEMS, ROWS))
def begin(book: Array, row: Array) -> int:
    """Let ``row[0]`` lose where its phase asks for what cannot be had."""
    if row[0, META] & PHASE == START and not is_out(book, row, 0):
        start_draw(row, 0)
    elif row[0, HAND] == 0:
        lose(row, 0)
    return 0
