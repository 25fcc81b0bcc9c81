"""The search without stored states, going on where another one has stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from abpress.reductions.stateless.node import ExecutionNode
from abpress.relations.happens_before import Event
from abpress.search.ledger import Found
from abpress.search.rest import NodeRest, Rest
from abpress.search.stateless import ExecutionSearch, ExploredExecutions
from abpress.search.statistics import ExecutionStatistics
from abpress.semantics.outcome import ConcreteStep, State


class ResumedSearch(ExecutionSearch):
    """A search of parts of the tree of executions, one after the other. Mutable."""

    def resume(self, rest: Rest) -> None:
        """Goes to where another search has stopped. Nothing on the way is counted."""
        self.begin()
        self.path.cut |= rest.cut
        for its in rest.nodes:
            self.take_in(its)
            if its.current is not None:
                self.go_on(its.current, its.is_left, its.is_taken)
        self.path.certain &= rest.certain
        rest.check(self.plain(self._nodes[-1].state))
        self._resumed = True

    def meet(self) -> None:
        """Looks at the races of the thread under way at the last node: another search has handed it
        over before it was begun."""
        node = self._nodes[-1]
        assert node.current is not None
        self._meet(node, node.current)

    def take_in(self, its: NodeRest) -> ExecutionNode:
        """Makes of the last node what another search has made of it."""
        node = self._nodes[-1]
        node.forget()
        node.sleep, node.done, node.plan = its.sleep, its.done, its.plan
        node.note_slept(its.slept)
        return node

    def go_on(
        self, thread: int, is_left: Callable[[ConcreteStep], bool], taken: Callable[..., bool]
    ) -> tuple[ConcreteStep, ...]:
        """Goes on from the last node by the thread's step that another search has taken, if there
        is one; returns those that are left."""
        node = self._nodes[-1]
        node.current = thread
        its = node.next_of(thread)
        node.past, node.races = self._execution.relate(thread, its.access)
        self._races.met(node, thread, known=True)
        plain = [s._replace(successor=self.plain(s.successor)) for s in its.steps]
        named = list(zip(its.steps, plain, strict=True))
        left = tuple(step for step, p in named if is_left(p))
        self._rest[-1] = iter(left)
        for step, p in named:
            if taken(p):
                self._descend(node, step)
        return left

    def go_back(self) -> None:
        """Goes back to where `go_on` was asked, or to the empty path."""
        self._nodes.pop()
        self._forecast.forget()
        self._back()

    def revisit(
        self,
        nodes: list[ExecutionNode],
        events: list[Event],
        left: Iterable[tuple[ConcreteStep, ...]] = (),
    ) -> None:
        """Goes to a node where it has been before: the last one of these, by these events. So many
        steps are `left` at the nodes."""
        for node, event, after in zip(nodes, events, nodes[1:], strict=False):
            self._push(node)
            self._execution.push(event)
            state, thread = after.state, event.thread
            self._bound.arrive(state, thread, thread in self._system.threads(state))
        last = nodes[-1]
        self._push(last)
        if last.current is not None:
            its = last.next_of(last.current)
            last.past, last.races = self._execution.relate(last.current, its.access)
            self._races.met(last, last.current, known=True)
        for k, steps in enumerate(left):
            self._rest[k] = iter(steps)
        self._resumed = True

    def take_over(self, done: ExecutionStatistics, found: Iterable[Found[State]]) -> None:
        """Adds what another search has done and found."""
        self._statistics.add(done)
        self.path.races += done.races
        if self._awaits is not None:
            self._awaits.met.update(dict.fromkeys(done.waiting_loops))
        self._ledger.take_over(found)

    def outcome(self) -> ExploredExecutions:
        """What has been explored so far."""
        return self._explored(exhausted=not self._nodes)

    def keep(self, k: int, steps: tuple[ConcreteStep, ...]) -> None:
        """Leaves these steps of the current thread to explore at the k-th node."""
        self._rest[k] = iter(steps)
