"""Arranged positions where moves are counted: the moves, their costs, and what may be left out.

Positions are those of `arranged` with a mark on up to two columns; the key tells the marks, and
the waste as it is. A move may stand for several single ones and costs as many.

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
- *A column that is uncovered is used next.* Let A move all face-up cards R of column c onto a
  card b (or to an empty column). Its first use is the next move that takes cards from c or lays
  them on c. A can wait until right before: until then what the line lays on R, takes up from R or
  moves away from its end is done in column c, and a run that holds b moves without R, its head
  being the same. b stays free, as in the line R lies on it. (If all of R is gone before the first
  use, or R is moved on, A can be left out, or joined with the next move of R, and the line was
  not a cheapest one.) So all such moves can be brought right before their first uses, the last
  one first. As a move touches two columns at most, it is the first use of at most two of them.
  Hence the marks: after A, column c is marked, and the next move uses it, or is another such A'
  in a column c' after which a move between c and c' is possible, and then is the next. As the
  mark is a part of the key, what the table holds is about the position with its marks. A safe
  move may still be made at once with one mark: it leads from a position on a cheapest line to
  another one. And a column is emptied only when none is empty (empty columns are alike, and the
  one there is would be used first) and some card may start one.
"""

from __future__ import annotations

from typing import Final

from hanasolve.jit import ITEMS, ROWS, highest, inline, int64, jit, lowest, popcount
from hanasolve.search import ida_star
from hanasolve.search.depth_first import NODE, WON_NODE
from hanasolve.search.table import Array
from hanasolve.solitaire2.arranged import (
    MARKS,
    PLACE,
    THEN_UP,
    ask_quotient,
    drop_renamings,
    write_key,
)
from hanasolve.solitaire2.bounds import DRAW_COST, MARKING, PARTS_FREE, least_cost
from hanasolve.solitaire2.dominance import safe
from hanasolve.solitaire2.kernel import (
    CARDS,
    CHILDREN,
    CLOCK,
    COLUMN,
    COLUMN_CARDS,
    COUNT,
    NAMED,
    STARTERS,
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
    PILE_COLUMN,
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
def next_head(book: Array, word: int, column: int) -> int:
    """Card that is turned up when the face-up cards of a column leave; -1 for none."""
    down = word >> COUNT
    return int(book[COLUMN_CARDS + COUNT * column + down - 1]) if down > 0 else -1


@inline
def new_marks(book: Array, stack: Array, depth: int, move: int) -> int:
    """Give the marks after a move between columns."""
    if not book[MARKING]:
        return 0
    source, target = move >> 4 & 15, move >> 8 & 15
    run = stack[depth, NODE + COLUMN + source] & CARDS
    if popcount(run) != move >> 12 & 15:
        return 0
    marks = stack[depth, MARKS]
    if marks & (1 << source | 1 << target):
        marks = 0
    return int(marks | 1 << source)


@inline
def keep_marked(book: Array, stack: Array, depth: int, moves: Array, start: int, end: int) -> int:
    """Leave out the moves that do not use the marked columns."""
    marks = stack[depth, MARKS]
    if not book[MARKING]:
        return end
    marked = lowest(marks)
    n = start
    for i in range(start, end):
        kind, source, target = moves[i] & 15, moves[i] >> 4 & 15, moves[i] >> 8 & 15
        touched = 0
        if kind in (COLUMN_UP, COLUMN_COLUMN):
            touched |= 1 << source
        if kind in (WASTE_COLUMN, COLUMN_COLUMN, PILE_COLUMN):
            touched |= 1 << target
        keep = touched & marks == marks
        if kind == COLUMN_COLUMN and moves[i] >> THEN_UP == 0:
            word = stack[depth, NODE + COLUMN + source]
            if popcount(word & CARDS) == moves[i] >> 12 & 15:
                below = next_head(book, word, source)
                if below < 0 and touched & marks == 0:
                    # Emptying a column, of use only when there is no empty one.
                    empty = False
                    for column in range(6):
                        empty |= stack[depth, NODE + COLUMN + column] == 0
                    if empty or book[STARTERS] == 0:
                        keep = False
                if not keep and marks & (marks - 1) == 0 and touched & marks == 0 and marks:
                    # A second move, with whose outcome the next one uses both marked columns.
                    here = stack[depth, NODE + COLUMN + marked] & CARDS
                    if here == 0:
                        keep = below >= 0 and book[STARTERS] >> below & 1
                    elif below < 0:
                        keep = book[STARTERS] >> highest(here) & 1
                    else:
                        there = highest(here)
                        keep = (
                            book[CHILDREN + there] >> below | book[CHILDREN + below] >> there
                        ) & 1
        if keep:
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
    marks = stack[depth, MARKS]
    for column in range(6):
        run = stack[depth, NODE + COLUMN + column] & CARDS
        if run & -run & forced and marks & (marks - 1) == 0:
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
    landings_at = n
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
    return int(keep_marked(book, stack, depth, moves, start, n))


@inline
def child(book: Array, stack: Array, depth: int, move: int) -> int:
    """Write the position after a move into the next row; gives what it costs."""
    row = depth + 1
    for word in range(NODE, MARKS):
        stack[row, word] = stack[depth, word]
    stack[row, MARKS] = 0
    if move & 15 == COLUMN_COLUMN:
        stack[row, MARKS] = new_marks(book, stack, depth, move)
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


@jit(int64(ITEMS, ROWS, ROWS, ROWS, ITEMS, int64))
def enter(
    book: Array, position: Array, stack: Array, table: Array, control: Array, limit: int
) -> int:
    """Begin an iteration at the packed position ``position[0]``; gives the bound on its cost."""
    for word in range(WORDS):
        stack[0, NODE + word] = position[0, word]
    stack[0, MARKS] = 0
    write_key(book, stack, 0)
    ida_star.begin(stack, table, control, limit)
    return int(least_cost(book, stack, 0, COUNT * COUNT))


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
        ida_star.run(
            book,
            expand,
            child,
            least_cost,
            write_key,
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
