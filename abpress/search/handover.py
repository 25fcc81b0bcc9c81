"""The rest of a search without stored states: another process can go on with it.

A `Prefix` has the execution that the search is on, as a schedule in names, and per node what cannot
be found out by executing that again: what sleeps, what is done, which steps of the current thread
are left, and what the choice of threads plans (a backtrack set, or a wakeup tree).

All is in names, as in `search.named`; numbers may differ in the other process, and so may the
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
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from abpress.errors import AbPressError
from abpress.interpreter import without_cycle_collection
from abpress.ir.program import Program
from abpress.ir.text import format_program
from abpress.properties import Property
from abpress.reductions.stateless.algorithm import SearchPath
from abpress.reductions.stateless.node import ExecutionNode, ObservedNode
from abpress.reductions.stateless.optimal import Plan
from abpress.reductions.stateless.remembering import RememberingChoice
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.reductions.table import STATELESS
from abpress.search.bounds import ExecutionBounds
from abpress.search.named import (
    NamedFootprint,
    NamedSleeper,
    NamedStep,
    NamedTree,
    Receiver,
    Sender,
)
from abpress.search.rest import NodeRest, Plain, Rest, StaleRestError
from abpress.search.resumed import ResumedSearch
from abpress.search.stateless import ExploredExecutions, Hooks
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.names import CanonicalNames, Key
from abpress.semantics.outcome import ConcreteStep, State

_NOTHING: NamedTree = (True, ())
"""A wakeup tree without branches."""

_PLACE = re.compile(r"  @ .*")
"""The position at the end of a line of a program."""


class HandoverError(AbPressError):
    """A prefix cannot be sent, or is none of this program."""


@dataclass(frozen=True, slots=True)
class NamedNode:
    """What is left at a node, as in `NodeRest`. `plan` is a backtrack set; or `trees` are a wakeup
    tree and what belongs below the current thread. `taken` is None at the last node."""

    sleep: tuple[NamedFootprint, ...]
    slept: tuple[NamedSleeper, ...]
    done: tuple[str, ...]
    plan: tuple[str, ...]
    trees: tuple[NamedTree, NamedTree] | None
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
    sender = Sender(CanonicalNames(system.context), path.accesses, plain)
    return prefix_of(sender, algorithm, program_hash(system.program), path, left)


def prefix_of(
    sender: Sender,
    algorithm: str,
    program: str,
    path: SearchPath,
    left: list[tuple[ConcreteStep, ...]],
    plans: bool = True,
) -> Prefix:
    """What is left at the first nodes of the path, of a program with this hash: of the current
    thread of each of them these steps, and all that it plans; or only what belongs below the last
    one."""
    nodes = path.nodes[: len(left)]
    after = zip(path.execution.events, nodes[1:], strict=False)
    taken = [ConcreteStep(e.thread, e.choices, node.state, None) for e, node in after]
    accesses = path.accesses
    named = [named_node(sender, *it, plans) for it in zip(nodes, left, (*taken, None), strict=True)]
    last = nodes[-1].plan
    if not plans and isinstance(last, Plan):
        named[-1] = replace(named[-1], trees=(_NOTHING, sender.tree(last.below)))
    return Prefix(
        algorithm,
        program,
        tuple(named),
        sender.state(nodes[-1].state),
        path.certain,
        path.cut,
        sender.blind(),
        sender.keys(sorted(accesses.waited_for)),
        sender.keys(sorted(accesses.contested)),
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
    if prefix.program != program_hash(system.program):
        raise HandoverError("the prefix is one of another program")
    names = CanonicalNames(system.context)

    algorithm = STATELESS[prefix.algorithm].make()
    accesses = algorithm.races.accesses()
    bounds, hooks = bounds or ExecutionBounds(), hooks or Hooks()
    with without_cycle_collection():
        search = ResumedSearch(
            system, accesses, True, algorithm, property, keep_going, bounds, hooks, ()
        )
        search.resume(received(prefix, Receiver(names, accesses)))
        explored = search.run()
    if explored is None:
        raise StaleRestError("a thread waits for a cell that was written blindly")
    return explored


def program_hash(program: Program) -> str:
    """A hash of the program without the names of its files."""
    lines = format_program(program).splitlines()
    text = "\n".join(_PLACE.sub("", line) for line in lines if not line.startswith("file "))
    return hashlib.sha256(text.encode()).hexdigest()


def named_node(
    sender: Sender,
    node: ExecutionNode,
    left: tuple[ConcreteStep, ...],
    taken: ConcreteStep | None,
    plans: bool = True,
) -> NamedNode:
    """What is left at a node, for another process; with what it `plans` as a wakeup tree."""
    trees = None
    if isinstance(node.plan, Plan):
        trees = _NOTHING, _NOTHING
        if plans:
            trees = sender.tree(node.plan.tree), sender.tree(node.plan.below)
    return NamedNode(
        tuple(sender.access(access) for access in node.sleep.values()),
        tuple(map(sender.sleeper, node.slept)) if isinstance(node, ObservedNode) else (),
        sender.threads(node.done),
        () if trees is not None else sender.threads(node.plan),
        trees,
        None if node.current is None else sender.thread(node.current),
        tuple(map(sender.step, left)),
        None if taken is None else sender.step(taken),
    )


def received(prefix: Prefix, receiver: Receiver, one_tree: bool = True) -> Rest:
    """Where the other search has stopped, in numbers.

    `one_tree`: what a node hands down is what the next one plans, where threads have no choices.
    """

    def check(state: State) -> None:
        if receiver.state(state) != prefix.state:
            raise HandoverError("the schedule of the prefix leads to another state here")

    receiver.learn(prefix.blind, prefix.waited, prefix.contested)
    nodes: list[NodeRest] = []
    for node in prefix.nodes:
        handed = (
            nodes[-1].plan.below if nodes and node.trees and prefix.certain and one_tree else None
        )
        nodes.append(node_rest(receiver, node, handed))
    return Rest(tuple(nodes), prefix.certain, prefix.cut, check)


def node_rest(receiver: Receiver, sent: NamedNode, handed: WakeupTree | None) -> NodeRest:
    """What is left at a node; what it plans is the very tree that the node before hands down, if
    that is given."""
    plan: Plan | list[int] = receiver.threads(sent.plan)
    if sent.trees is not None:
        tree, below = sent.trees
        mine = receiver.tree(tree) if handed is None else handed
        plan = Plan(mine, receiver.tree(below))
    return NodeRest(
        dict(receiver.access(access) for access in sent.sleep),
        tuple(receiver.sleeper(sleeper) for sleeper in sent.slept),
        receiver.threads(sent.done),
        plan,
        None if sent.current is None else receiver.thread(sent.current),
        receiver.among(sent.left),
        receiver.among(() if sent.taken is None else (sent.taken,)),
    )
