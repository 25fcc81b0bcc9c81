"""Symmetry: what a formula says of some threads, said of all threads with the same code.

Threads of one template are refined alike again and again: what is learned about one of them, or
about a pair, is taken for all. (Any formula may be in the pool; whether it holds is proved.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations

from abpress.logic.formula import Formula, variables
from abpress.symbolic.discrete import ThreadPart, owner_of
from abpress.symbolic.exchange import renamed

MOST_THREADS = 2
"""Formulas about more threads are taken as they are."""


def for_all_threads(
    formulas: Iterable[Formula], threads: Sequence[ThreadPart], name: Callable[[int], str]
) -> Iterator[Formula]:
    """The formulas, and what they become when threads of one template change places."""
    templates = {name(part.id): part.template for part in threads}
    for formula in formulas:
        yield formula
        mentioned = sorted(
            {owner for v in variables(formula) if (owner := owner_of(v)) in templates}
        )
        if not 0 < len(mentioned) <= MOST_THREADS:
            continue
        wanted = [templates[thread] for thread in mentioned]
        for others in permutations(sorted(templates), len(mentioned)):
            if list(others) != mentioned and [templates[t] for t in others] == wanted:
                yield renamed(formula, dict(zip(mentioned, others, strict=True)))
