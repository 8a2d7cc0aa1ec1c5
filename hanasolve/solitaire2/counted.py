"""Arranged positions where moves are counted: the moves, their costs, and what may be left out.

Positions are those of `arranged`, but the key tells the waste as it is. A move may stand for
several single ones and costs as many.

*What may be left out without missing all cheapest solutions*, with proofs:

- *Draws and turns* are made right before the waste card that they are made for (see `stock`):
  they change nothing that other moves need, so they can wait, and their number stays the same.
- *Safe moves* from a column, as in `dominance.safe`, are made at once. The proofs there change a
  line by leaving moves out, playing x earlier, or letting a card go up in place of being laid
  down, so no line gets longer. Moves from the waste are never forced: they change what draws
  cost.
- *Parts of runs* move only when the card below them goes up next, where the cards of a group
  (those of a month, and of a kind if these alternate) carry the same cards, an empty column takes
  no run that lies on a card, and none come back from the piles. Proof: take a cheapest line that
  moves a part S from c to b, cards of one group, while c does not go up next. Leave S on c
  instead. As long as both cards are there, let b play the part of c and c that of b: what the
  line lays on one is laid on the other, what moves as a run with one below moves with the other's
  cards upon it. Whatever carries b or c carries on, as nothing else tells what lies on them. When
  c is to go up, it carries nothing in the line, so b does not in ours, and S is moved then, and c
  goes up next. When b is to go up, it carries nothing in the line; in ours c then has nothing,
  and if something T lies on b, it is moved to c first, in place of the move saved, and b goes up
  next. The line is no longer than before, and the part is moved later or not at all; so after
  finitely many changes no such move is left.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, inline, int64, jit, lowest, popcount
from hanasolve.search import best_first, ida_star
from hanasolve.search.depth_first import NODE, WON_NODE
from hanasolve.search.table import Array
from hanasolve.solitaire2.arranged import (
    KEY,
    PLACE,
    THEN_UP,
    ask_quotient,
    drop_renamings,
    write_key,
)
from hanasolve.solitaire2.bounds import DRAW_COST, PARTS_FREE, least_cost
from hanasolve.solitaire2.dominance import safe
from hanasolve.solitaire2.kernel import (
    CARDS,
    CLOCK,
    COLUMN,
    COUNT,
    NAMED,
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
    suffix,
    ups,
)
from hanasolve.solitaire2.move import (
    COLUMN_COLUMN,
    COLUMN_UP,
    FIRST_PILE,
    WASTE_COLUMN,
    WASTE_UP,
)
from hanasolve.solitaire2.stock import draws_and_turns, reachable, turns_needed, without_turn

ONE_MOVE: Final = (1 << PLACE) - 1


@inline
def part_moves(
    book: Array, stack: Array, depth: int, heights: int, column: int, moves: Array, n: int
) -> int:
    """Write the moves of parts of a run, each with the card below that goes up next."""
    run = stack[depth, NODE + COLUMN + column] & CARDS
    for count in range(1, popcount(run)):
        moved = suffix(run, count)
        below = lowest(run ^ moved)
        first = True
        for pile in range(4):
            if accepted(book, heights, pile) >> below & 1 and (first or book[NAMED]):
                then_up = 1 | (FIRST_PILE if first else pile) << 1
                stem = COLUMN_COLUMN | column << 4 | count << 12 | then_up << THEN_UP
                n = landings(book, stack, depth, NODE, moved, stem, moves, n)
                first = False
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
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & -run & forced:
            return int(ups(book, heights, lowest(run), COLUMN_UP | column << 4, moves, n))
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & -run & taken:
            n = ups(book, heights, lowest(run), COLUMN_UP | column << 4, moves, n)
    runs_at = n
    for column in range(6):
        if book[PARTS_FREE]:
            run = stack[depth, NODE + COLUMN + column] & CARDS
            if run != 0:
                stem = COLUMN_COLUMN | column << 4 | popcount(run) << 12
                n = landings(book, stack, depth, NODE, run, stem, moves, n)
                n = part_moves(book, stack, depth, heights, column, moves, n)
        else:
            n = run_moves(book, stack, depth, NODE, column, moves, n)
    n = drop_renamings(stack, depth, moves, runs_at, n)
    places, clock = stack[depth, NODE + STOCK], stack[depth, NODE + CLOCK]
    size = popcount(places)
    reached = reachable(book, size, clock)
    # First what this run through the stock reaches, then what the next one does.
    now = reached & without_turn(book, size, clock & 63)
    for left in (now, reached ^ now):
        while left != 0:
            place = lowest(left)
            left &= left - 1
            card = stock_card(book, places, place)
            if taken >> card & 1:
                n = ups(book, heights, card, WASTE_UP | place << PLACE, moves, n)
            stem = WASTE_COLUMN | place << PLACE
            landings_at = n
            n = landings(book, stack, depth, NODE, 1 << card, stem, moves, n)
            n = drop_renamings(stack, depth, moves, landings_at, n)
    landings_at = n
    n = returns(book, stack, depth, NODE, moves, n)
    n = drop_renamings(stack, depth, moves, landings_at, n)
    return int(n)


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; gives what it costs."""
    row = depth + 1
    for word in range(NODE, KEY):
        stack[row, word] = stack[depth, word]
    cost = 1
    place = move >> PLACE & 63
    if place > 0:
        clock = stack[row, NODE + CLOCK]
        size = popcount(stack[row, NODE + STOCK])
        turns = turns_needed(book, size, clock, place)
        cost += book[DRAW_COST] * draws_and_turns(book, size, clock & 63, place, turns)
        stack[row, NODE + CLOCK] = (clock >> 6) + turns << 6 | place
    play(book, stack, row, NODE, move & ONE_MOVE)
    if move >> THEN_UP:
        up = COLUMN_UP | move & 15 << 4 | (move >> THEN_UP + 1) << 8
        play(book, stack, row, NODE, up)
        cost += 1
    return int(cost)


@jit(int64(ITEMS, ROWS, ROWS))
def enter(book: Array, position: Array, rows: Array) -> int:
    """Write the packed position ``position[0]`` into row 0; gives the bound on its cost."""
    for word in range(WORDS):
        rows[0, NODE + word] = position[0, word]
    return int(least_cost(book, rows, 0, COUNT * COUNT))


@jit(int64(ROWS, ROWS, ROWS, ITEMS, int64))
def begin_best_first(rows: Array, offers: Array, heads: Array, control: Array, weight: int) -> int:
    """Begin a best-first search at row 0 of the rows."""
    best_first.begin(rows, offers, heads, control, weight)
    return 0


@jit(
    int64(
        *(ITEMS, ROWS, ITEMS, ROWS, ROWS, ROWS, ROWS, ITEMS),
        *(ROWS, ITEMS, ROWS, ITEMS),
    )
)
def search_best_first(
    book: Array,
    stack: Array,
    moves: Array,
    rows: Array,
    offers: Array,
    heads: Array,
    table: Array,
    control: Array,
    inner: Array,
    inner_moves: Array,
    inner_table: Array,
    inner_control: Array,
) -> int:
    """Search on; gives the reason for the engine's return."""
    return int(
        best_first.run(
            *(book, expand, child, least_cost, write_key, ask_quotient),
            *(stack, moves, rows, offers, heads, table, control),
            *(inner, inner_moves, inner_table, inner_control),
        )
    )


@jit(int64(ITEMS, ROWS, ROWS, ITEMS, int64))
def begin_iteration(book: Array, stack: Array, table: Array, control: Array, limit: int) -> int:
    """Begin an iteration of IDA* at row 0 of the stack."""
    write_key(book, stack, 0)
    ida_star.begin(stack, table, control, limit)
    return 0


@jit(int64(ITEMS, ROWS, ITEMS, ROWS, ITEMS, ROWS, ITEMS, ROWS, ITEMS))
def search_iteration(
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
        ida_star.run(
            *(book, expand, child, least_cost, write_key, ask_quotient),
            *(stack, moves, table, control),
            *(inner, inner_moves, inner_table, inner_control),
        )
    )
