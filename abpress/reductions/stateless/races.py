"""Race reversals: each says when races are looked for, and what counts as one.

NOTE(whole-executions): races are looked at in executions that have ended, not when the later event
is met, since what reverses them needs all that does not happen after the earlier event; but for
those of NOTE(races-met).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abpress.reductions.stateless.algorithm import SearchPath, ThreadChoice
from abpress.reductions.stateless.node import ExecutionNode, ObservedNode, WatchedNode
from abpress.reductions.stateless.observed_races import observed_reversals
from abpress.reductions.stateless.reversal import AccessesMore, Reversals
from abpress.reductions.stateless.sequences import Item
from abpress.relations.footprint import Footprint, InternedFootprints
from abpress.relations.happens_before import Event
from abpress.relations.observed import ObservedExecution


class NoRaces:
    """Looks for no races: the choice of threads explores both orders of all steps anyway."""

    node = ExecutionNode

    def accesses(self) -> InternedFootprints:
        return InternedFootprints()

    def begin(self, path: SearchPath, choice: ThreadChoice) -> None:
        """Does nothing: no race is looked for."""

    def met(self, node: ExecutionNode, thread: int, known: bool = False) -> None:
        """Does nothing: no race is looked for before an execution has ended."""

    def ending(self, node: ExecutionNode, thread: int) -> None:
        """Does nothing: no race is looked for."""

    def ended(self, node: ExecutionNode) -> None:
        """Does nothing: no race is looked for."""

    def violated(self, event: Event) -> None:
        """Does nothing: no race is looked for."""

    def follow(self) -> Iterator[None]:
        """Nothing: no execution is known to follow a node."""
        return iter(())


class HappensBeforeRaces(NoRaces):
    """The races of happens-before ([ODPOR14]). Each event's were found when it was executed. What
    threads are left with races, too: with the end of the program, or because they wait."""

    _path: SearchPath
    _choice: ThreadChoice
    _reversals: Reversals

    def begin(self, path: SearchPath, choice: ThreadChoice) -> None:
        self._path = path
        self._choice = choice
        self._reversals = Reversals(path)

    def ending(self, node: ExecutionNode, thread: int) -> None:
        """Reverses the races of all others' next steps with the end of the program."""
        for other in node.threads:
            if other != thread:
                self._reverse_pending(node, other)

    def ended(self, node: ExecutionNode) -> None:
        self._reverse_all()
        waiting = [t for t in node.threads if not node.next_of(t).steps]
        for thread in waiting:
            self._reverse_pending(node, thread)

    def violated(self, event: Event) -> None:
        self._reverse_all()

    def _reverse_all(self) -> None:
        """Reverses the races of the events, also of a last one that violates a property."""
        for node in self._path.nodes:
            if node.races and node.current is not None:
                self._reverse(node.current, node.races)

    def _reverse_pending(self, node: ExecutionNode, thread: int) -> None:
        """Reverses the race of a next step with the program's end; if it waits, its races."""
        its = node.next_of(thread)
        if its.steps:
            self._choice.reverse(node, (Item(thread, its.access),))
        else:
            self._reverse(thread, self._path.execution.races_in_cut(thread, its.access, 0))

    def _reverse(
        self,
        thread: int,
        races: list[int],
        within: Footprint | None = None,
        known: bool = False,
    ) -> None:
        """Hands on what reverses the races of a step of the thread with these events, if that is
        not `known`. Raises AccessesMore where it would access what is no part of `within`."""
        if not races:
            return
        path = self._path
        path.races += 0 if known else len(races)
        for reversal in self._reversals.of(
            path.execution, path.nodes, thread, races, within=within
        ):
            if not known:
                self._choice.reverse(reversal.node, reversal.v)


class MetRaces(HappensBeforeRaces):
    """The same, each race when its later event is met, once for all executions that go on from
    there, where that is enough: NOTE(races-met)."""

    def met(self, node: ExecutionNode, thread: int, known: bool = False) -> None:
        if self._path.on_cut is not None:
            return  # NOTE(races-in-cuts) is about cuts of whole executions
        access, left = node.next_of(thread).access, []
        for e in node.races:
            try:
                self._reverse(thread, [e], access, known)
            except AccessesMore:
                left.append(e)
        node.races = left


class ObservedRaces(NoRaces):
    """The races of whole executions, in which an event may be observed late ([Observers18], as told
    in [ContextSensitive19], Algorithm 1 without what is blue, and Figure 1).

    With `observers` two writes race only if that is observed; exactly one execution is explored per
    class of the happens-before of `relations.observed`. Final states that differ only in what
    nobody reads any more are not told apart: in cells that several threads write blindly.
    Violations depend on what is read; of deadlocks it is known that there is one, and where its
    threads wait.

    NOTE(waiting): who waits has not read, so that of two orders of writes one may let a thread
    move, and the other not, although nobody observes them. [Observers18] assumes that this does not
    happen. So a cell that some thread has been seen to wait for is never written blindly
    (`footprint.InternedFootprints`), and the search begins again when that is noticed late.
    """

    _path: SearchPath
    _choice: ThreadChoice
    _reversals: Reversals
    _execution: ObservedExecution

    def __init__(self, observers: bool = True) -> None:
        self._observers = observers
        self.node = ObservedNode if observers else WatchedNode

    def accesses(self) -> InternedFootprints:
        return InternedFootprints(self._observers, whole=True)

    def begin(self, path: SearchPath, choice: ThreadChoice) -> None:
        self._path = path
        self._choice = choice
        self._reversals = Reversals(path)
        self._execution = ObservedExecution()

    def ended(self, node: ExecutionNode) -> None:
        self.reverse(self._path.execution.events, self._path.nodes)

    def violated(self, event: Event) -> None:
        self.reverse([*self._path.execution.events, event], self._path.nodes)

    def reverse(
        self, events: list[Event], nodes: Sequence[ExecutionNode], whole: bool = True
    ) -> None:
        """Looks at the races of an execution that has ended, as `observed_reversals`."""
        path, execution = self._path, self._execution
        execution.go(events, writes_ordered=not path.accesses.contested)
        for reversal in observed_reversals(self._reversals, execution, nodes, whole):
            path.races += 1
            self._choice.reverse(reversal.node, reversal.v)
