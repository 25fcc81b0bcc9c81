"""The other orders in which C allows expressions to be evaluated, as choices in the graph.

Two parts of an evaluation (`abpress_frontend.lower.sequencing`) *depend* on each other if C leaves
their order open and it can be told apart: a call and what stands beside it access the same object,
one of them writing; other threads can influence or notice both; or one may end the execution
before the other one acts. An evaluation with such parts is replaced by the graph of all orders of
its parts, as far as they differ; all others stay as they are. In the new graph a location says
where each part is, so orders that have done the same meet again. Parts that are independent of all
that may come are not permuted: the parts that move from a location are a persistent set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from abpress.errors import NOWHERE
from abpress.ir.expr import TRUE
from abpress.ir.program import (
    AccessKind,
    Cut,
    Exit,
    Fail,
    Finish,
    GuardKind,
    Join,
    Spawn,
)
from abpress_frontend.lower.accesses import Access, accesses, may_alias
from abpress_frontend.lower.flow import region, within
from abpress_frontend.lower.graph import Draft, GraphBuilder
from abpress_frontend.lower.pointing import Pointing
from abpress_frontend.lower.sequencing import Evaluation, Kind, Part
from abpress_frontend.lower.sharing import Sharing
from abpress_frontend.lower.unsequenced import report_unsequenced

MOST_EDGES = 4_000
"""An evaluation whose orders would need more edges keeps the one from left to right, and no proof
holds for it."""

_DONE = -1

_EMPTY = Draft(0, TRUE, GuardKind.BRANCH, (), NOWHERE, AccessKind.PLAIN, 0)


def add_orders(
    graphs: Mapping[str, GraphBuilder],
    evaluations: Mapping[str, list[Evaluation]],
    points_to: Callable[[], Pointing],
    main: str,
) -> None:
    """Adds to the graphs of all templates what orders of evaluation there are, and reports
    unsequenced accesses of which the behaviour is undefined."""
    if not any(_is_open(e) for found in evaluations.values() for e in found):
        return
    sharing = Sharing(graphs, evaluations, points_to(), main)
    for name, graph in graphs.items():
        old = len(graph.out)
        found = [
            e
            for e in evaluations[name]
            if _is_open(e) and not report_unsequenced(name, graph, e, sharing.pointing, old)
        ]
        orders = _Orders(name, graph, sharing, old)
        for evaluation in evaluations[name]:
            orders.note_updates(evaluation)
        for evaluation in found:
            orders.add(evaluation)


def _is_open(evaluation: Evaluation) -> bool:
    """Whether C leaves the order of any two parts open."""
    before = evaluation.sequenced()
    return any(before[i].bit_count() < i for i in range(len(before)))


@dataclass(slots=True)
class _Traits:
    """What matters of a part: whether others may influence or notice it (as they may where it
    leaves an atomic block), whether it may `stop` the
    thread, whether it may violate a property; its accesses inside of calls, and all of them."""

    seen: bool = False
    noticed: bool = False
    stops: bool = False
    fails: bool = False
    inside: list[Access] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)


class _Orders:
    """Adds the orders of one template."""

    def __init__(self, name: str, graph: GraphBuilder, sharing: Sharing, old: int) -> None:
        self.name = name
        self.graph = graph
        self.sharing = sharing
        self.old = old
        self.edges = sum(map(len, graph.out))
        self.amid: set[int] = set()
        """Locations between the read and the write of a `++` or compound assignment."""

    def note_updates(self, evaluation: Evaluation) -> None:
        """Adds to `amid` what is there before there are other orders."""
        for update in evaluation.updates:
            for part in evaluation.parts[update.read + 1 : update.write + 1]:
                self.amid.add(part.start)

    def add(self, evaluation: Evaluation) -> None:
        """Replaces the graph of an evaluation by that of all its orders."""
        dependent = self._dependent(evaluation)
        if dependent is None:
            return
        lattice = _Lattice(self, evaluation, dependent)
        made = lattice.build(min(MOST_EDGES, self.graph.most_edges - self.edges))
        if made is None:
            what = f"an expression with too many orders of evaluation (--, {MOST_EDGES} actions)"
            cut = Draft(
                evaluation.start,
                TRUE,
                GuardKind.BRANCH,
                (Cut(what),),
                evaluation.position,
                AccessKind.PLAIN,
                0,
            )
            self.graph.out[evaluation.start].append(cut)
            self.edges += 1
            return
        self.edges += made

    # -- which parts depend on each other -----------------------------------------------------

    def _dependent(self, evaluation: Evaluation) -> list[set[int]] | None:
        """For each part those that depend on it; None if there are none."""
        before = evaluation.before()
        traits = [self._traits(evaluation, part) for part in evaluation.parts]
        leaves = self.sharing.locks.leaves(evaluation)
        atomic = leaves is not None and not any(leaves)
        for trait, left in zip(traits, leaves or (), strict=False):
            trait.seen |= left
        dependent: list[set[int]] = [set() for _ in traits]
        telling = [
            i
            for i, t in enumerate(traits)
            if t.accesses or t.seen or t.noticed or t.stops or t.fails
        ]
        for k, j in enumerate(telling):
            for i in telling[:k]:
                ordered = before[j] >> i & 1 or before[i] >> j & 1
                if not ordered and _depend(traits[i], traits[j], atomic):
                    dependent[i].add(j)
                    dependent[j].add(i)
        for update in evaluation.updates:  # a call that is not before the read is after the write
            held = set.union(*(dependent[i] for i in (*update.right, update.write)))
            for call in held - update.right:
                if not (before[call] >> update.read & 1 or before[update.read] >> call & 1):
                    dependent[update.read].add(call)
                    dependent[call].add(update.read)
        return dependent if any(dependent) else None

    def _traits(self, evaluation: Evaluation, part: Part) -> _Traits:
        traits = _Traits()
        if part.kind is Kind.READ:
            return traits
        order: dict[int, int] = {}
        for at in region(self.graph, part, self.old):
            order[at] = len(order)
        for at in order:
            called = part.kind is Kind.CALL or self.graph.calls[at] > evaluation.calls
            for draft in self.graph.out[at]:
                self._add(traits, draft, called)
                if not draft.ends and draft.target != part.end:
                    traits.stops |= not within(part, draft.target, self.old)
        traits.stops |= self._has_cycle(part, set(order))
        return traits

    def _add(self, traits: _Traits, draft: Draft, called: bool) -> None:
        traits.stops |= draft.kind is not GuardKind.BRANCH
        for effect in draft.effects:
            traits.stops |= isinstance(effect, Exit | Finish)
            traits.fails |= isinstance(effect, Fail)
            traits.noticed |= isinstance(effect, Spawn)
            traits.seen |= isinstance(effect, Join)
        if draft.facts is not None:
            traits.seen |= draft.facts.influenced
            traits.noticed |= draft.facts.noticed
            found = accesses(self.name, draft, self.sharing.pointing)
            traits.accesses += found
            if called:
                traits.inside += found

    def _has_cycle(self, part: Part, inside: set[int]) -> bool:
        """Whether the part has a cycle, and so may never end."""
        arriving = dict.fromkeys(inside, 0)
        for at in inside:
            for draft in self.graph.out[at]:
                if not draft.ends and draft.target in arriving:
                    arriving[draft.target] += 1
        todo = [at for at, count in arriving.items() if not count]
        removed = 0
        while todo:
            at = todo.pop()
            removed += 1
            for draft in self.graph.out[at]:
                if not draft.ends and draft.target in arriving:
                    arriving[draft.target] -= 1
                    if not arriving[draft.target]:
                        todo.append(draft.target)
        return removed < len(inside)


def _depend(a: _Traits, b: _Traits, atomic: bool) -> bool:
    """Whether the order of two parts can be told apart; within an atomic block, by nobody else."""
    if not atomic and (a.seen or a.noticed) and (b.seen or b.noticed):
        return True
    if (a.fails and b.stops) or (b.fails and a.stops):
        return True
    if not atomic and ((a.noticed and b.stops) or (b.noticed and a.stops)):
        return True
    return _conflict(a.inside, b.accesses) or _conflict(a.accesses, b.inside)


def _conflict(first: list[Access], second: list[Access]) -> bool:
    """Whether there are accesses to one object, one of them a write."""
    if not first or not second:
        return False
    written = {o for a in first if a.writes for o in a.objects}
    touched = {o for a in first for o in a.objects}
    return any(
        (touched if b.writes else written) & b.objects
        and any((a.writes or b.writes) and may_alias(a, b) for a in first)
        for b in second
    )


class _Lattice:
    """The graph of the orders of one evaluation. A location stands for where each part is: at a
    location of its own, or done."""

    def __init__(self, orders: _Orders, evaluation: Evaluation, dependent: list[set[int]]) -> None:
        self.orders = orders
        self.graph = orders.graph
        self.evaluation = evaluation
        self.dependent = dependent
        self.before = evaluation.before()
        self.parts = evaluation.parts
        self.tasks = [i for i, p in enumerate(self.parts) if p.kind is not Kind.READ]
        self.reads = sum(1 << i for i, p in enumerate(self.parts) if p.kind is Kind.READ)
        self.begin = [self._begin(p) for p in self.parts]
        self.locations: dict[tuple[int, ...], int] = {}

    def build(self, most: int) -> int | None:
        """Puts the graph in the place of the evaluation; returns how many edges it has, or None
        (and nothing has changed) if there are too many."""
        evaluation, size = self.evaluation, len(self.graph.out)
        initial = tuple(_DONE if p.kind is Kind.READ else p.start for p in self.parts)
        self.locations[initial] = evaluation.start
        edges: dict[int, list[Draft]] = {}
        todo, count = [initial], 0
        while todo:
            state = todo.pop()
            here: list[Draft] = []
            for i in self._moving(state):
                here += self._edges(state, i, todo)
            edges[self.locations[state]] = here
            count += len(here)
            if count > most:
                for table in (self.graph.out, self.graph.calls, self.graph.blocks):
                    del table[size:]
                self.orders.amid -= {at for at in self.orders.amid if at >= size}
                return None
        for at, found in edges.items():
            self.graph.out[at] = found
        return count

    def _begin(self, part: Part) -> list[Draft]:
        """The edges of a part that has not begun, without empty ones on the way."""
        at, seen = part.start, {part.start}
        while True:
            edges = self.graph.out[at]
            if len(edges) != 1 or edges[0] != replace(
                _EMPTY, target=edges[0].target, position=edges[0].position
            ):
                return list(edges)
            at = edges[0].target
            if at in seen or not within(part, at, self.orders.old):
                return list(edges)
            seen.add(at)

    def _out(self, state: tuple[int, ...], i: int) -> list[Draft]:
        """The edges of a part where it is."""
        at = state[i]
        return self.begin[i] if at == self.parts[i].start else self.graph.out[at]

    def _edges(self, state: tuple[int, ...], i: int, todo: list[tuple[int, ...]]) -> list[Draft]:
        """The edges by which part `i` moves."""
        part, found = self.parts[i], []
        for draft in self._out(state, i):
            if draft.ends:
                found.append(draft)
                continue
            if draft.target == part.end:
                position = _DONE
            elif within(part, draft.target, self.orders.old):
                position = draft.target
            else:
                found.append(draft)
                continue
            after = (*state[:i], position, *state[i + 1 :])
            found.append(replace(draft, target=self._location(after, todo)))
        return found

    def _location(self, state: tuple[int, ...], todo: list[tuple[int, ...]]) -> int:
        if state in self.locations:
            return self.locations[state]
        if all(position == _DONE for position in state) and self.evaluation.end is not None:
            return self.evaluation.end
        calls, blocks = self.evaluation.calls, self.evaluation.blocks
        for i in self.tasks:
            if self._started(state, i):
                calls = max(calls, self.graph.calls[state[i]])
                blocks = max(blocks, self.graph.blocks[state[i]])
        location = self.graph.more(calls, blocks)
        amid = (self._started(state, i) and state[i] in self.orders.amid for i in self.tasks)
        if self._amid(state, None) or any(amid):
            self.orders.amid.add(location)
        self.locations[state] = location
        todo.append(state)
        return location

    # -- which parts move ---------------------------------------------------------------------

    def _started(self, state: tuple[int, ...], i: int) -> bool:
        return state[i] not in (_DONE, self.parts[i].start)

    def _amid(self, state: tuple[int, ...], i: int | None) -> bool:
        """Whether a `++` or compound assignment has read and not written; not one whose right side
        part `i` belongs to."""
        return any(
            state[u.read] == _DONE
            and self.parts[u.read].kind is not Kind.READ
            and state[u.write] != _DONE
            and i not in u.right
            for u in self.evaluation.updates
        )

    def _enabled(self, state: tuple[int, ...], i: int) -> bool:
        if state[i] == _DONE or any(
            self.before[i] >> j & 1 and state[j] != _DONE for j in self.tasks
        ):
            return False
        return not (self._calls(state, i) and self._others_amid(state, i))

    def _others_amid(self, state: tuple[int, ...], i: int) -> bool:
        """Whether no call may begin in part `i` now."""
        inside = any(
            j != i and self._started(state, j) and state[j] in self.orders.amid for j in self.tasks
        )
        return inside or self._amid(state, i)

    def _calls(self, state: tuple[int, ...], i: int) -> bool:
        """Whether the part calls when it moves."""
        part, at = self.parts[i], state[i]
        if part.kind is Kind.CALL:
            return at == part.start
        if part.kind is not Kind.BRANCHING:
            return False
        calls = self.graph.calls
        return any(not d.ends and calls[d.target] > calls[at] for d in self._out(state, i))

    def _moving(self, state: tuple[int, ...]) -> list[int]:
        """The parts that move: a persistent set (Godefroid, 1996, algorithm 2)."""
        blocks = self.graph.blocks
        for i in self.tasks:
            if self._started(state, i) and blocks[state[i]] > self.evaluation.blocks:
                return [i]
        enabled = [i for i in self.tasks if self._enabled(state, i)]
        best = enabled
        for start in enabled:
            found = self._persistent(state, start, set(enabled))
            if len(found) < len(best):
                best = found
            if len(best) == 1:
                break
        return best

    def _persistent(self, state: tuple[int, ...], start: int, enabled: set[int]) -> list[int]:
        chosen, todo = {start}, [start]
        while todo:
            i = todo.pop()
            if i in enabled:
                more = {j for j in self.dependent[i] if state[j] != _DONE}
            else:
                more = self._enabling(state, i, enabled)
            todo += more - chosen
            chosen |= more
        return sorted(chosen & enabled)

    def _enabling(self, state: tuple[int, ...], i: int, enabled: set[int]) -> set[int]:
        """Enabled parts one of which moves before part `i`."""
        waited = {j for j in enabled if self.before[i] >> j & 1}
        return {min(waited)} if waited else enabled
