"""Preference orders: in which order the threads of a node are tried, NOTE(preference-order).

Of the executions that differ in the order of independent steps only, the search of an order keeps
one: the least. Which one that is decides how simple the invariants are ([Reductions20]): of two
threads that count, in lockstep they are `i == j`. The order may depend on a state that the steps
change; the places are multiplied by its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm
from typing import NamedTuple

from abpress.analysis.flow import back_edges
from abpress.analysis.visibility import instances
from abpress.engines.horn.roles import consumers_first, groups, parties, sides
from abpress.engines.horn.strides import loop_bodies, strides, unrolled
from abpress.ir.program import Program, Template
from abpress.semantics.context import DONE
from abpress.symbolic.discrete import Discrete, SymbolicStep, ThreadPart

LoopEdges = Mapping[str, frozenset[tuple[int, int]]]
"""Template -> (location, number) of edges at which a round of a loop ends."""


Numbers = Mapping[str, int]
"""Template -> a number."""

Strides = Mapping[str, Mapping[tuple[int, int], int]]
"""Template -> edge at which a round of a loop ends -> how far its counter goes in a round."""


class OrderState(NamedTuple):
    """The last thread that has had its turn (0: none), and how far who has begun another one has
    come in it (0: nobody)."""

    last: int = 0
    mover: int = 0
    done: int = 0


AS_AT_FIRST = OrderState()


@dataclass(frozen=True, slots=True)
class PreferenceOrder:
    """An order of threads. Its state is the same as at first wherever the order is.

    `turns`: whoever had the last turn comes last, and those behind it first; else threads come in
    the order of their ranks, and then of their numbers. `ends` says at which edges turns end (None:
    every step is one); with `strides` only where the counters of all loops have gone equally far in
    their turns. `ranks` are those of templates, where they are not all the same. `reverse`
    turns the numbers around. With `groups`, of threads in one group the first one has all its
    turns, then the next one; with `parties`, those of one party come before those of the next one.
    Main comes first, unless it has had the last turn. `fits` says of which programs it is another
    order than those before it.
    """

    name: str
    turns: bool = False
    ends: Callable[[Program], LoopEdges] | None = None
    strides: Callable[[Program], Strides] | None = None
    reverse: bool = False
    ranks: Callable[[Program], Numbers] | None = None
    groups: Callable[[Program], Numbers] | None = None
    parties: Callable[[Program], Numbers] | None = None
    fits: Callable[[Program], bool] = lambda _: True


class Arrangement:
    """A preference order for one program."""

    def __init__(self, order: PreferenceOrder, program: Program) -> None:
        self._order = order
        self._main = program.main
        self._ends = None if order.ends is None else order.ends(program)
        self._strides = {} if order.strides is None else order.strides(program)
        self._whole = lcm(*(n for its in self._strides.values() for n in its.values()))
        self._ranks = {} if order.ranks is None else order.ranks(program)
        self._groups = {} if order.groups is None else order.groups(program)
        self._parties = {} if order.parties is None else order.parties(program)

    def arranged(self, d: Discrete, threads: Sequence[int], state: OrderState) -> list[int]:
        """The threads of a discrete part, the most preferred one first."""
        last = state.last
        places = {part.id: self._place(part) for part in d.threads}
        behind = places.get(last, (-1, 0, 0)) if self._order.turns else (-1, 0, 0)
        if not self._groups:
            party = {part.id: self._parties.get(part.template, 0) for part in d.threads}
            its = party.get(last)
            return sorted(
                threads,
                key=lambda t: (party[t], party[t] == its and places[t] <= behind, places[t]),
            )
        heads: dict[int, int] = {}
        for t in sorted(threads, key=lambda t: places[t]):
            heads.setdefault(places[t][0], t)
        first = behind[0]
        return sorted(
            threads, key=lambda t: (heads[places[t][0]] != t, places[t][0] <= first, places[t])
        )

    def _place(self, part: ThreadPart) -> tuple[int, int, int]:
        """Group, rank and number of a thread."""
        main = part.template == self._main
        sign = -1 if self._order.reverse and not main else 1
        rank = self._ranks.get(part.template, 0 if main else 1)
        return self._groups.get(part.template, 0), rank, sign * part.id

    def after(
        self, state: OrderState, d: Discrete, step: SymbolicStep, invisible: bool
    ) -> OrderState:
        """The state of the order after a step from a state with the discrete part `d`."""
        if not self._order.turns:
            return AS_AT_FIRST
        t, template = step.thread, d.thread(step.thread).template
        if self._ends is None:
            ended = not invisible
        else:
            ended = any(edge in self._ends[template] for edge in step.edges)
        if ended:
            its = self._strides.get(template, {})
            far = sum(its.get(edge, 0) for edge in step.edges) or self._whole
            done = far + (state.done if state.mover == t else 0)
            state = OrderState(t) if done >= self._whole else OrderState(state.last, t, done)
        return self.simplest(step.successor, state)

    def simplest(self, d: Discrete, state: OrderState) -> OrderState:
        """A state of the order that stands for all that order the unfinished threads alike: where
        all of them come behind, nobody does. A turn of who has finished is over."""
        left = [part for part in d.threads if part.location != DONE]
        if state.mover and all(part.id != state.mover for part in left):
            state = OrderState(state.mover)
        its = next((part for part in d.threads if part.id == state.last), None)
        if its is None:
            return state._replace(last=0)
        party, place = self._parties.get(its.template, 0), self._place(its)
        among = [part for part in left if self._parties.get(part.template, 0) == party]
        if self._groups:
            behind = [part for part in among if self._place(part)[0] <= place[0]]
        else:
            behind = [part for part in among if self._place(part) <= place]
        last = max(behind, key=self._place).id if 0 < len(behind) < len(among) else 0
        return state._replace(last=last)


def _back_edges(template: Template) -> frozenset[tuple[int, int]]:
    """The ends of rounds of the loops of a template."""
    return frozenset(back_edges(template, (template.entry,)))


def _outermost(template: Template) -> frozenset[tuple[int, int]]:
    """The back edges of loops that are inside of no other loop."""
    bodies = loop_bodies(template)
    heads = {
        head
        for head in bodies
        if not any(head in body for other, body in bodies.items() if other != head)
    }
    locations = template.locations
    return frozenset(
        (i, k) for i, k in _back_edges(template) if locations[i].edges[k].target in heads
    )


def all_loops(program: Program) -> LoopEdges:
    """The ends of rounds of all loops."""
    return {name: _back_edges(template) for name, template in program.templates.items()}


def outermost_loops(program: Program) -> LoopEdges:
    """The ends of rounds of loops that are inside of no other loop."""
    return {name: _outermost(template) for name, template in program.templates.items()}


def _loops(program: Program) -> bool:
    return any(all_loops(program).values())


def _nested_loops(program: Program) -> bool:
    return all_loops(program) != outermost_loops(program)


def _several(program: Program) -> bool:
    """Whether there are threads beside main that could come in another order."""
    count = instances(program)
    return sum(count[name] for name in program.templates if name != program.main) > 1


def _has_consumers(program: Program) -> bool:
    """Whether some threads read what others write, and the threads that are created last are not
    the ones that read most."""
    ranks = [rank for name, rank in consumers_first(program).items() if name != program.main]
    return len(set(ranks)) > 1


def _has_groups(program: Program) -> bool:
    """Whether some threads that conflict do not conflict with some other ones."""
    return _divides(program, groups(program))


def _has_parties(program: Program) -> bool:
    """Whether main compares results of some threads with one another, and not with those of other
    ones."""
    return _divides(program, parties(program))


def _has_sides(program: Program) -> bool:
    """Whether main compares results of some threads together with those of other ones, and they are
    no groups."""
    its = sides(program)
    return _divides(program, its) and its != groups(program)


def _divides(program: Program, numbers: Numbers) -> bool:
    """Whether threads beside main have several numbers, and some have one together."""
    its = [number for name, number in numbers.items() if name != program.main]
    return 1 < len(set(its)) < len(its)


ORDERS: Mapping[str, PreferenceOrder] = {
    order.name: order
    for order in (
        PreferenceOrder(
            "rounds of unrolled loops",
            turns=True,
            ends=all_loops,
            strides=strides,
            fits=unrolled,
        ),
        PreferenceOrder("rounds", turns=True, ends=all_loops, fits=_loops),
        PreferenceOrder(
            "rounds of one length",
            turns=True,
            ends=all_loops,
            strides=strides,
            fits=lambda p: bool(strides(p)) and not unrolled(p),
        ),
        PreferenceOrder(
            "rounds of parties",
            turns=True,
            ends=all_loops,
            parties=parties,
            fits=lambda p: _loops(p) and _has_parties(p),
        ),
        PreferenceOrder(
            "rounds of groups", turns=True, ends=all_loops, groups=groups, fits=_has_groups
        ),
        PreferenceOrder(
            "rounds of sides",
            turns=True,
            ends=all_loops,
            groups=sides,
            fits=lambda p: _loops(p) and _has_sides(p),
        ),
        PreferenceOrder("sequential"),
        PreferenceOrder("outermost rounds", turns=True, ends=outermost_loops, fits=_nested_loops),
        PreferenceOrder("consumers first", ranks=consumers_first, fits=_has_consumers),
        PreferenceOrder("steps", turns=True, fits=_several),
        PreferenceOrder("reverse", reverse=True, fits=_several),
        PreferenceOrder(
            "rounds, consumers first",
            turns=True,
            ends=all_loops,
            ranks=consumers_first,
            fits=lambda p: _loops(p) and _has_consumers(p),
        ),
    )
}
"""The orders that are tried, one after the other, of programs that they fit."""


def fitting(program: Program) -> list[PreferenceOrder]:
    """The orders that are tried of a program, by what it has: loops, nested ones, threads that read
    what others write, threads that do not conflict."""
    return [order for order in ORDERS.values() if order.fits(program)]
