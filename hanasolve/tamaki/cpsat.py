"""What all seats together can reach from a position: points, yaku, and why not. With CP-SAT.

The model is that of `hanasolve.tamaki.schedule`.

*Limits.* A node is a millionth of CP-SAT's deterministic time, about a microsecond; a limit may be
overrun by some hundred. With one worker and a fixed seed, the same position and limits in nodes
give the same answer everywhere. Where a policy is followed, each position gone through is a node,
too. There is no table, so a limit of memory is not looked at.

*Proof.* Every solution is played through with `State` before it is told, and must give what the
model says. That there is nothing better is the word of CP-SAT, without its presolve.
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ortools.sat.python import cp_model

from hanasolve.cards import CODES, MONTHS
from hanasolve.errors import HanasolveError
from hanasolve.search.limits import LimitMetError, Limits, Meter, Report
from hanasolve.tamaki.arrivals import Arrivals, Gain
from hanasolve.tamaki.move import Move
from hanasolve.tamaki.position import check_seat
from hanasolve.tamaki.result import Reason, Result
from hanasolve.tamaki.rules import PAYMENT, UNIT, YAKU
from hanasolve.tamaki.schedule import Schedule, total
from hanasolve.tamaki.state import State

Policy = Callable[[State], Move]
"""Says what a seat does."""
Fixed = Mapping[int, Policy | Sequence[Move]]
"""Seats that do not help. Each has a policy, or its next turns, which it makes exactly so: what
follows another turn of it does not count, and after them it helps. Turns after the end of the
round are left out."""
Line = tuple[tuple[int, Move], ...]

_REPORTED: Final = 64
"""Positions gone through between two reports."""
_TURNS_TOLD: Final = 2
"""Of those in which a card may be played, before the last one."""
_UNBOUNDED: Final = 1 << 20


def cooperative(
    state: State,
    seat: int,
    limits: Limits | None = None,
    report: Report | None = None,
    fixed: Fixed | None = None,
) -> Result:
    """Find the highest own round score of a seat that any legal continuation gives.

    Parameters
    ----------
    state : State
    seat : int
        The seat that asks; all others help.
    limits : Limits, optional
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    fixed : mapping, optional
        See `Fixed`.

    Returns
    -------
    Result
        With a line that gives the value.

    Raises
    ------
    HanasolveError
        For a seat that does not exist, or when no continuation has the turns that are fixed.
    MoveError
        When a policy gives a move that is not legal.

    Notes
    -----
    Some 10 ms for a fresh deal. A policy cannot be put into the model: the positions that the free
    seats can reach are gone through one by one, each once, until one gives as much as the model
    allows if that policy helped. Their number grows exponentially with the turns of the free seats.

    Examples
    --------
    >>> result = cooperative(State.deal(seed=1), 0)
    >>> result.optimal, result.value == result.bound
    (True, True)
    """
    check_seat(seat, state.players)
    limits = limits or Limits()
    meter = Meter(limits, report)
    records, has_policies = _recorded(state, fixed)
    result = _Best(state, seat, Arrivals(state, records=records)).find(limits, meter)
    if fixed and has_policies:
        return _best_end(state, result, fixed, meter)
    return result


def ceiling(
    state: State,
    seat: int,
    limits: Limits | None = None,
    report: Report | None = None,
    known: int = 0,
    fixed: Fixed | None = None,
) -> Result:
    """Find the highest own round score of a seat when the order of the mountain is free as well.

    Parameters
    ----------
    state : State
    seat : int
        The seat that asks; all others help.
    limits : Limits, optional
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    known : int, optional
        So many cards on top of the mountain stay where they are.
    fixed : mapping, optional
        See `Fixed`; turns only, and what they draw is drawn.

    Returns
    -------
    Result
        With the order of the mountain and a line that give the value.

    Raises
    ------
    HanasolveError
        For a seat that does not exist, more known cards than there are, a policy, or when no
        continuation has the turns that are fixed.
    """
    check_seat(seat, state.players)
    size = len(state.position.mountain)
    if type(known) is not int or not 0 <= known <= size:
        raise HanasolveError(f"known is a number from 0 to {size}, not {known!r:.40}")
    limits = limits or Limits()
    records, has_policies = _recorded(state, fixed)
    if has_policies:
        raise HanasolveError("a policy must see the mountain; for ceiling, give turns")
    arrivals = Arrivals(state, known=known, records=records)
    return _Best(state, seat, arrivals, "ceiling").find(limits, Meter(limits, report))


def _recorded(state: State, fixed: Fixed | None) -> tuple[dict[int, Sequence[Move]], bool]:
    """Give the turns of the seats that are fixed by turns, and whether policies fix others."""
    fixed = fixed or {}
    for seat in fixed:
        check_seat(seat, state.players)
    records = {seat: play for seat, play in fixed.items() if not callable(play)}
    return records, len(records) < len(fixed)


class _Best:
    """The search for the highest own round score of a seat.

    What other seats are paid for yaku is left out at first: with everybody's help they seldom
    complete any. If one does in the best line, it is put into the model, which is solved again.
    Every answer of the model is a bound, so the first one that the line confirms is the best.
    """

    def __init__(
        self, state: State, seat: int, arrivals: Arrivals, objective: str = "cooperative"
    ) -> None:
        self._state = state
        self._seat = seat
        self._arrivals = arrivals
        self._objective = objective
        self._once = state.rules.yaku_payment == "per_player"
        self._claims = [{*claim} for claim in state.position.claims]
        self._base = state.round_scores()[seat]
        self._sought = self._left(seat)
        if self._once and state.yaku()[seat]:
            self._sought = {}
        self._feared: dict[tuple[int, str], frozenset[int]] = {}

    def _left(self, seat: int) -> dict[str, frozenset[int]]:
        """Give the yaku that a seat has not completed and others do not bar, with what it lacks."""
        taken = set().union(*(claim for one, claim in enumerate(self._claims) if one != seat))
        left = {name: cards - self._claims[seat] for name, cards in YAKU.items()}
        return {name: cards for name, cards in left.items() if cards and not cards & taken}

    def find(self, limits: Limits, meter: Meter) -> Result:
        """Search until the best is found or a limit is met."""
        value: int | None = None
        bound = _UNBOUNDED
        line: Line = ()
        mountain: tuple[int, ...] | None = None
        while True:
            schedule, most = self._schedule()
            found, limit = schedule.solve(limits, meter)
            if found is False:
                raise HanasolveError("no continuation has the turns that are fixed")
            bound = min(bound, most)
            if found is not None:
                bound = min(bound, self._base + UNIT * round(schedule.bound))
            if found:
                start, played, end = self._play(schedule)
                score = end.round_scores()[self._seat]
                if value is None or score > value:
                    value, line = score, played
                    mountain = tuple(card for card in start.position.mountain if card is not None)
            if limit is not None or value == bound:
                break
            self._fear(end)
        return Result(
            objective=self._objective,
            seat=self._seat,
            value=value,
            bound=bound,
            optimal=value == bound,
            line=line,
            mountain=mountain if self._objective == "ceiling" else None,
            nodes=meter.nodes,
            seconds=meter.seconds,
            limit=limit,
        )

    def _fear(self, end: State) -> None:
        """Put the yaku that others have completed into the model."""
        fresh = {
            (seat, name): cards
            for seat in range(self._state.players)
            if seat != self._seat and not (self._once and self._state.yaku()[seat])
            for name, cards in self._left(seat).items()
            if name in end.yaku()[seat] and (seat, name) not in self._feared
        }
        if not fresh:
            raise AssertionError("the line does not give what the model says")
        self._feared.update(fresh)

    def _schedule(self) -> tuple[Schedule, int]:
        """Give the model, and a bound that needs no search."""
        wanted = frozenset[int]().union(*self._sought.values())
        feared = frozenset[int]().union(*self._feared.values())
        self._asked = wanted, feared
        months = [
            self._arrivals.patterns(month, self._seat, wanted, feared, points=True)
            for month in range(MONTHS)
        ]
        if not all(months):
            raise HanasolveError("no continuation has the turns that are fixed")
        schedule = Schedule(self._arrivals, self._seat, months)
        gains = [
            (choice, pattern.gain)
            for choices, patterns in zip(schedule.choices, months, strict=True)
            for choice, pattern in zip(choices, patterns, strict=True)
        ]
        model = schedule.model
        points = total(gain.points // UNIT * choice for choice, gain in gains if gain.points)
        paid = PAYMENT // UNIT
        completed = [schedule.literal() for _ in self._sought]
        for yaku, cards in zip(completed, self._sought.values(), strict=True):
            for card in cards:
                model.add(total(choice for choice, gain in gains if card in gain.gets) >= yaku)
        if self._once and completed:
            once = schedule.literal()
            model.add(total(completed) >= once)
            completed = [once]
        received = paid * (self._state.players - 1) * total(completed)
        model.maximize(points + received - paid * total(self._payments(schedule, gains)))
        most = sum(max(pattern.gain.points for pattern in patterns) for patterns in months)
        return schedule, self._base + most + PAYMENT * (self._state.players - 1) * len(completed)

    def _payments(
        self, schedule: Schedule, gains: Sequence[tuple[cp_model.IntVar, Gain]]
    ) -> list[cp_model.IntVar]:
        """Give literals that count what is paid to other seats, for the yaku that are feared."""
        model = schedule.model
        paid: dict[object, cp_model.IntVar] = {}
        for (seat, name), cards in self._feared.items():
            key = seat if self._once else (seat, name)
            if key not in paid:
                paid[key] = schedule.literal()
            got: list[cp_model.IntVar] = []
            for holder in sorted({one for _, gain in gains for one in gain.others}):
                if holder[0] in cards:
                    captured = total(choice for choice, gain in gains if holder in gain.others)
                    got.append(schedule.literal())
                    model.add(captured + schedule.drawn_by(holder[1], seat) - 1 <= got[-1])
            model.add(total(got) - (len(cards) - 1) <= paid[key])
        return [*paid.values()]

    def _play(self, schedule: Schedule) -> tuple[State, Line, State]:
        """Play a solution of the model: gives the state with its mountain, the line, the end."""
        arrivals = self._arrivals
        times = schedule.times()
        takes: dict[int, tuple[int, ...]] = {}
        for month, pattern in enumerate(schedule.chosen()):
            order = [card for card in sorted(times, key=times.__getitem__) if card // 4 == month]
            own = [card for card in order if arrivals.seat(times[card] // 2) == self._seat]
            for landings in arrivals.landings(month, order):
                gain = arrivals.gain(landings, self._seat, own, *self._asked, points=True)
                if gain.is_at_least(pattern.gain):
                    takes.update((card, tuple(sorted(taken))) for card, taken in landings)
                    break
            else:
                raise AssertionError(f"month {month + 1} cannot give what the model says")
        return play(self._state, arrivals, times, takes)


def play(
    state: State,
    arrivals: Arrivals,
    times: Mapping[int, int],
    takes: Mapping[int, tuple[int, ...]],
) -> tuple[State, Line, State]:
    """Play cards at given times; gives the state with the mountain in order, the line, the end.

    Raises
    ------
    MoveError
        When that is not legal.
    """
    at = {time: card for card, time in times.items()}
    drawn = [at[time] for time in sorted(at) if time % 2]
    mountain = (*drawn, *(card for card in state.position.mountain if card not in drawn))
    start = State(dataclasses.replace(state.position, mountain=mountain), state.rules)
    line = []
    after = start
    for turn in arrivals.turns:
        card, draw = at.get(2 * turn), at.get(2 * turn + 1)
        taken, draw_taken = (() if one is None else takes.get(one, ()) for one in (card, draw))
        move = Move(card, taken, draw, draw_taken)
        line.append((after.turn, move))
        after = after.apply(move)
    return start, tuple(line), after


def yaku(
    state: State,
    limits: Limits | None = None,
    report: Report | None = None,
    fixed: Fixed | None = None,
) -> Result:
    """Find for each seat which yaku, and how many at most, it can hold at the end, all helping.

    Parameters
    ----------
    state : State
    limits : Limits, optional
        A limit that is met before all is known leaves everything open.
    report : callable, optional
        Called with a `Progress` about twenty times a second.
    fixed : mapping, optional
        See `Fixed`.

    Returns
    -------
    Result
        With a `Reason` for each yaku that is out of reach.

    Raises
    ------
    HanasolveError
        When no continuation has the turns that are fixed.
    MoveError
        When a policy gives a move that is not legal.

    Notes
    -----
    One small model for each set of cards that a seat might get together, of their months alone.
    A smallest set that is out of reach is found by trying the smaller ones first, each with a model
    of its own. With a policy everything that can follow is gone through, as in `cooperative`.

    Examples
    --------
    >>> result = yaku(State.deal(seed=1))
    >>> len(result.yaku), result.optimal
    (2, True)
    """
    limits = limits or Limits()
    meter = Meter(limits, report)
    held: list[dict[str, bool]] = []
    most: list[int] = []
    reasons: list[Reason] = []
    limit = None
    try:
        reach = _Reach(state, limits, meter, fixed)
        for seat in range(state.players):
            held.append({name: reach.can_get(seat, cards) for name, cards in YAKU.items()})
            most.append(reach.most(seat, [name for name, can in held[seat].items() if can]))
            reasons += [reach.reason(seat, name) for name, can in held[seat].items() if not can]
    except LimitMetError as met:
        limit = str(met)
    is_open = limit is not None
    return Result(
        objective="yaku",
        seat=state.position.seat,
        optimal=not is_open,
        yaku=None if is_open else tuple(held),
        most=None if is_open else tuple(most),
        reasons=() if is_open else tuple(reasons),
        nodes=meter.nodes,
        seconds=meter.seconds,
        limit=limit,
    )


def lost(
    state: State,
    record: Sequence[Move],
    seat: int,
    yaku: str | None = None,
    *,
    score: int | None = None,
) -> int | None:
    """Find from which turn of a played record on a yaku, or a score, was out of reach.

    Parameters
    ----------
    state : State
        Where the record begins.
    record : sequence of Move
        The turns of all seats.
    seat : int
        The seat that wants it.
    yaku : str, optional
        The name of the yaku.
    score : int, optional
        Or the own round score that it wants at least.

    Returns
    -------
    int or None
        The number of the turn, counted from 1, after which even with everybody's help it could no
        longer be reached; 0 if it never could, None if it always could.

    Raises
    ------
    HanasolveError
        For a seat or a yaku that does not exist, and unless just one thing is wanted.
    MoveError
        For a move that is not legal.

    Notes
    -----
    What is out of reach stays so, so the turn is found by bisection.
    """
    check_seat(seat, state.players)
    if (yaku is None) == (score is None):
        raise HanasolveError("give either a yaku or a score")
    if yaku is not None and yaku not in YAKU:
        raise HanasolveError(f"there is no yaku {yaku!r:.40}; there are {', '.join(YAKU)}")
    states = [state]
    for move in record:
        states.append(states[-1].apply(move))

    def is_lost(after: State) -> bool:
        if yaku is not None:
            limits = Limits()
            return not _Reach(after, limits, Meter(limits)).can_get(seat, YAKU[yaku])
        best = cooperative(after, seat).value
        assert isinstance(best, int)
        assert score is not None
        return best < score

    turn = bisect.bisect_left(states, True, key=is_lost)
    return None if turn == len(states) else turn


class _Reach:
    """Which cards seats can get, whatever else they get; every answer is kept."""

    def __init__(
        self, state: State, limits: Limits, meter: Meter, fixed: Fixed | None = None
    ) -> None:
        records, has_policies = _recorded(state, fixed)
        self._fixed = sorted(fixed or ())
        self._arrivals = Arrivals(state, records=records)
        self._claims = [{*claim} for claim in state.position.claims]
        self._limits = limits
        self._meter = meter
        self._known: dict[tuple[int, frozenset[int]], bool] = {}
        self._ends: list[list[set[int]]] | None = None
        if fixed and has_policies:
            ends = _ends(state, fixed, meter)
            self._ends = [[{*claim} for claim in end.position.claims] for end, _ in ends]
        if not self._ask(0, frozenset()):
            raise HanasolveError("no continuation has the turns that are fixed")

    def can_get(self, seat: int, cards: frozenset[int]) -> bool:
        """Whether some legal continuation gives a seat all of some cards."""
        left = cards - self._claims[seat]
        if (seat, left) not in self._known:
            self._known[seat, left] = self._ask(seat, left)
        return self._known[seat, left]

    def _ask(self, seat: int, cards: frozenset[int]) -> bool:
        if self._ends is not None:
            return any(cards <= claims[seat] for claims in self._ends)
        months = []
        for month in sorted({card // 4 for card in cards} | self._arrivals.told_months):
            wanted = frozenset(card for card in cards if card // 4 == month)
            patterns = self._arrivals.patterns(month, seat, wanted, (), points=False)
            months.append([pattern for pattern in patterns if pattern.gain.gets == wanted])
        if not all(months):
            return False
        if all(len(patterns) == 1 and not patterns[0].conditions for patterns in months):
            return True
        can, limit = Schedule(self._arrivals, seat, months).solve(self._limits, self._meter)
        if can is None:
            raise LimitMetError(limit)
        return can

    def most(self, seat: int, names: Sequence[str]) -> int:
        """Give the most of some yaku that a seat can hold together."""
        for count in range(len(names), 1, -1):
            for some in itertools.combinations(names, count):
                if self.can_get(seat, frozenset().union(*(YAKU[name] for name in some))):
                    return count
        return min(len(names), 1)

    def reason(self, seat: int, name: str) -> Reason:
        """Tell why a seat cannot complete a yaku."""
        for count in (1, 2, 3):
            for cards in itertools.combinations(sorted(YAKU[name]), count):
                if not self.can_get(seat, frozenset(cards)):
                    return Reason(seat=seat, yaku=name, cards=cards, text=self._text(seat, cards))
        raise AssertionError(f"{name} is in reach")

    def _text(self, seat: int, cards: tuple[int, ...]) -> str:
        """Put into words where the cards of the months of some cards are, and when they land."""
        names = " and ".join(CODES[card] for card in cards)
        months = sorted({card // 4 for card in cards})
        where = "; ".join(
            self._where(card) for month in months for card in range(4 * month, 4 * month + 4)
        )
        together = " together" * (len(cards) > 1)
        fixed = ", ".join(map(str, self._fixed))
        given = f" with the turns of seat{'s' * (len(self._fixed) > 1)} {fixed} given" * bool(fixed)
        return f"seat {seat} cannot get {names}{together}{given}: {where}"

    def _where(self, card: int) -> str:
        code, arrivals = CODES[card], self._arrivals
        for seat, claim in enumerate(self._claims):
            if card in claim:
                return f"{code} is captured by seat {seat}"
        pile = arrivals.pile_of.get(card)
        if pile is None:
            return f"{code} lies on the table" if card in arrivals.table else f"{code} never lands"
        *first, last = (str(time // 2 + 1) for time in pile.times)
        if len(first) > _TURNS_TOLD:
            first[_TURNS_TOLD:] = ["…"]
        turns = f"{', '.join(first)} or {last}" if first else last
        verb = "draws" if pile.times[0] % 2 else "plays"
        return f"seat {pile.seat} {verb} {code} in turn {turns}"


def _best_end(state: State, helped: Result, fixed: Fixed, meter: Meter) -> Result:
    """Find the best end when some seats play by a policy; ``helped`` is the best if they helped."""
    value: int | None = None
    bound, line, limit = helped.bound, helped.line, helped.limit
    try:
        for end, played in _ends(state, fixed, meter):
            score = end.round_scores()[helped.seat]
            if value is None or score > value:
                value, line = score, played
            if value == bound:
                break
        else:
            bound = value
    except LimitMetError as met:
        limit = str(met)
    if limit is None and value is None:
        raise HanasolveError("no continuation has the turns that are fixed")
    is_optimal = value is not None and value == bound
    return dataclasses.replace(
        helped,
        value=value,
        bound=bound,
        optimal=is_optimal,
        line=() if value is None else line,
        nodes=meter.nodes,
        seconds=meter.seconds,
        limit=None if is_optimal else limit,
    )


def _ends(state: State, fixed: Fixed, meter: Meter) -> Iterator[tuple[State, Line]]:
    """Give each end of the round that the free seats can reach, with a line to it.

    From a position follows which turn it is, for hands and mountain shrink with every turn; so each
    is visited once.

    Raises
    ------
    LimitMetError
    """
    seen = {state}
    stack: list[tuple[State, Line]] = [(state, ())]
    while stack:
        limit = meter.exceeded()
        if limit is not None:
            raise LimitMetError(limit)
        here, line = stack.pop()
        meter.nodes += 1
        if meter.nodes % _REPORTED == 0:
            meter.account(0)
        if here.is_over:
            yield here, line
        for move in _options(here, fixed, len(line)):
            after = here.apply(move)
            if after not in seen:
                seen.add(after)
                stack.append((after, (*line, (here.turn, move))))


def _options(state: State, fixed: Fixed, turn: int) -> tuple[Move, ...]:
    """Give the moves that may be made in a turn, counted from 0."""
    legal = state.legal_moves()
    play = fixed.get(state.turn)
    if not legal or play is None:
        return legal
    if callable(play):
        return (play(state),)
    number = turn // state.players
    if number >= len(play):
        return legal
    return (play[number],) if play[number] in legal else ()
