"""Max-n of several players, each for himself, with exact ties; it knows no game.

Luckhardt and Irani 1986, "An algorithmic solution of n-person games". What a position is worth is a
vector: what each player gains from it on. Of equal choices the first one is taken, whatever it does
to the others, so every vector that is used must be exact, and cutting off as in minimax is not
possible. But a choice need not be looked at when a bound says that it gains its player no more than
one before it, or less than one behind it: it would not be taken.

A vector is packed into one word, `FIELD` bits a player, as a sum of shifted signed numbers: sums of
vectors are sums of words.

The table is lossy, see `hanasolve.search.cache`; what was lost is worked out again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hanasolve.jit import engine, inline
from hanasolve.search.cache import KEY_WORDS, is_in, slot_of
from hanasolve.search.minimax import ANSWER, ANSWERED, DEPTH, NODES, PAUSE, PAUSED, UNEXPANDED
from hanasolve.search.table import Array

# Columns of a stack row; the game's own words follow.
KEY: Final = 0
NEXT: Final = KEY_WORDS
END: Final = KEY_WORDS + 1
PLAYER: Final = KEY_WORDS + 2
"""The one to move."""
GAIN: Final = KEY_WORDS + 3
"""The vector that the move which led here gained."""
MOST: Final = KEY_WORDS + 4
"""A bound of what the player who made that move gains from here on."""
VALUE: Final = KEY_WORDS + 5
"""Of the best move so far the vector, what it gains the player, and its number."""
OWN: Final = KEY_WORDS + 6
CHOICE: Final = KEY_WORDS + 7
MOVE: Final = KEY_WORDS + 8
"""The best move itself."""
NODE: Final = KEY_WORDS + 9

VECTOR: Final = KEY_WORDS
ENTRY: Final = KEY_WORDS + 1
"""Words of a table entry: the key and the vector."""

FIELD: Final = 9
PLAYERS: Final = 7
LEAST: Final = -(1 << FIELD - 1)
BIAS: Final = sum(-LEAST << FIELD * player for player in range(PLAYERS))


@inline
def own(vector: int, player: int) -> int:
    """Give what a vector gains a player."""
    return ((vector + BIAS) >> FIELD * player & (1 << FIELD) - 1) + LEAST


def unpack(vector: int, players: int) -> tuple[int, ...]:
    """Give a vector as numbers."""
    mask = (1 << FIELD) - 1
    return tuple(((vector + BIAS) >> FIELD * player & mask) + LEAST for player in range(players))


@inline
def begin(stack: Array, control: Array) -> None:
    """Begin with the position in row 0."""
    control[DEPTH] = 0
    stack[0, NEXT] = UNEXPANDED


@engine
def run(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    stack: Array,
    moves: Array,
    numbers: Array,
    bounds: Array,
    table: Array,
    control: Array,
) -> int:
    """Go on from where the control array says.

    Parameters
    ----------
    book : array
        What the game's functions need to know.
    expand : compiled function
        ``expand(book, stack, depth, moves, start)`` writes the moves of the position at ``depth``
        into ``moves[start:]``, in the order in which ties are broken, and gives their end.
    child : compiled function
        ``child(book, stack, depth, move)`` writes the position after a move into row ``depth + 1``
        with its key, `PLAYER` and `MOST`; gives the vector that the move gains.
    stack, moves, numbers, bounds, table, control : arrays
        Long enough for the longest line. ``numbers`` and ``bounds`` go with ``moves``.

    Returns
    -------
    int
        `ANSWERED` or `PAUSED`.
    """
    depth = control[DEPTH]
    nodes = control[NODES]
    while True:
        known = False
        value = 0
        if stack[depth, NEXT] == UNEXPANDED:
            slot = slot_of(table, stack[depth, KEY], stack[depth, KEY + 1])
            # The root is always expanded: its best move is wanted, which no entry tells.
            if depth > 0 and is_in(table, slot, stack[depth, KEY], stack[depth, KEY + 1]):
                value = table[slot, VECTOR]
                known = True
            else:
                if nodes >= control[PAUSE]:
                    control[DEPTH] = depth
                    control[NODES] = nodes
                    return PAUSED
                nodes += 1
                start = stack[depth - 1, END] if depth > 0 else 0
                open_row(book, expand, child, stack, moves, numbers, bounds, depth, start)
        if not known:
            at = stack[depth, NEXT]
            if at < stack[depth, END]:
                stack[depth, NEXT] = at + 1
                if not can_be_taken(stack, depth, bounds[at], numbers[at]):
                    continue
                gain = child(book, stack, depth, moves[at])
                depth += 1
                stack[depth, GAIN] = gain
                stack[depth, NEXT] = UNEXPANDED
                continue
            value = stack[depth, VALUE]
            slot = slot_of(table, stack[depth, KEY], stack[depth, KEY + 1])
            table[slot, 0] = stack[depth, KEY]
            table[slot, 1] = stack[depth, KEY + 1]
            table[slot, VECTOR] = value
        if depth == 0:
            control[DEPTH] = 0
            control[NODES] = nodes
            control[ANSWER] = value
            return ANSWERED
        value += stack[depth, GAIN]
        depth -= 1
        number = numbers[stack[depth, NEXT] - 1]
        mine = own(value, stack[depth, PLAYER])
        if can_be_taken(stack, depth, mine, number):
            stack[depth, VALUE] = value
            stack[depth, OWN] = mine
            stack[depth, CHOICE] = number
            stack[depth, MOVE] = moves[stack[depth, NEXT] - 1]


@inline
def can_be_taken(stack: Array, depth: int, mine: int, number: int) -> bool:
    """Whether a choice that gains its player so much would be taken before the best so far."""
    best = stack[depth, OWN]
    return bool(mine > best or (mine == best and number < stack[depth, CHOICE]))


@inline
def open_row(
    book: Array,
    expand: Callable[..., int],
    child: Callable[..., int],
    stack: Array,
    moves: Array,
    numbers: Array,
    bounds: Array,
    depth: int,
    start: int,
) -> None:
    """Write the moves of a position, those first that may gain their player most."""
    player = stack[depth, PLAYER]
    end = expand(book, stack, depth, moves, start)
    for i in range(start, end):
        move, number = moves[i], i - start
        gain = child(book, stack, depth, move)
        most = own(gain, player) + stack[depth + 1, MOST]
        j = i
        while j > start and bounds[j - 1] < most:
            bounds[j] = bounds[j - 1]
            moves[j] = moves[j - 1]
            numbers[j] = numbers[j - 1]
            j -= 1
        bounds[j] = most
        moves[j] = move
        numbers[j] = number
    stack[depth, NEXT] = start
    stack[depth, END] = end
    stack[depth, VALUE] = 0
    stack[depth, OWN] = LEAST if end > start else 0
    stack[depth, CHOICE] = end
