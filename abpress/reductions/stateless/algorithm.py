"""The parts of an algorithm without stored states: a choice of threads and a race reversal.

A *choice of threads* says which threads are explored at a prefix of the current execution (all,
those of a backtrack set, those of a wakeup tree), a *race reversal* when races are looked for, what
counts as a race, and whether what follows a state is remembered. The search drives the two and does
not ask which ones they are: `table` composes them. The words are those of `sequences` and `node`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from abpress.reductions.next_steps import NextSteps
from abpress.reductions.stateless.node import ExecutionNode
from abpress.reductions.stateless.sequences import Items
from abpress.relations.footprint import InternedFootprints
from abpress.relations.happens_before import Event, Execution
from abpress.semantics.outcome import State
from abpress.semantics.protocols import Comparable


@dataclass(slots=True, eq=False)
class SearchPath:
    """The execution that a search is on. Mutable: the search moves on it.

    `nodes` are its prefixes, one more than `execution` has events. `races` counts those that were
    looked at. `certain`: no thread has had a choice so far, nor, if states are remembered, has been
    cut off at a bound. `cut`: some thread has been cut off; `unrolled`: that is because it comes
    back to a place too often. `tried` are the events of another execution, at the end of which a
    thread's next step is looked at: the reversal of a race. `on_cut` is told the state there.
    """

    system: Comparable
    look: NextSteps
    accesses: InternedFootprints
    unrolled: bool = False
    on_cut: Callable[[State], None] | None = None
    certain: bool = True
    cut: bool = False
    races: int = 0
    execution: Execution = field(default_factory=Execution)
    nodes: list[ExecutionNode] = field(default_factory=list)
    tried: Sequence[Event] | None = None


class ThreadChoice(Protocol):
    """Chooses threads at the nodes of the current execution. Made for one search."""

    def begin(self, path: SearchPath, /) -> None:
        """Is told that the search begins, maybe once more, on an empty path."""

    def enter(self, node: ExecutionNode, parent: ExecutionNode | None, /) -> None:
        """Is told of a new node, by a step of `parent.current`; plans what is explored there."""

    def choose(self, node: ExecutionNode, /) -> int | None:
        """The next thread to explore at the node; None when all that is needed is done."""

    def planned(self, node: ExecutionNode, /) -> int:
        """How many threads are to be explored at the node besides the current one, as far as that
        is known now."""

    @property
    def reverse(self) -> Callable[[ExecutionNode, Items], None]:
        """Takes a race that is to be reversed: v can be executed after the node, from which the
        search has gone on otherwise. At the end of v stands the later event of the race."""

    def leave(self, node: ExecutionNode, /) -> None:
        """Is told that the search goes back from the node, for good."""

    def statistics(self) -> dict[str, int]:
        """The choice's own numbers."""


class RaceReversal(Protocol):
    """Looks for races in executions, and hands what reverses them to the choice of threads. Made
    for one search."""

    @property
    def node(self) -> type[ExecutionNode]:
        """The class of the nodes of the search: what they take for redundant, and remember."""

    def accesses(self) -> InternedFootprints:
        """What makes the footprints of the search; nothing has been met yet."""

    def begin(self, path: SearchPath, choice: ThreadChoice, /) -> None:
        """Is told that the search begins, maybe once more; `choice` gets what reverses races."""

    def met(self, node: ExecutionNode, thread: int, /, known: bool = False) -> None:
        """Is told that the thread's next step is about to be explored; leaves of `node.races` those
        to be looked at when an execution has ended. `known`: another search has done the rest."""

    def ending(self, node: ExecutionNode, thread: int, /) -> None:
        """Is told that the thread's next step, about to be explored, ends the program."""

    def ended(self, node: ExecutionNode, /) -> None:
        """Is told that the execution ends at its last node, by no step."""

    def violated(self, event: Event, /) -> None:
        """Is told that the event after the last node ends the execution with a violation."""

    def follow(self) -> Iterator[None]:
        """Looks at the executions that are known to follow the last node, which is `met`: at one
        per turn."""


@dataclass(frozen=True, slots=True)
class StatelessAlgorithm:
    """An algorithm that searches without stored states. Made for one search."""

    choice: ThreadChoice
    races: RaceReversal
