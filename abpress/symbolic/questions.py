"""Questions that the paths of a step ask of the discrete part, and answers that are kept.

All paths of a step are a function of the thread's own part and of the answers to the questions that
are put to the discrete part while they are explored. Which question comes next depends on the
answers before it only. So what was found once is kept as a leaf of a decision tree: an inner node
is a question, a branch an answer.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar, cast

from abpress.semantics.context import DONE
from abpress.symbolic.discrete import Discrete, Known, ObjectRef

A = TypeVar("A", bound=Hashable)
A_co = TypeVar("A_co", bound=Hashable, covariant=True)
L = TypeVar("L")


class DiscreteQuestion(Protocol[A_co]):
    """What can be asked of a discrete part. Hashable; equal questions have equal answers."""

    def of(self, d: Discrete) -> A_co:
        """The answer of a discrete part."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a cell or register holds that exists; `"variable"` if it is not known."""

    name: str

    def of(self, d: Discrete) -> Known | Literal["variable"]:
        return d.values.get(self.name, "variable")


@dataclass(frozen=True, slots=True)
class Life:
    """The mortal object of a name, if it is alive."""

    name: str

    def of(self, d: Discrete) -> ObjectRef | None:
        return d.alive.get(self.name)


@dataclass(frozen=True, slots=True)
class Finished:
    """Whether a thread has finished; None if there is no such thread."""

    thread: int

    def of(self, d: Discrete) -> bool | None:
        for part in d.threads:
            if part.id == self.thread:
                return part.location == DONE
        return None


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of all threads, ascending."""

    def of(self, d: Discrete) -> tuple[int, ...]:
        return tuple([part.id for part in d.threads])


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Whether there are so many threads, finished ones included."""

    threads: int

    def of(self, d: Discrete) -> bool:
        return len(d.threads) >= self.threads


class Recorder:
    """Puts questions to a discrete part, and keeps them with their answers. Mutable.

    `asked` stand in the order in which they were asked first.
    """

    def __init__(self, d: Discrete) -> None:
        self._d = d
        self.asked: dict[DiscreteQuestion[Hashable], Hashable] = {}

    def ask(self, question: DiscreteQuestion[A]) -> A:
        """The answer of the discrete part."""
        if question not in self.asked:
            self.asked[question] = question.of(self._d)
        return cast(A, self.asked[question])


@dataclass(eq=False, slots=True)
class _Inner(Generic[L]):
    question: DiscreteQuestion[Hashable]
    branches: dict[Hashable, _Inner[L] | _Leaf[L]] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class _Leaf(Generic[L]):
    found: L


class DecisionTree(Generic[L]):
    """What was found, by the answers on which it depends. Mutable."""

    def __init__(self) -> None:
        self._top: dict[Hashable, _Inner[L] | _Leaf[L]] = {}  # of None: the root

    def find(self, d: Discrete) -> L | None:
        """What was added for a discrete part with these answers."""
        node = self._top.get(None)
        while isinstance(node, _Inner):
            node = node.branches.get(node.question.of(d))
        return None if node is None else node.found

    def add(self, recorder: Recorder, found: L) -> None:
        """Keeps what was found with the help of the recorder."""
        branches, answer = self._top, None
        for question, next in recorder.asked.items():
            node = branches.get(answer)
            if node is None:
                node = branches[answer] = _Inner(question)
            assert isinstance(node, _Inner) and node.question == question, "not a function"
            branches, answer = node.branches, next
        assert answer not in branches, "not a function"
        branches[answer] = _Leaf(found)
