"""Search over arranged positions: every rule, every switch.

Nodes are packed positions (see `kernel`); draws and turns are taken in one step with the card they
are made for (see `stock`). Where `quotient` is a relaxation it is asked about every position, and
one that cannot be won there is dropped.

*Key.* Exact, and no larger than the rules need: the places left in stock and waste; the least
equivalent waste (the waste itself where moves are counted, see `counted`); the turns left; and for
each column, sorted, a code of its own:

- what its head lies on and what the head is. With face-down cards the head is known from their
  number; such sequences of cards that are alike get one number, so that columns that are the same
  are the same. Over nothing the head itself is numbered;
- the months of the run, as its length where they are consecutive;
- for each card below the head what tells it from the others of its month: nothing with ``any`` (in
  an alternating run even the kinds follow from the head), else what is left of its pile's number.

What is up follows from the rest. The heights are added where piles are told apart by number, and
the kinds of the cards on each pile where they may come back.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, highest, inline, int64, jit, lowest, popcount
from hanasolve.search.depth_first import (
    ASKED,
    ASKED_BY,
    BUDGET,
    CONTROL_SIZE,
    EXHAUSTED,
    LOST,
    NODE,
    NODES,
    PAUSE,
    PAUSED,
    TABLE_FULL,
    UNTIL,
    WON,
    WON_NODE,
    begin,
    run,
    run_within,
    settle,
)
from hanasolve.search.keys import clear, put
from hanasolve.search.table import ALIVE, DEAD, OPEN, Array
from hanasolve.solitaire2 import quotient
from hanasolve.solitaire2.dominance import safe, safe_from_stock
from hanasolve.solitaire2.kernel import (
    CARDS,
    CLOCK,
    COLUMN,
    COUNT,
    NAMED,
    NIBBLES,
    PILE,
    STOCK,
    WORDS,
    accepted,
    is_won,
    landings,
    pile_heights,
    play,
    returns,
    run_moves,
    stock_card,
    ups,
)
from hanasolve.solitaire2.move import COLUMN_COLUMN, COLUMN_UP, WASTE_COLUMN, WASTE_UP
from hanasolve.solitaire2.stock import least_waste, reachable, turns_left, turns_needed

KEY: Final = NODE + WORDS
WIDEST: Final = 1024
"""More than any position has: at most 48 suffixes to 5 other columns, 6 last cards to 4 piles, 48
stock cards to 4 piles and 6 columns, and 4 returning cards to 6 columns."""
PLACE: Final = 16
"""A move is a packed move of the kernel, and above this bit the place it is drawn from, or 0."""
THEN_UP: Final = 22
"""Bit of `counted`: the card below a moved part of a run goes up next; and above, to which pile."""

# Places in the book.
ASK: Final = quotient.AFTER
"""Whether the quotient is a relaxation of the game."""
MONTHS: Final = ASK + 1
"""Whether a run's months must be told one by one."""
HALVES: Final = ASK + 2
"""Whether the two cards of a kind are told apart."""
KINDS: Final = ASK + 3
"""Whether the kinds of the cards below a head are told."""
MERGED: Final = ASK + 4
"""Cards that count as the one before them: the fourth pile's, if it is like the third."""
HEAD_BITS: Final = ASK + 5
RETURNED: Final = ASK + 6
"""Whether the kinds of the cards on the piles are told."""
FORMAT: Final = ASK + 7
"""Word and shift of each field: stock, waste, turns left, six columns, heights, kinds."""
FIELDS: Final = 11
HEAD_CODE: Final = FORMAT + 2 * FIELDS
SEQUENCE_CODE: Final = HEAD_CODE + COUNT
"""For each column, 48 codes of its first n face-down cards and the head over them."""
COSTS: Final = SEQUENCE_CODE + 6 * COUNT
"""Whether positions with one key must be won in as many moves, not only both be won or lost."""
AFTER: Final = COSTS + 1


@inline
def gather(bits: int) -> int:
    """Bring the lowest bits of the twelve nibbles together."""
    bits = (bits | bits >> 3) & 0x030303030303
    bits = (bits | bits >> 6) & 0x000F000F000F
    return int((bits | bits >> 12 | bits >> 24) & 0xFFF)


@inline
def kinds(cards: int) -> int:
    """For each month, whether the card of a run is a non-point card."""
    return gather((cards >> 2 | cards >> 3) & NIBBLES)


@inline
def column_code(book: Array, column: int, word: int) -> int:
    """Code of a column for the key."""
    if word == 0:
        return 0
    down = word >> COUNT
    cards = word & CARDS
    if down > 0:
        code = book[SEQUENCE_CODE + COUNT * column + down]
    else:
        code = book[HEAD_CODE + highest(cards)]
    merged = cards & book[MERGED]
    cards ^= merged | merged >> 1
    shift = book[HEAD_BITS]
    if book[MONTHS]:
        code |= gather((cards | cards >> 1 | cards >> 2 | cards >> 3) & NIBBLES) << shift
        shift += 12
    else:
        code |= popcount(cards) << shift
        shift += 4
    # A December can only be the head, so eleven bits hold the others.
    if book[HALVES]:
        code |= (gather((cards >> 1 | cards >> 3) & NIBBLES) & 0x7FF) << shift
        shift += 11
    if book[KINDS]:
        code |= (kinds(cards) & 0x7FF) << shift
    return int(code)


@inline
def write_key(book: Array, stack: Array, row: int) -> None:
    """Write the exact key of a position."""
    clear(stack, row, KEY)
    places, clock = stack[row, NODE + STOCK], stack[row, NODE + CLOCK]
    size = popcount(places)
    put(book, FORMAT, stack, row, KEY, 0, places)
    waste = clock & 63 if book[COSTS] else least_waste(book, size, clock)
    put(book, FORMAT, stack, row, KEY, 1, waste)
    put(book, FORMAT, stack, row, KEY, 2, turns_left(book, size, clock))
    a = column_code(book, 0, stack[row, NODE + COLUMN + 0])
    b = column_code(book, 1, stack[row, NODE + COLUMN + 1])
    c = column_code(book, 2, stack[row, NODE + COLUMN + 2])
    d = column_code(book, 3, stack[row, NODE + COLUMN + 3])
    e = column_code(book, 4, stack[row, NODE + COLUMN + 4])
    f = column_code(book, 5, stack[row, NODE + COLUMN + 5])
    # A sorting network of twelve exchanges.
    a, f = min(a, f), max(a, f)
    b, d = min(b, d), max(b, d)
    c, e = min(c, e), max(c, e)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    a, d = min(a, d), max(a, d)
    c, f = min(c, f), max(c, f)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    e, f = min(e, f), max(e, f)
    b, c = min(b, c), max(b, c)
    d, e = min(d, e), max(d, e)
    put(book, FORMAT, stack, row, KEY, 3, a)
    put(book, FORMAT, stack, row, KEY, 4, b)
    put(book, FORMAT, stack, row, KEY, 5, c)
    put(book, FORMAT, stack, row, KEY, 6, d)
    put(book, FORMAT, stack, row, KEY, 7, e)
    put(book, FORMAT, stack, row, KEY, 8, f)
    if book[NAMED]:
        put(book, FORMAT, stack, row, KEY, 9, pile_heights(stack, row, NODE))
    if book[RETURNED]:
        on_piles = 0
        for pile in range(4):
            on_piles |= kinds(stack[row, NODE + PILE + pile]) << 12 * pile
        put(book, FORMAT, stack, row, KEY, 10, on_piles)


@inline
def drop_renamings(stack: Array, depth: int, moves: Array, start: int, end: int) -> int:
    """Leave out moves onto an empty column that is not the first, and of whole columns onto one.

    They lead to a position that differs from another one, or from this, in the order of its
    columns alone.
    """
    first = 0
    while first < 6 and stack[depth, NODE + COLUMN + first] != 0:
        first += 1
    n = start
    for i in range(start, end):
        target = moves[i] >> 8 & 15
        if stack[depth, NODE + COLUMN + target] == 0:
            if target != first:
                continue
            if moves[i] & 15 == COLUMN_COLUMN:
                word = stack[depth, NODE + COLUMN + (moves[i] >> 4 & 15)]
                if word == word & CARDS and popcount(word) == moves[i] >> 12 & 15:
                    continue
        moves[n] = moves[i]
        n += 1
    return n


@inline
def expand(book: Array, stack: Array, depth: int, moves: Array, start: int) -> int:
    """Write the moves of the position at ``depth``, likely ones first; the engine's `EXPAND`."""
    if is_won(stack, depth, NODE):
        return WON_NODE
    n = start
    heights = pile_heights(stack, depth, NODE)
    taken = 0
    for pile in range(4):
        taken |= accepted(book, heights, pile)
    forced = safe(book, heights) & taken
    uncovering = 0
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & (run - 1) == 0:
            uncovering |= run
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & -run & forced:
            return int(ups(book, heights, lowest(run), COLUMN_UP | column << 4, moves, n))

    # Places from which a card can go up, or down to a column.
    places, clock = stack[depth, NODE + STOCK], stack[depth, NODE + CLOCK]
    size = popcount(places)
    waste = least_waste(book, size, clock)
    reached = reachable(book, size, clock)
    left = reached
    while left != 0:
        place = lowest(left)
        left &= left - 1
        card = stock_card(book, places, place)
        if forced >> card & 1 and safe_from_stock(book, size, waste, place):
            return int(ups(book, heights, card, WASTE_UP | place << PLACE, moves, n))

    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & uncovering & taken:
            n = ups(book, heights, lowest(run), COLUMN_UP | column << 4, moves, n)
    runs_at = n
    for column in range(6):
        n = run_moves(book, stack, depth, NODE, column, moves, n)
    n = drop_renamings(stack, depth, moves, runs_at, n)
    left = reached
    while left != 0:
        place = lowest(left)
        left &= left - 1
        card = stock_card(book, places, place)
        if taken >> card & 1:
            n = ups(book, heights, card, WASTE_UP | place << PLACE, moves, n)
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & -run & ~uncovering & taken:
            n = ups(book, heights, lowest(run), COLUMN_UP | column << 4, moves, n)
    downs_at = n
    while reached != 0:
        place = highest(reached)
        reached ^= 1 << place
        card = 1 << stock_card(book, places, place)
        n = landings(book, stack, depth, NODE, card, WASTE_COLUMN | place << PLACE, moves, n)
    n = returns(book, stack, depth, NODE, moves, n)
    return int(drop_renamings(stack, depth, moves, downs_at, n))


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; the engine's `CHILD`."""
    row = depth + 1
    for word in range(NODE, KEY):
        stack[row, word] = stack[depth, word]
    place = move >> PLACE
    if place > 0:
        clock = stack[row, NODE + CLOCK]
        size = popcount(stack[row, NODE + STOCK])
        turned = (clock >> 6) + turns_needed(book, size, clock, place)
        stack[row, NODE + CLOCK] = turned << 6 | place
    play(book, stack, row, NODE, move)
    write_key(book, stack, row)
    return 0


ALLOWED_AT_LEAST: Final = 1_000
ALLOWED_AT_MOST: Final = 100_000
TRIALS: Final = 1_000
LOST_AT_LEAST: Final = 20
"""Where moves are counted, asking goes on after its trials only while one in so many is lost."""


@inline
def ask_quotient(
    book: Array, stack: Array, row: int, inner: Array, moves: Array, table: Array, control: Array
) -> int:
    """Ask whether a position is lost even if parts of runs may move; the engine's `ORACLE`.

    A question may take about as many nodes as the asking search has taken so far, so that neither
    starves the other. What was found stays in the table, so asking again goes on from there.
    Where moves are counted, the question is dropped when hardly any position is lost.
    """
    if not book[ASK]:
        return OPEN
    if control[UNTIL] == 0:
        if book[COSTS]:
            control[ASKED] += 1
            if control[ASKED] > TRIALS and control[LOST] * LOST_AT_LEAST < control[ASKED]:
                return OPEN
        quotient.project(book, stack, row, NODE, inner)
        status = begin(inner, table, control)
        if status in (DEAD, ALIVE):
            control[LOST] += status == DEAD
            return status
        allowed = min(max(control[ASKED_BY], ALLOWED_AT_LEAST), ALLOWED_AT_MOST)
        if book[COSTS]:
            allowed = ALLOWED_AT_LEAST
        control[UNTIL] = control[NODES] + allowed
    control[PAUSE] = min(control[UNTIL], control[NODES] + control[BUDGET])
    reason = run_within(
        book,
        quotient.expand,
        quotient.child,
        quotient.unknown,
        inner,
        moves,
        table,
        control,
        inner,
        moves,
        table,
        control[CONTROL_SIZE:],
    )
    if reason == TABLE_FULL or (reason == PAUSED and control[NODES] < control[UNTIL]):
        return reason
    control[UNTIL] = 0
    if reason == EXHAUSTED:
        control[LOST] += 1
        return DEAD
    status = ALIVE if reason == WON else OPEN
    settle(inner, table, control, status)
    return status


@jit(int64(ITEMS, ROWS, ROWS, ROWS, ITEMS))
def enter(book: Array, position: Array, stack: Array, table: Array, control: Array) -> int:
    """Enter the packed position ``position[0]`` as the root of a search; gives its status."""
    for word in range(WORDS):
        stack[0, NODE + word] = position[0, word]
    write_key(book, stack, 0)
    return int(begin(stack, table, control))


@jit(int64(ITEMS, ROWS, ITEMS, ROWS, ITEMS, ROWS, ITEMS, ROWS, ITEMS))
def search(
    book: Array,
    stack: Array,
    moves: Array,
    table: Array,
    control: Array,
    inner: Array,
    inner_moves: Array,
    inner_table: Array,
    inner_control: Array,
) -> int:
    """Search on; gives the reason for the engine's return."""
    return int(
        run(
            book,
            expand,
            child,
            ask_quotient,
            stack,
            moves,
            table,
            control,
            inner,
            inner_moves,
            inner_table,
            inner_control,
        )
    )
