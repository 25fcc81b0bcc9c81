"""The order in which a search tries the threads of a state."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from abpress.analysis.facts import Facts
from abpress.analysis.visibility import Edges
from abpress.config import Config
from abpress.ir.program import Alloc, Free, Program, Spawn, edges
from abpress.properties import Aspect, asked
from abpress.properties.data_race import NoDataRace
from abpress.result import Soundness
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import FEW_THREADS, Options, State

SEQUENTIAL, RANDOM = "sequential", "random"


def asked_options(config: Config, threads: int = FEW_THREADS) -> Options:
    """What the interpreter has to look for, within the bounds of a run."""
    looks_at = asked(config.question.properties).looks_at
    racing = config.question.open_places(NoDataRace.name)
    options = replace(
        Options.within(config.bounds, threads=threads),
        racing=racing,
        open=tuple((its.property, its.places) for its in config.question.alarms),
    )
    if looks_at.isdisjoint({Aspect.LOSS, Aspect.LEFTOVER}):
        return options
    losses, leftovers = Aspect.LOSS in looks_at, Aspect.LEFTOVER in looks_at
    return replace(options, large=sys.maxsize, losses=losses, leftovers=leftovers)


def visible(program: Program, config: Config) -> Mapping[str, Edges] | None:
    """The visible edges, if the property wants more of them: others may end the program between an
    allocation and its end, NOTE(left-at-the-end)."""
    if Aspect.LEFTOVER not in asked(config.question.properties).looks_at:
        return None
    facts = Facts.of(program)
    return {
        name: facts.visible[name]
        | {
            (i, k)
            for i, location in enumerate(template.locations)
            for k, edge in enumerate(location.edges)
            if any(isinstance(effect, Alloc | Free) for effect in edge.effects)
        }
        for name, template in program.templates.items()
    }


Arrange = Callable[[Sequence[int]], Sequence[int]]


class InOrder(Interpreter):
    """The interpreter of an engine: within the bounds, it tries threads in the order that is asked.

    `config.search.order`: `sequential`, threads as they are created; `random`, by the `seed`, at
    each state anew; or the names of threads, separated by commas, which come before all others.
    `threads` is the bound of threads where there is none. With `by_name` the order of creation is
    that of names, which is the same in all processes.
    """

    def __init__(
        self,
        program: Program,
        config: Config,
        soundness: Soundness,
        threads: int = FEW_THREADS,
        by_name: bool = False,
    ) -> None:
        given = config.question.synchronised
        facts = Facts.of(program).without(given.places) if given is not None else None
        more = visible(program, config) if facts is None else None
        super().__init__(program, asked_options(config, threads), soundness, more, facts)
        order = config.search.order
        self._arrange: Arrange = lambda threads: threads
        if order == RANDOM:
            self._arrange = _at_random(config.search.seed)
        elif order != SEQUENTIAL:
            self._arrange = self._named_first(order.split(","), by_name)
        elif by_name and _others_create(program):
            self._arrange = self._named_first([], by_name)

    def threads(self, s: State) -> Sequence[int]:
        """The unfinished threads in this order."""
        return self._arrange(super().threads(s))

    def _named_first(self, names: list[str], by_name: bool) -> Arrange:
        ranks = {name: rank for rank, name in enumerate(names)}

        @cache
        def rank(thread: int) -> tuple[int, ...]:
            name = self.views.thread_name(thread)
            created = map(int, name.split(".")[1:]) if by_name else ()
            return ranks.get(name, len(ranks)), *created

        return lambda threads: tuple(sorted(threads, key=rank))


def _others_create(program: Program) -> bool:
    """Whether others than the first thread may create threads: else names have its order."""
    return any(
        isinstance(effect, Spawn)
        for name, template in program.templates.items()
        for _, edge in edges(template)
        for effect in edge.effects
        if name != program.main
    )


def _at_random(seed: int) -> Arrange:
    chance = random.Random(seed)
    return lambda threads: tuple(chance.sample(threads, len(threads)))
