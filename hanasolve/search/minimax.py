"""Minimax of two sides by zero-window tests, with a small exact table; it knows no game.

A *test* asks whether a position is worth at least so much to the first side, and answers with a
bound that is as good as what it has seen (fail-soft). The value is found by tests alone, each next
to the last answer (MTD, Plaat et al. 1996, "Best-first fixed-depth minimax algorithms"). What a
position is worth is what can be gained from it on, so positions reached in different ways share an
entry. Everything that the search must remember lies in arrays, so it can pause after any node.

The table is lossy, see `hanasolve.search.cache`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.cache import KEY_WORDS, is_in, slot_of
from hanasolve.search.table import Array

# Columns of a stack row; the game's own words follow.
NEXT: Final = 0
END: Final = 1
TEST: Final = 2
BEST: Final = 3
CHOICE: Final = 4
"""The move that `BEST` comes from."""
GAIN: Final = 5
"""What the move that led here gained."""
IS_MAX: Final = 6
"""Whether the first side is to move."""
FLOOR: Final = 7
CEILING: Final = 8
"""Bounds of the value that the game knows by itself."""
KEY: Final = 9
NODE: Final = KEY + KEY_WORDS

NO_MOVE: Final = -1
UNEXPANDED: Final = -1

# Entries of the control array.
DEPTH: Final = 0
NODES: Final = 1
PAUSE: Final = 2
ANSWER: Final = 3
"""Of a search that has ended."""
CONTROL_SIZE: Final = 4

# Why the engine returned.
ANSWERED: Final = 0
PAUSED: Final = 1

# Words of a table entry, after the key: the bounds, and the move that was best.
LOW: Final = KEY_WORDS
HIGH: Final = KEY_WORDS + 1
MOVE: Final = KEY_WORDS + 2
ENTRY: Final = KEY_WORDS + 3
INFINITE: Final = 1 << 20


@inline
def keep(table: Array, stack: Array, row: int, low: int, high: int, move: int) -> None:
    """Enter a bound of a position's value, and the best move found."""
    first, second = stack[row, KEY], stack[row, KEY + 1]
    slot = slot_of(table, first, second)
    if is_in(table, slot, first, second):
        low = max(low, table[slot, LOW])
        high = min(high, table[slot, HIGH])
    table[slot, 0] = first
    table[slot, 1] = second
    table[slot, LOW] = low
    table[slot, HIGH] = high
    table[slot, MOVE] = move


@inline
def begin(stack: Array, control: Array, test: int) -> None:
    """Begin a test of the position in row 0."""
    control[DEPTH] = 0
    stack[0, TEST] = test
    stack[0, NEXT] = UNEXPANDED


@engine
def run(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    stack: Array,
    moves: Array,
    scores: Array,
    table: Array,
    control: Array,
) -> int:
    """Go on with a test from where the control array says.

    Parameters
    ----------
    book : array
        What the game's functions need to know.
    expand : compiled function
        ``expand(book, stack, depth, moves, start)`` writes the moves of the position at ``depth``
        into ``moves[start:]`` and gives their end. A position without moves must have been told by
        its bounds.
    child : compiled function
        ``child(book, stack, depth, move)`` writes the position after a move into row ``depth + 1``
        with its key, its bounds and whose turn it is; gives what the move gains.
    stack, moves, scores, table, control : arrays
        Long enough for the longest line.

    Returns
    -------
    int
        `ANSWERED` or `PAUSED`.
    """
    depth = control[DEPTH]
    nodes = control[NODES]
    while True:
        # A position is entered when it has not been expanded.
        value = INFINITE
        if stack[depth, NEXT] == UNEXPANDED:
            test = stack[depth, TEST]
            slot = slot_of(table, stack[depth, KEY], stack[depth, KEY + 1])
            liked = NO_MOVE
            if is_in(table, slot, stack[depth, KEY], stack[depth, KEY + 1]):
                liked = table[slot, MOVE]
                stack[depth, FLOOR] = max(stack[depth, FLOOR], table[slot, LOW])
                stack[depth, CEILING] = min(stack[depth, CEILING], table[slot, HIGH])
            if stack[depth, FLOOR] >= test:
                value = stack[depth, FLOOR]
            elif stack[depth, CEILING] < test:
                value = stack[depth, CEILING]
            else:
                if nodes >= control[PAUSE]:
                    control[DEPTH] = depth
                    control[NODES] = nodes
                    return PAUSED
                nodes += 1
                start = stack[depth - 1, END] if depth > 0 else 0
                value = open_row(
                    book, expand, child, stack, moves, scores, table, depth, start, liked
                )
        if value == INFINITE:
            at = stack[depth, NEXT]
            if at < stack[depth, END]:
                stack[depth, NEXT] = at + 1
                gain = child(book, stack, depth, moves[at])
                depth += 1
                stack[depth, GAIN] = gain
                stack[depth, TEST] = stack[depth - 1, TEST] - gain
                stack[depth, NEXT] = UNEXPANDED
                continue
            value = stack[depth, BEST]
            settle(table, stack, depth, value)
        # The value of the position at this depth is known as well as is asked for.
        while True:
            if depth == 0:
                control[DEPTH] = 0
                control[NODES] = nodes
                control[ANSWER] = value
                return ANSWERED
            value += stack[depth, GAIN]
            depth -= 1
            move = moves[stack[depth, NEXT] - 1]
            test = stack[depth, TEST]
            if stack[depth, IS_MAX]:
                if value > stack[depth, BEST]:
                    stack[depth, BEST] = value
                    stack[depth, CHOICE] = move
                if value < test:
                    break
            else:
                if value < stack[depth, BEST]:
                    stack[depth, BEST] = value
                    stack[depth, CHOICE] = move
                if value >= test:
                    break
            value = stack[depth, BEST]
            settle(table, stack, depth, value)


@inline
def settle(table: Array, stack: Array, depth: int, value: int) -> None:
    """Enter the answer of a test into the table."""
    if value >= stack[depth, TEST]:
        keep(table, stack, depth, value, stack[depth, CEILING], stack[depth, CHOICE])
    else:
        keep(table, stack, depth, stack[depth, FLOOR], value, stack[depth, CHOICE])


@inline
def open_row(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    stack: Array,
    moves: Array,
    scores: Array,
    table: Array,
    depth: int,
    start: int,
    liked: int,
) -> int:
    """Write the moves that can decide the test, the most promising first.

    What bounds and table know of the positions after each move drops moves, or ends the test: then
    its answer is given, else `INFINITE`.
    """
    test = stack[depth, TEST]
    is_max = stack[depth, IS_MAX]
    stack[depth, NEXT] = start
    stack[depth, CHOICE] = NO_MOVE
    best = -INFINITE if is_max else INFINITE
    end = expand(book, stack, depth, moves, start)
    n = start
    for i in range(start, end):
        move = moves[i]
        gain = child(book, stack, depth, move)
        row = depth + 1
        floor, ceiling = stack[row, FLOOR], stack[row, CEILING]
        slot = slot_of(table, stack[row, KEY], stack[row, KEY + 1])
        if is_in(table, slot, stack[row, KEY], stack[row, KEY + 1]):
            floor = max(floor, table[slot, LOW])
            ceiling = min(ceiling, table[slot, HIGH])
        floor += gain
        ceiling += gain
        if is_max:
            if floor >= test:
                stack[depth, CHOICE] = move
                keep(table, stack, depth, floor, stack[depth, CEILING], move)
                return int(floor)
            if ceiling < test:
                if ceiling > best:
                    best = ceiling
                    stack[depth, CHOICE] = move
                continue
            score = floor + ceiling
        else:
            if ceiling < test:
                stack[depth, CHOICE] = move
                keep(table, stack, depth, stack[depth, FLOOR], ceiling, move)
                return int(ceiling)
            if floor >= test:
                if floor < best:
                    best = floor
                    stack[depth, CHOICE] = move
                continue
            score = -floor - ceiling
        if move == liked:
            score += INFINITE
        j = n
        while j > start and scores[j - 1] < score:
            scores[j] = scores[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        scores[j] = score
        moves[j] = move
        n += 1
    stack[depth, END] = n
    stack[depth, BEST] = best
    return INFINITE
