"""The rest of a search without stored states: another process can go on with it.

A `Prefix` has the execution that the search is on, as a schedule in names, and per node what cannot
be found out by executing that again: what sleeps, what is done, which steps of the current thread
are left, and what the choice of threads plans (a backtrack set, or a wakeup tree). Of accesses the
keys are sent: those of later steps, and of sleepers whose step lies behind, cannot be looked up.
All is of frozen dataclasses, tuples, strings and numbers, and can be pickled.

The names are those of `semantics.names`; numbers may differ in the other process, and so may the
order in which threads are tried, which is that of their numbers. Then the same happens-before
classes are explored, but as many executions may not be blocked by sleep sets; `NameOrdered` tries
threads by name.

Not handed over: what is remembered of states (`reductions.stateless.remembering`). A record refers
to all that was explored below a state, which is most of the search; without the records, as many
executions would be explored as by the algorithm that does not remember.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from abpress.errors import AbPressError
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Property
from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode, ObservedNode
from abpress.reductions.stateless.optimal import Plan
from abpress.reductions.stateless.remembering import RememberingChoice
from abpress.reductions.stateless.sequences import Item
from abpress.reductions.stateless.sleepers import Sleeper
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.reductions.table import STATELESS
from abpress.relations.footprint import Footprint, InternedFootprints
from abpress.search.bounds import ExecutionBounds
from abpress.search.stateless import (
    ExploredExecutions,
    Hooks,
    NodeRest,
    Plain,
    Rest,
    explore_executions,
)
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames, Key
from abpress.semantics.outcome import ConcreteStep, State

_PLACE = re.compile(r"  @ .*")
"""The position at the end of a line of a program."""


class HandoverError(AbPressError):
    """A prefix cannot be sent, or is none of this program."""


@dataclass(frozen=True, slots=True)
class NamedFootprint:
    """What `InternedFootprints.of` makes an access of."""

    thread: str
    reads: tuple[Key, ...]
    writes: tuple[Key, ...]
    ends: bool
    certain: bool


@dataclass(frozen=True, slots=True)
class NamedSleeper:
    """A `Sleeper`."""

    access: NamedFootprint
    overwritten: tuple[Key, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class NamedTree:
    """A `WakeupTree`; a branch is its first item and what is below."""

    certain: bool
    branches: tuple[tuple[NamedFootprint, NamedTree], ...]


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A step of a thread. What choices mean may depend on numbers (whom a signal wakes): of a step
    with choices, `leads_to` is a hash of the canonical state after it, by which it is found."""

    choices: tuple[int, ...]
    leads_to: str


@dataclass(frozen=True, slots=True)
class NamedNode:
    """What is left at a node, as in `NodeRest`. `plan` is a backtrack set, or a wakeup tree and
    what belongs below the current thread. `taken` is None at the last node."""

    sleep: tuple[NamedFootprint, ...]
    slept: tuple[NamedSleeper, ...]
    done: tuple[str, ...]
    plan: tuple[str, ...] | tuple[NamedTree, NamedTree]
    current: str | None
    left: tuple[NamedStep, ...]
    taken: NamedStep | None


@dataclass(frozen=True, slots=True)
class Prefix:
    """The rest of a search by an algorithm.

    `program` and `state` are hashes of the program and of the canonical state at the last node.
    `certain` and `cut` are as of `SearchPath`; `blind` (each with a thread), `waited` and
    `contested` are keys as of `InternedFootprints`, with observers.
    """

    algorithm: str
    program: str
    nodes: tuple[NamedNode, ...]
    state: str
    certain: bool
    cut: bool
    blind: tuple[tuple[Key, str], ...] = ()
    waited: tuple[Key, ...] = ()
    contested: tuple[Key, ...] = ()

    @property
    def schedule(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The execution that leads to the last node: per step its thread and choices."""
        return tuple((n.current or "", n.taken.choices) for n in self.nodes if n.taken is not None)


class NameOrdered(Interpreter):
    """An interpreter that tries threads in the order of their names, the same in each process."""

    def threads(self, s: State) -> tuple[int, ...]:
        """The unfinished threads, by name."""
        return tuple(sorted(super().threads(s), key=self._rank))

    @functools.cached_property
    def _rank(self) -> Callable[[int], tuple[int, ...]]:
        @functools.cache
        def rank(thread: int) -> tuple[int, ...]:
            return tuple(int(n) for n in self.views.thread_name(thread).split(".")[1:])

        return rank


def canonical(system: Interpreter, state: State) -> tuple[Any, ...]:
    """The state in names: equal for the same states in different processes."""
    return CanonicalNames(system.context).state(state)


def capture(
    system: Interpreter,
    algorithm: str,
    path: SearchPath,
    left: list[tuple[ConcreteStep, ...]],
    plain: Plain,
) -> Prefix:
    """The rest of a search by the algorithm, from what `Hooks.on_stop` is told."""
    if isinstance(STATELESS[algorithm].make().choice, RememberingChoice):
        raise HandoverError(f"{algorithm} remembers states, which are not handed over")
    names = CanonicalNames(system.context)
    sending = _Sending(names, path.accesses, plain)
    after = zip(path.execution.events, path.nodes[1:], strict=True)
    taken = [ConcreteStep(e.thread, e.choices, node.state, None) for e, node in after]
    nodes = zip(path.nodes, left, (*taken, None), strict=True)
    return Prefix(
        algorithm,
        _program_hash(system.program),
        tuple(sending.node(*node) for node in nodes),
        _state_hash(names, plain(path.nodes[-1].state)),
        path.certain,
        path.cut,
        tuple((names.key(k), names.thread(t)) for k, t in path.accesses.written_blindly.items()),
        sending.keys(sorted(path.accesses.waited_for)),
        sending.keys(sorted(path.accesses.contested)),
    )


def resume(
    system: Interpreter,
    prefix: Prefix,
    property: Property,
    *,
    keep_going: bool = False,
    bounds: ExecutionBounds | None = None,
    hooks: Hooks | None = None,
) -> ExploredExecutions:
    """Explores the rest of a search. Executions, events and races are those of the rest alone;
    so are the choice's own numbers."""
    if prefix.program != _program_hash(system.program):
        raise HandoverError("the prefix is one of another program")
    receiving = _Receiving(CanonicalNames(system.context), prefix)
    algorithm = STATELESS[prefix.algorithm].make()
    return explore_executions(
        system,
        algorithm,
        property,
        keep_going=keep_going,
        bounds=bounds,
        hooks=hooks,
        rest=receiving.rest,
    )


def _program_hash(program: Program) -> str:
    """A hash of the program without the names of its files."""
    lines = format_program(program).splitlines()
    text = "\n".join(_PLACE.sub("", line) for line in lines if not line.startswith("file "))
    return hashlib.sha256(text.encode()).hexdigest()


def _state_hash(names: CanonicalNames, state: State) -> str:
    return hashlib.sha256(repr(names.state(state)).encode()).hexdigest()


def _step_hash(names: CanonicalNames, step: ConcreteStep) -> str:
    """A hash of where the step leads; empty if it has no choices."""
    if not step.choices:
        return ""
    if step.violation is not None:
        return f"{step.violation.property}: {step.violation.message}"
    return _state_hash(names, step.successor)


class _Sending:
    """From numbers to names."""

    def __init__(self, names: CanonicalNames, accesses: InternedFootprints, plain: Plain) -> None:
        self._names = names
        self._made = accesses.made()
        self._accesses = accesses
        self._plain = plain

    def keys(self, keys: Iterable[int]) -> tuple[Key, ...]:
        return tuple(self._names.key(key) for key in keys)

    def threads(self, threads: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._names.thread(thread) for thread in threads)

    def access(self, access: Footprint) -> NamedFootprint:
        thread, reads, writes, ends, certain = self._made[access]
        name = self._names.thread(thread)
        return NamedFootprint(name, self.keys(reads), self.keys(writes), ends, certain)

    def sleeper(self, sleeper: Sleeper) -> NamedSleeper:
        overwritten = self.keys(self._accesses.members(sleeper.overwritten))
        return NamedSleeper(self.access(sleeper.access), overwritten, sleeper.over)

    def tree(self, tree: WakeupTree) -> NamedTree:
        branches = ((self.access(item.access), self.tree(below)) for item, below in tree.branches)
        return NamedTree(tree.certain, tuple(branches))

    def step(self, step: ConcreteStep) -> NamedStep:
        plain = step._replace(successor=self._plain(step.successor))
        return NamedStep(step.choices, _step_hash(self._names, plain))

    def node(
        self, node: ExecutionNode, left: tuple[ConcreteStep, ...], taken: ConcreteStep | None
    ) -> NamedNode:
        plan: tuple[str, ...] | tuple[NamedTree, NamedTree]
        if isinstance(node.plan, Plan):
            plan = self.tree(node.plan.tree), self.tree(node.plan.below)
        else:
            plan = self.threads(node.plan)
        return NamedNode(
            tuple(self.access(access) for access in node.sleep.values()),
            tuple(map(self.sleeper, node.slept)) if isinstance(node, ObservedNode) else (),
            self.threads(node.done),
            plan,
            None if node.current is None else self._names.thread(node.current),
            tuple(map(self.step, left)),
            None if taken is None else self.step(taken),
        )


class _Receiving:
    """From names to numbers."""

    def __init__(self, names: CanonicalNames, prefix: Prefix) -> None:
        self._names = names
        self._prefix = prefix

    def rest(self, accesses: InternedFootprints) -> Rest:
        """Where the other search has stopped."""
        prefix, names = self._prefix, self._names
        accesses.learn(
            {names.key_number(key): names.thread_number(t) for key, t in prefix.blind},
            self._keys(prefix.waited),
            self._keys(prefix.contested),
        )
        nodes: list[NodeRest] = []
        for node in prefix.nodes:
            nodes.append(self._node(accesses, node, nodes[-1] if nodes else None))
        return Rest(tuple(nodes), prefix.certain, prefix.cut, self._check)

    def _check(self, state: State) -> None:
        if _state_hash(self._names, state) != self._prefix.state:
            raise HandoverError("the schedule of the prefix leads to another state here")

    def _among(self, sent: tuple[NamedStep, ...]) -> Callable[[ConcreteStep], bool]:
        """Whether a step of the thread is one of these."""
        wanted = {step.leads_to for step in sent}
        return lambda step: bool(wanted) and _step_hash(self._names, step) in wanted

    def _keys(self, keys: Iterable[Key]) -> tuple[int, ...]:
        return tuple(self._names.key_number(key) for key in keys)

    def _threads(self, names: Iterable[str]) -> list[int]:
        return [self._names.thread_number(name) for name in names]

    def _access(self, accesses: InternedFootprints, sent: NamedFootprint) -> Item:
        thread = self._names.thread_number(sent.thread)
        reads, writes = self._keys(sent.reads), self._keys(sent.writes)
        return Item(thread, accesses.of(thread, reads, writes, sent.ends, sent.certain))

    def _sleeper(self, accesses: InternedFootprints, sent: NamedSleeper) -> Sleeper:
        overwritten = accesses.bits(self._keys(sent.overwritten))
        return Sleeper(*self._access(accesses, sent.access), overwritten, sent.over)

    def _tree(self, accesses: InternedFootprints, sent: NamedTree) -> WakeupTree:
        branches = ((self._access(accesses, i), self._tree(accesses, b)) for i, b in sent.branches)
        return WakeupTree(sent.certain, list(branches))

    def _node(
        self, accesses: InternedFootprints, sent: NamedNode, parent: NodeRest | None
    ) -> NodeRest:
        plan: Plan | list[int]
        match sent.plan:
            case (NamedTree() as tree, NamedTree() as below):
                mine = self._tree(accesses, tree)
                if parent is not None and self._prefix.certain:
                    mine = parent.plan.below  # one tree, of which both know
                plan = Plan(mine, self._tree(accesses, below))
            case _:
                plan = self._threads(str(name) for name in sent.plan)
        return NodeRest(
            dict(self._access(accesses, access) for access in sent.sleep),
            tuple(self._sleeper(accesses, sleeper) for sleeper in sent.slept),
            self._threads(sent.done),
            plan,
            None if sent.current is None else self._names.thread_number(sent.current),
            self._among(sent.left),
            self._among(() if sent.taken is None else (sent.taken,)),
        )
