"""A graph as a Markov decision process in DRN, the explicit format of the model checker Storm.

The probabilities are exact fractions. States are labelled ``init``, ``won`` and ``lost``, so that
``Pmax=? [F "won"]`` asks for the value of the first one. Storm refuses to be asked for a label that
no state has: where no game is won, or none is lost, one more state has it, and nothing leads there.

Actions are the player's moves, with ``_`` for each space, since a name ends at a space; ``chance``
is what happens by itself, and ``over`` keeps a game that has ended where it is.

Source: https://www.stormchecker.org/documentation/background/drn.html
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from hanasolve.analysis.graph import Choice, Graph

WON: Final = "won"
LOST: Final = "lost"
CHANCE: Final = "chance"
OVER: Final = "over"


def lines(graph: Graph, *, title: str) -> Iterator[str]:
    """Give the text of a graph that is whole, line by line.

    Parameters
    ----------
    graph : Graph
    title : str
        One line, which stands in a comment.
    """
    unseen = [label for label, count in ((WON, graph.won), (LOST, graph.lost)) if count == 0]
    states = graph.states + len(unseen)
    choices = graph.choices + graph.won + graph.lost + len(unseen)
    yield from (f"// {title}", "@type: MDP", "@parameters", "", "@reward_models", "")
    yield from ("@nr_states", str(states), "@nr_choices", str(choices), "@model")
    for state, choices_ in enumerate(graph):
        labels = ["init"] if state == 0 else []
        if not choices_:
            labels.append(WON if graph.is_won(state) else LOST)
        yield from _state(state, labels, choices_)
    for state, label in enumerate(unseen, graph.states):
        yield from _state(state, [label], [])


def _state(state: int, labels: list[str], choices: list[Choice]) -> Iterator[str]:
    """Give the lines of a state; one without choices stays as it is."""
    yield " ".join(["state", str(state), *labels])
    for choice in choices or [Choice(OVER, ((state, Fraction(1)),))]:
        name = CHANCE if choice.text is None else choice.text.replace(" ", "_")
        yield f"\taction {name}"
        yield from (f"\t\t{target} : {chance}" for target, chance in choice.outcomes)
