"""What makes a state space large: which values, threads and loops differ in a sample of states."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from random import Random
from time import monotonic

from abpress.ir.components import components, is_cycle
from abpress.ir.program import Template
from abpress.semantics.context import Context
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State

LOOKED_AT, VALUES = "states looked at", "values that differ"
THREADS, LOOPS = "states of single threads", "loops"
CENSUS = (LOOKED_AT, VALUES, THREADS, LOOPS)
"""Names of the words of a census."""

_SAMPLE = 400
_SECONDS = 0.2
"""How many states are looked at, and for how long: this comes when a limit is over."""

_RARE = 0.05
"""In a smaller share of the states a loop is not told."""

_TOLD = 4
"""How many of each kind are told: those that differ most."""


def census(system: Interpreter, states: Collection[State]) -> dict[str, str]:
    """Of a sample of states: how many values variables have, in how many states of their own
    threads are, and in which share of the states some thread is in a loop; in words. Empty if no
    state is looked at."""
    context, views = system.context, system.views
    loops = _Loops(context)
    values: dict[str, set[int]] = defaultdict(set)
    alone: dict[str, set[object]] = defaultdict(set)
    inside: Counter[str] = Counter()
    end, looked = monotonic() + _SECONDS, 0
    for state in _sample(states):
        if monotonic() > end:
            break
        looked += 1
        for name, value in views.cells(state, shown=True):
            if value is not None:
                values[name].add(value)
        met: set[str] = set()
        for thread in system.threads(state):
            own = state[context.index(state, thread)]
            alone[views.thread_name(thread)].add(own)
            met.update(loops.around(own[1]))
        inside.update(met)
    if not looked:
        return {}
    differ = {name: len(its) for name, its in values.items() if len(its) > 1}
    told = {
        LOOKED_AT: f"{looked:,}",
        VALUES: _most(differ),
        THREADS: _most({name: len(its) for name, its in alone.items()}),
        LOOPS: ", ".join(
            f"{line} {n / looked:.0%}"
            for line, n in inside.most_common(_TOLD)
            if n > looked * _RARE
        ),
    }
    return {name: text for name, text in told.items() if text}


def _sample(states: Collection[State]) -> Iterator[State]:
    """About `_SAMPLE` of the states, the same in every run. Their distances are irregular: what
    alternates from state to state would have one value in every second one."""
    chance, rest = Random(0), iter(states)
    most = 2 * max(1, len(states) // _SAMPLE) - 1
    while (found := next(islice(rest, chance.randrange(most), None), None)) is not None:
        yield found


def _most(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {n:,}" for name, n in Counter(counts).most_common(_TOLD))


class _Loops:
    """Which loop a place is in, by the line where the loop begins. Mutable: it remembers."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._of: dict[str, dict[int, str]] = {}

    def around(self, pc: int) -> tuple[str, ...]:
        """The file and line of the outermost loop around the place, if there is one."""
        code, location = self._context.locate(pc)
        name = code.template.name
        if name not in self._of:
            self._of[name] = dict(self._found(code.template, code.first_pc))
        line = self._of[name].get(location)
        return () if line is None else (line,)

    def _found(self, template: Template, first_pc: int) -> Iterator[tuple[int, str]]:
        graph = {i: [e.target for e in its.edges] for i, its in enumerate(template.locations)}
        for loop in components(graph):
            if is_cycle(loop, graph):
                place = self._context.position(first_pc + min(loop)).origin
                line = f"{place.file}:{place.line}"
                yield from ((location, line) for location in loop)
