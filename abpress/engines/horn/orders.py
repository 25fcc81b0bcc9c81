"""Preference orders: in which order the threads of a node are tried, NOTE(preference-order).

Of the executions that differ in the order of independent steps only, the search of an order keeps
one: the least. Which one that is decides how simple the invariants are ([Reductions20]): of two
threads that count, in lockstep they are `i == j`. The order may depend on a state that the steps
change; the places are multiplied by its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from abpress.analysis.flow import back_edges
from abpress.analysis.visibility import instances
from abpress.engines.horn.roles import consumers_first, groups, parties, sides
from abpress.ir.program import Program, Template
from abpress.semantics.context import DONE
from abpress.symbolic.discrete import Discrete, SymbolicStep, ThreadPart

LoopEdges = Mapping[str, frozenset[tuple[int, int]]]
"""Template -> (location, number) of edges at which a round of a loop ends."""


Numbers = Mapping[str, int]
"""Template -> a number."""


@dataclass(frozen=True, slots=True)
class PreferenceOrder:
    """An order of threads. Its state is the last thread that has had its turn; 0 at first, and
    wherever the order is the same as then.

    `turns`: whoever had the last turn comes last, and those behind it first; else threads come in
    the order of their ranks, and then of their numbers. `ends` says at which edges turns end (None:
    every step is one). `ranks` are those of templates, where they are not all the same. `reverse`
    turns the numbers around. With `groups`, of threads in one group the first one has all its
    turns, then the next one; with `parties`, those of one party come before those of the next one.
    Main comes first, unless it has had the last turn. `fits` says of which programs it is another
    order than those before it.
    """

    name: str
    turns: bool = False
    ends: Callable[[Program], LoopEdges] | None = None
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
        self._ranks = {} if order.ranks is None else order.ranks(program)
        self._groups = {} if order.groups is None else order.groups(program)
        self._parties = {} if order.parties is None else order.parties(program)

    def arranged(self, d: Discrete, threads: Sequence[int], last: int) -> list[int]:
        """The threads of a discrete part, the most preferred one first."""
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

    def after(self, last: int, d: Discrete, step: SymbolicStep, invisible: bool) -> int:
        """The state of the order after a step from a state with the discrete part `d`."""
        if not self._order.turns:
            return 0
        if self._ends is None:
            turn = last if invisible else step.thread
        else:
            ends = self._ends[d.thread(step.thread).template]
            turn = step.thread if any(edge in ends for edge in step.edges) else last
        return self.simplest(step.successor, turn)

    def simplest(self, d: Discrete, last: int) -> int:
        """A state of the order that stands for all that order the unfinished threads alike: where
        all of them come behind, nobody does."""
        left = [part for part in d.threads if part.location != DONE]
        its = next((part for part in d.threads if part.id == last), None)
        if its is None:
            return 0
        party, place = self._parties.get(its.template, 0), self._place(its)
        among = [part for part in left if self._parties.get(part.template, 0) == party]
        if self._groups:
            behind = [part for part in among if self._place(part)[0] <= place[0]]
        else:
            behind = [part for part in among if self._place(part) <= place]
        if len(behind) in (0, len(among)):
            return 0
        return max(behind, key=self._place).id


def _back_edges(template: Template) -> frozenset[tuple[int, int]]:
    """The ends of rounds of the loops of a template."""
    return frozenset(back_edges(template, (template.entry,)))


def _outermost(template: Template) -> frozenset[tuple[int, int]]:
    """The back edges of loops that are inside of no other loop."""
    locations = template.locations
    before: dict[int, set[int]] = {}
    for source, location in enumerate(locations):
        for edge in location.edges:
            before.setdefault(edge.target, set()).add(source)
    backs = _back_edges(template)
    bodies: dict[int, set[int]] = {}
    for source, k in backs:
        body = bodies.setdefault(locations[source].edges[k].target, set())
        body.add(locations[source].edges[k].target)
        todo = [source]
        while todo:
            at = todo.pop()
            if at not in body:
                body.add(at)
                todo += before.get(at, ())
    heads = {
        head
        for head in bodies
        if not any(head in body for other, body in bodies.items() if other != head)
    }
    return frozenset((i, k) for i, k in backs if locations[i].edges[k].target in heads)


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
        PreferenceOrder("rounds", turns=True, ends=all_loops, fits=_loops),
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
