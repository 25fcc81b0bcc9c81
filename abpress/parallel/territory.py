"""The part of the tree of executions that a worker owns.

NOTE(parallel-branches): the branches of a node are ordered by when they are taken or planned, and
each has one owner. For a branch all before it count as explored (they sleep), be they done, under
way, or handed over. What is to be explored after a node is told to the node's owner, who walks
through the branches in their order. The first that covers the sequence decides:
- it is the one below which the sequence was found, or one before it: nothing is missing, for what
  is explored below a branch does not depend on those after it;
- it is planned: its wakeup tree takes in the rest of the sequence;
- somebody explores it, or has done so: the rest goes on to the node after it, unless that is
  *free*, entered without a wakeup sequence, where everything is explored that does not sleep.
  What was handed over has a *shadow*, the wakeup tree that it was taken with: what that has is not
  new. Nor is what has gone on before, exactly so.

An algorithm with source sets needs no such walk: who is in the set, or sleeps, is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abpress.parallel.estate import FROM_ABOVE, Branch, Estate, Spare
from abpress.parallel.messages import Address, LeaseName
from abpress.reductions.stateless.algorithm import SearchPath, ThreadChoice
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.optimal import OptimalDpor, Plan
from abpress.reductions.stateless.remembering import RememberingChoice
from abpress.reductions.stateless.sequences import Item, Items
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.relations.happens_before import Event
from abpress.search.resumed import ResumedSearch
from abpress.semantics.outcome import ConcreteStep

Send = Callable[[Estate, int, Items], None]
"""Tells the owner of a node of a sequence that was found below its branch of this number."""

GoOn = Callable[[LeaseName, Items], None]
"""Tells the owner of a lease of a sequence."""


def _as_alone(estate: Estate) -> bool:
    """Whether all branches of a node of the path sleep there, but for the current one: then what
    the algorithm does by itself is what `Territory` would have it do."""
    return estate.address is None and estate.current == len(estate.branches) - 1


class Territory:
    """A choice of threads that leaves others alone what is theirs. Made for one worker."""

    def __init__(self, choice: ThreadChoice, send: Send, go_on: GoOn) -> None:
        self._inner = choice
        self._algorithm = choice.inner if isinstance(choice, RememberingChoice) else choice
        # What is called at each event is made a local name first: Python looks the methods of
        # objects up in no time, but not the functions that they keep.
        self._enter, self._choose, self._leave = choice.enter, choice.choose, choice.leave
        self._reverse = choice.reverse
        self._send = send
        self._go_on = go_on
        self._estates: dict[ExecutionNode, Estate] = {}
        self._numbered: list[Estate] = []
        self._others: dict[Address, list[Branch]] = {}
        self._gone_on: set[tuple[LeaseName, Items]] = set()
        self.ready: list[Estate] = []
        """Nodes off the path with something to explore."""

    @property
    def choice(self) -> ThreadChoice:
        """The algorithm's own choice, without what it remembers."""
        return self._algorithm

    @property
    def estates(self) -> list[Estate]:
        """All estates, each behind its parent."""
        return list(self._estates.values())

    def found(self, node: ExecutionNode) -> Estate | None:
        """The estate of a node, if it is one."""
        return self._estates.get(node)

    def take_in(self, estate: Estate) -> None:
        """Notes an estate of another process, with its branches; its own ones come in the order of
        their numbers."""
        self._estates[estate.node] = estate
        if estate.address is None:
            self._numbered.append(estate)
            return
        known = self._others.setdefault(estate.address, [])
        for branch, its in zip(known, estate.branches, strict=False):
            branch.root = branch.root or its.root
            branch.below += its.below
        known += estate.branches[len(known) :]
        estate.branches = known

    # -- as a choice of threads -----------------------------------------------------------------

    def begin(self, path: SearchPath) -> None:
        """Notes the path."""
        self._path = path
        self._inner.begin(path)

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None) -> None:
        """As the algorithm; a node that sequences may come to is kept."""
        enter = self._enter
        enter(node, parent)
        if parent not in self._estates:
            return
        assert parent is not None
        above = self._estates[parent]
        branch = above.branches[above.current]
        if branch.shadow is not None:
            estate = self._claimed(node, above)
            estate.exposed = True
            branch.below.append(estate)

    def choose(self, node: ExecutionNode) -> int | None:
        """As the algorithm; nothing at a node of somebody else."""
        choose = self._choose
        if node not in self._estates:
            return choose(node)
        estate = self._estates[node]
        if estate.address is not None:
            return None
        thread = choose(node)
        if thread is not None:
            its = self._taken(estate, thread, estate.exposed or estate.open)
            estate.current = len(estate.branches)
            estate.branches.append(its)
        return thread

    def planned(self, node: ExecutionNode) -> int:
        """As the algorithm."""
        return self._inner.planned(node)

    def leave(self, node: ExecutionNode) -> None:
        """As the algorithm; the node may be come back to."""
        leave = self._leave
        leave(node)
        if node in self._estates:
            self._estates[node].on_path = False

    def reverse(self, node: ExecutionNode, v: Items) -> None:
        """Takes in a sequence that is to be explored from a node of the path."""
        reverse = self._reverse
        if node not in self._estates or _as_alone(self._estates[node]):
            reverse(node, v)
        else:
            estate = self._estates[node]
            self._insert(estate, v, estate.current)

    def statistics(self) -> dict[str, int]:
        """The algorithm's own numbers."""
        return self._inner.statistics()

    # -- sequences ------------------------------------------------------------------------------

    def insert(self, number: int, v: Items, after: int) -> None:
        """Takes in a sequence that was found elsewhere, from the node of this number."""
        self._insert(self._numbered[number], v, after)

    def go_on(self, root: Estate, v: Items) -> None:
        """Takes in what is left of a sequence after the branch at the root that was handed over."""
        self._pass_on(root, root.branches[root.current], v)

    def _insert(self, estate: Estate, v: Items, after: int) -> None:
        """Takes in a sequence that was found below the branch `after`, or comes from above."""
        node = estate.node
        if node.met:
            return  # what v begins is among what is known to follow
        if not isinstance(node.plan, Plan):
            self._add(estate, v)
            return
        certain = self._path.certain
        if after != FROM_ABOVE and self._before(estate, after)(v):
            return
        for branch in estate.branches[after + 1 :]:
            its = branch.first
            rest = node.without(v, its.thread, its.access if certain else None)
            if rest is not None:
                if rest and branch.shadow is not None:
                    self._meets(estate, branch, v, rest)
                return
        if estate.address is not None:
            self._tell(estate, v)
        else:
            assert isinstance(self._algorithm, OptimalDpor)
            if self._algorithm.insert(node, v):
                self._wake(estate)

    def _meets(self, estate: Estate, branch: Branch, v: Items, rest: Items) -> None:
        """A sequence meets a branch that somebody explores or has explored."""
        if estate.address is None:
            self._pass_on(estate, branch, rest)
        elif branch.root is not None:
            self._pass_on(branch.root, branch, rest)
        else:
            self._tell(estate, v)

    def _tell(self, estate: Estate, v: Items) -> None:
        """Tells the owner of a node of a sequence found below the current branch, once."""
        if v not in estate.sent:
            estate.sent.add(v)
            self._send(estate, estate.current, v)

    def _add(self, estate: Estate, v: Items) -> None:
        """As `_insert`, for backtrack sets."""
        if estate.address is not None:
            self._tell(estate, v)
            return
        planned = len(estate.node.plan)
        self._inner.reverse(estate.node, v)
        if len(estate.node.plan) > planned:
            self._wake(estate)

    def _pass_on(self, estate: Estate, branch: Branch, v: Items) -> None:
        """Passes a sequence on to whoever is below a branch that is taken."""
        if branch.lease is not None and branch.root is None:
            if branch.shadow is not None and not branch.shadow.has(v, estate.node.without):
                self._send_on(branch.lease, v)
            return
        if not branch.below:
            plan: Plan = estate.node.plan
            plan.below.insert(v, *self._how(estate.node))
        for its in branch.below:
            self._insert(its, v, FROM_ABOVE)

    def _send_on(self, lease: LeaseName, v: Items) -> None:
        if (lease, v) not in self._gone_on:
            self._gone_on.add((lease, v))
            self._go_on(lease, v)

    def _wake(self, estate: Estate) -> None:
        if not estate.on_path and not estate.queued:
            estate.queued = True
            self.ready.append(estate)

    def _how(self, node: ExecutionNode) -> tuple[bool, Callable[..., Items | None]]:
        return self._path.certain, node.without

    def _before(self, estate: Estate, after: int) -> Callable[[Items], bool]:
        """Says what is redundant below the branch of this number, because of what slept at the
        node or is explored by that branch or one before."""
        certain = self._path.certain
        branch, known, redundant = estate.before
        if (branch, known) != (after, certain):
            firsts = [branch.first for branch in estate.branches[: after + 1]]
            redundant = estate.node.redundant_below(firsts, certain)
            estate.before = after, certain, redundant
        return redundant

    # -- handing over ---------------------------------------------------------------------------

    def spare(self, search: ResumedSearch) -> Spare | None:
        """Takes the next branch off the shallowest node of the path that has one; None if there is
        none that others could explore.

        Not at the last node: the node after it is made with the sleep set that it has then. Where
        the current thread has steps left, below which the branch must not sleep, some of these.
        """
        nodes = self._path.nodes
        for k, node in enumerate(nodes[:-1]):
            steps = search.left(k)
            if steps:
                return self._some(search, k, steps)
            estate = self._estates.get(node)
            if (estate is not None and estate.address is not None) or not self._plans_more(node):
                continue
            current = node.current
            assert current is not None
            node.leave()
            thread = self._inner.choose(node)
            if thread is None:
                node.current = current
                continue
            path = self._claim_path(k)
            threads = [branch.first.thread for branch in path[-1].branches]
            path[-1].current = threads.index(current)
            branch = self._taken(path[-1], thread, exposed=True)
            node.current = thread
            return Spare(path, branch, current)
        return None

    def _some(self, search: ResumedSearch, k: int, steps: tuple[ConcreteStep, ...]) -> Spare:
        """Takes half of the steps that are left off the k-th node of the path."""
        path = self._claim_path(k)
        last, half = path[-1], len(steps) // 2
        search.keep(k, steps[:half])
        current = last.node.current
        assert current is not None
        threads = [branch.first.thread for branch in last.branches]
        last.current = threads.index(current)
        return Spare(path, last.branches[last.current], current, steps[half:])

    def given(self, spare: Spare, lease: LeaseName) -> None:
        """Notes that the branch has been handed over: it counts as explored."""
        for estate in spare.path:
            estate.open = True
        if spare.steps:
            assert spare.branch.shadow is None, "internal error: sequences come to one of two"
            return
        node = spare.path[-1].node
        node.leave()
        node.current = spare.current
        if isinstance(node.plan, Plan):
            if spare.branch.shadow is not None:
                spare.branch.shadow = node.plan.below
            node.plan.below = WakeupTree()
        spare.branch.lease = lease
        spare.path[-1].branches.append(spare.branch)

    def taken_over(
        self, places: Iterable[tuple[Address, list[Branch], int]], whole: bool
    ) -> Estate:
        """Notes the nodes of the path, all of somebody else: whose they are, their branches, and
        the current one. Returns the last of them, whose branch was taken over, maybe as a whole."""
        estate: Estate | None = None
        for node, (address, branches, current) in zip(self._path.nodes, places, strict=True):
            known = self._others.setdefault(address, [])
            known += branches[len(known) :]
            estate = self._linked(Estate(node, estate, -1, known, current, address=address))
        assert estate is not None, "internal error: a part of the tree without a root"
        if whole:
            estate.branches[estate.current].root = estate
        return estate

    def _plans_more(self, node: ExecutionNode) -> bool:
        if isinstance(node.plan, Plan):
            return bool(node.plan.tree.branches)
        gone = (node.current, *node.done)
        return any(t not in gone and t not in node.sleep for t in node.plan)

    def _claim_path(self, k: int) -> list[Estate]:
        """The first k + 1 nodes of the path, each with its branches."""
        found: list[Estate] = []
        for node in self._path.nodes[: k + 1]:
            estate = self._estates.get(node)
            if estate is None:
                estate = self._claimed(node, found[-1] if found else None)
            found.append(estate)
        return found

    def _claimed(self, node: ExecutionNode, parent: Estate | None) -> Estate:
        """A node of the path, from now on with its branches."""
        threads = list(dict.fromkeys(node.done))
        if node.current is not None and node.current not in threads:
            threads.append(node.current)
        branches = [Branch(Item(t, node.next_of(t).access)) for t in threads]
        estate = Estate(node, parent, len(self._numbered), branches, len(branches) - 1)
        self._numbered.append(estate)
        return self._linked(estate)

    def _linked(self, estate: Estate) -> Estate:
        """The estate of a node of the path, which knows from now on how the path leads there."""
        parent = estate.parent
        if parent is not None:
            estate.depth = parent.depth + 1
            estate.event = self._path.execution.events[estate.depth - 1]
            estate.races = parent.node.races
            estate.place = parent.current
        self._estates[estate.node] = estate
        if not estate.node.met:
            estate.node.forget()
        return estate

    def _taken(self, estate: Estate, thread: int, exposed: bool) -> Branch:
        """The branch of a thread that is chosen at the node."""
        node = estate.node
        branch = Branch(Item(thread, node.next_of(thread).access))
        planned = isinstance(node.plan, Plan) and node.plan.below.branches
        if exposed and planned and self._path.certain:
            branch.shadow = WakeupTree()
        return branch

    # -- going back -----------------------------------------------------------------------------

    def way_to(self, estate: Estate) -> tuple[list[ExecutionNode], list[Event]]:
        """The nodes on the way to a node that is come back to, and the events between them."""
        estate.queued = False
        estate.on_path = True
        nodes: list[ExecutionNode] = [estate.node]
        events: list[Event] = []
        while (parent := estate.parent) is not None:
            event = estate.event
            assert event is not None
            node = parent.node
            node.current, node.past, node.races = event.thread, event.past, estate.races
            parent.current, parent.on_path = estate.place, True
            nodes.append(node)
            events.append(event)
            estate = parent
        return nodes[::-1], events[::-1]
