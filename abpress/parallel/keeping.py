"""From a worker to its `KeptPart`, and back in another process: NOTE(resumed-search)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from abpress.parallel.estate import Branch, Estate
from abpress.parallel.findings import found_again, kept_findings
from abpress.parallel.messages import Address, LeaseName
from abpress.parallel.parts import (
    KeptBranch,
    KeptEstate,
    KeptPart,
    KeptPath,
    NamedWay,
)
from abpress.parallel.territory import Territory
from abpress.properties import Property
from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.optimal import OptimalDpor, Plan
from abpress.relations.happens_before import Event
from abpress.search.handover import HandoverError, named_node, node_rest
from abpress.search.named import Receiver, Sender
from abpress.search.resumed import ResumedSearch
from abpress.search.stateless import ExploredExecutions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep


@dataclass(slots=True)
class Pause:
    """An execution at which a search has stopped: its nodes, the events between them, and of the
    thread under way at each node the steps that are left. Mutable."""

    nodes: list[ExecutionNode]
    events: list[Event]
    left: list[tuple[ConcreteStep, ...]]
    races: list[list[int]]

    @classmethod
    def at(cls, path: SearchPath, left: list[tuple[ConcreteStep, ...]]) -> Pause:
        """Where a path is, with so many steps left."""
        races = [node.races for node in path.nodes[:-1]]
        return cls(list(path.nodes), list(path.execution.events), left, races)

    @classmethod
    def of(cls, search: ResumedSearch) -> Pause:
        """Where a search is."""
        return cls.at(search.path, [search.left(k) for k in range(len(search.path.nodes))])

    def go_on(self, search: ResumedSearch) -> None:
        """Brings a search there."""
        for node, event, races in zip(self.nodes, self.events, self.races, strict=False):
            node.current, node.past, node.races = event.thread, event.past, races
        search.revisit(self.nodes, self.events, self.left)


# -- to names -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Own:
    """What a worker has besides its search and its territory."""

    number: int
    roots: dict[LeaseName, Estate]
    pauses: Sequence[Pause]
    explored: ExploredExecutions | None


class PartMaker:
    """Makes parts of what a worker knows."""

    def __init__(self, system: Interpreter, sender: Sender, path: SearchPath) -> None:
        self._system = system
        self._sender = sender
        self._search_path = path

    def part(self, territory: Territory, own: Own) -> KeptPart:
        """What the worker knows; its leases and messages are still to be added."""
        estates = territory.estates
        at = {id(estate): k for k, estate in enumerate(estates)}
        path, accesses, sender = self._search_path, self._search_path.accesses, self._sender
        left = {
            id(node): steps
            for pause in own.pauses
            for node, steps in zip(pause.nodes, pause.left, strict=True)
        }
        told: set[Address] = set()
        kept = tuple(self._estate(own, estate, at, left, told) for estate in estates)
        explored = own.explored
        choice = territory.choice
        return KeptPart(
            tuple(sender.thread(t) for t in range(1, self._system.context.threads.count + 1)),
            kept,
            tuple(self._path(pause, territory, at) for pause in own.pauses),
            tuple(at[id(estate)] for estate in territory.ready),
            tuple((name, at[id(estate)]) for name, estate in own.roots.items()),
            (),
            (),
            0,
            path.certain,
            path.cut,
            sender.blind(),
            sender.keys(sorted(accesses.waited_for)),
            sender.keys(sorted(accesses.contested)),
            ExecutionStatistics() if explored is None else replace(explored.statistics, left=None),
            choice.counted if isinstance(choice, OptimalDpor) else (),
            () if explored is None else tuple(kept_findings(self._system, explored)),
            (),
        )

    def _estate(
        self,
        own: Own,
        estate: Estate,
        at: dict[int, int],
        left: dict[int, tuple[ConcreteStep, ...]],
        told: set[Address],
    ) -> KeptEstate:
        parent, event = estate.parent, estate.event
        way = self._way(
            None if parent is None else parent.node, event, estate.node, left.get(id(estate.node))
        )
        sender = self._sender
        branches = tuple(
            KeptBranch(
                sender.access(branch.first.access),
                None if branch.shadow is None else sender.tree(branch.shadow),
                tuple(at[id(its)] for its in branch.below),
                branch.lease,
                -1 if branch.root is None else at[id(branch.root)],
            )
            for branch in (() if estate.address in told else estate.branches)
        )
        if estate.address is not None:
            told.add(estate.address)
        return KeptEstate(
            way,
            -1 if parent is None else at[id(parent)],
            estate.address or Address(own.number, estate.number),
            estate.address is None,
            branches,
            estate.current,
            estate.place,
            estate.exposed,
            estate.open,
            estate.on_path,
            estate.queued,
        )

    def _way(
        self,
        parent: ExecutionNode | None,
        event: Event | None,
        node: ExecutionNode,
        left: tuple[ConcreteStep, ...] | None,
    ) -> NamedWay:
        """A node, and how it is reached from another one."""
        handed = (
            parent is not None
            and isinstance(node.plan, Plan)
            and node.plan.tree is parent.plan.below
        )
        named = named_node(self._sender, node, left or (), None)
        if handed and named.trees is not None:
            named = replace(named, trees=((True, ()), named.trees[1]))
        if event is None:
            return NamedWay(named, "", None, handed)
        step = ConcreteStep(event.thread, event.choices, node.state, None)
        return NamedWay(named, self._sender.thread(event.thread), self._sender.step(step), handed)

    def _path(self, pause: Pause, territory: Territory, at: dict[int, int]) -> KeptPath:
        known = [its for node in pause.nodes if (its := territory.found(node)) is not None]
        n = len(known)
        ways = tuple(
            self._way(
                pause.nodes[k - 1] if k else None,
                pause.events[k - 1] if k else None,
                pause.nodes[k],
                pause.left[k],
            )
            for k in range(n, len(pause.nodes))
        )
        state = self._sender.state(pause.nodes[-1].state)
        return KeptPath(at[id(known[-1])] if known else -1, ways, state)


# -- from names ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _NodeMade:
    """A node that was kept, the event that leads there, what that races with, and the steps that
    are left."""

    node: ExecutionNode
    event: Event | None
    races: list[int]
    left: tuple[ConcreteStep, ...]


class PartLoader:
    """Makes of parts what a worker knows. Mutable: the search walks through all that is kept."""

    def __init__(
        self,
        system: Interpreter,
        receiver: Receiver,
        search: ResumedSearch,
        territory: Territory,
        property: Property,
    ) -> None:
        self._system = system
        self._receiver = receiver
        self._search = search
        self._territory = territory
        self._property = property
        self.roots: dict[LeaseName, Estate] = {}
        self.pauses: list[Pause] = []

    def load(self, part: KeptPart) -> None:
        """Adds what a part knows. Raises HandoverError if it is of another program."""
        receiver, search, choice = self._receiver, self._search, self._territory.choice
        receiver.threads(part.threads)
        receiver.learn(part.blind, part.waited, part.contested)
        search.path.certain &= part.certain
        search.path.cut |= part.cut
        counted = choice.counted if isinstance(choice, OptimalDpor) else ()
        ways = [(estate.way, estate.parent) for estate in part.estates]
        ends = []
        for path in part.paths:
            last = path.last
            for way in path.nodes:
                ways.append((way, last))
                last = len(ways) - 1
            ends.append(last)
        made = self._walk(ways)
        self._link(part, made)
        for path, last in zip(part.paths, ends, strict=True):
            if self._receiver.state(self._search.plain(made[last].node.state)) != path.state:
                raise HandoverError("what is kept leads to another state here")
            self.pauses.append(_pause(made, ways, last))
        found = [found_again(self._system, self._property, its) for its in part.found]
        search.take_over(part.done, found)
        if isinstance(choice, OptimalDpor) and part.choice:
            a, b, c, d = (x + y for x, y in zip(counted, part.choice, strict=True))
            choice.counted = a, b, c, d

    def _walk(self, ways: list[tuple[NamedWay, int]]) -> list[_NodeMade]:
        """Goes to all nodes, each by its way from the one before; back in between."""
        behind: dict[int, list[int]] = {}
        for k, (_, parent) in enumerate(ways):
            behind.setdefault(parent, []).append(k)
        made: dict[int, _NodeMade] = {}
        trail: list[int] = []
        todo = behind.get(-1, [])[::-1]
        while todo:
            k = todo.pop()
            way, parent = ways[k]
            while trail and trail[-1] != parent:
                trail.pop()
                self._search.go_back()
            made[k] = self._go(way, made.get(parent))
            trail.append(k)
            todo += behind.get(k, [])[::-1]
        for _ in trail:
            self._search.go_back()
        for k, (way, _) in enumerate(ways):
            current = way.node.current
            made[k].node.current = None if current is None else self._receiver.thread(current)
        return [made[k] for k in range(len(ways))]

    def _go(self, way: NamedWay, parent: _NodeMade | None) -> _NodeMade:
        """Goes to a node by its way."""
        search, receiver, event = self._search, self._receiver, None
        nodes, sent, races = search.path.nodes, way.node, []
        if parent is None or way.step is None:
            search.begin()
        else:
            depth = len(nodes)
            taken = receiver.among((way.step,))
            search.go_on(receiver.thread(way.thread), receiver.among(()), taken)
            if len(nodes) != depth + 1:
                raise HandoverError("what is kept leads nowhere here")
            event, races = search.path.execution.events[-1], parent.node.races
        handed = parent.node.plan.below if parent is not None and way.handed else None
        node = search.take_in(node_rest(receiver, sent, handed))
        left: tuple[ConcreteStep, ...] = ()
        if sent.current is not None and sent.left:
            thread = receiver.thread(sent.current)
            left = search.go_on(thread, receiver.among(sent.left), receiver.among(()))
        return _NodeMade(node, event, races, left)

    def _link(self, part: KeptPart, made: Sequence[_NodeMade]) -> None:
        """Makes the estates, which know one another."""
        receiver = self._receiver
        estates: list[Estate] = []
        for kept, its in zip(part.estates, made, strict=False):
            parent = None if kept.parent < 0 else estates[kept.parent]
            number, address = (kept.address.node, None) if kept.own else (-1, kept.address)
            estate = Estate(
                its.node,
                parent,
                number,
                [],
                kept.current,
                its.event,
                0 if parent is None else parent.depth + 1,
                kept.place,
                address,
                kept.exposed,
                kept.open,
                kept.on_path,
                kept.queued,
                its.races,
            )
            estates.append(estate)
        for kept, estate in zip(part.estates, estates, strict=True):
            for branch in kept.branches:
                shadow = None if branch.shadow is None else receiver.tree(branch.shadow)
                below = [estates[k] for k in branch.below]
                first = receiver.access(branch.first)
                root = None if branch.root < 0 else estates[branch.root]
                loaded = Branch(first, shadow, below, branch.lease, root)
                estate.branches.append(loaded)
            self._territory.take_in(estate)
        self._territory.ready += [estates[k] for k in part.ready]
        self.roots |= {name: estates[k] for name, k in part.roots}


def _pause(made: Sequence[_NodeMade], ways: Sequence[tuple[NamedWay, int]], last: int) -> Pause:
    """The execution that ends with this node."""
    chain: list[_NodeMade] = []
    while last >= 0:
        chain.append(made[last])
        last = ways[last][1]
    chain.reverse()
    events = [its.event for its in chain[1:] if its.event is not None]
    return Pause(
        [its.node for its in chain],
        events,
        [its.left for its in chain],
        [its.races for its in chain[1:]],
    )
