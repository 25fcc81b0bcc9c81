"""One key for states that differ in which of several equal threads does what.

NOTE(symmetric-threads), with the proof. A search that keeps states by such a key explores one of
those that are the same but for a permutation of threads that are alike; the states on its path are
those of the program, so what it finds can be repeated as it is.

Legend: a *class* is the threads of one template that are alike; a *handle* the id of one of them
where `main` keeps it to join the thread; a *name* where a thread has noted its own id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from math import factorial, prod
from typing import Any

from abpress.analysis.alike import TellsApart, alike, cells_of
from abpress.analysis.control import Node
from abpress.reductions.choice import StatefulReduction, Visited
from abpress.reductions.entry import ReductionEntry
from abpress.reductions.static.none import NoReduction
from abpress.semantics.context import DONE, RUNNING
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.local_states import FIRST_REGISTER
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import ConcreteStep, State
from abpress.semantics.protocols import Step

_HANDLE, _NAME, _OWN = "handle", "name", "own"
"""What stands for the id of a thread of a class in keys, but for its class where it is a handle."""

_NO_CLASS = -1


def handle_of(its_class: int) -> Hashable:
    """What stands for the handle of a thread of a class in keys."""
    return _HANDLE, its_class


Thread = tuple[Any, ...]
"""The component of a thread in a state."""

Run = tuple[int, ...]
"""The threads that `main` joins one after the other, with nothing else between."""


class SymmetricStates:
    """The keys of the states of one system. Mutable: it remembers what it has met.

    Raises TellsApart where the threads of the program are not alike, also later, when that shows.
    """

    def __init__(self, system: Interpreter) -> None:
        self._system = system
        self._context = context = system.context
        self._alike = its = alike(context.facts)
        self._base, self._dynamic = context.base, context.dynamic
        self._handles = tuple(self._slots(its.handles))
        self._names = tuple(self._slots(its.names))
        self._handle_addresses = frozenset(self._addresses(its.handles))
        main = context.codes[context.program.main]
        self._joins = {
            main.first_pc + location: FIRST_REGISTER + main.frames[location].index(register)
            for location, register in its.joins.items()
        }
        self._between = frozenset(main.first_pc + location for location in its.between)
        self.classes = len(its.templates)
        self._registers: dict[int, tuple[tuple[int, bool], ...]] = {DONE: ()}
        self._class_of: dict[int, int] = {MAIN: _NO_CLASS}
        self._signatures: dict[Hashable, int] = {}
        self._runs: dict[Hashable, Run | None] = {}
        self._last: tuple[State, Hashable] | None = None
        self.stands_for = 0
        """How many states those are whose keys were met, with all permutations of their threads."""

    # -- what is known before -------------------------------------------------------------------

    @property
    def id_cells(self) -> tuple[tuple[int, bool], ...]:
        """The cells at fixed places in which there may be ids, in order, and whether as handles."""
        return tuple(
            sorted([*((k, True) for k in self._handles), *((k, False) for k in self._names)])
        )

    def joins_at(self, pc: int) -> bool:
        """Whether `main` stands before a join of a thread of a class."""
        return pc in self._joins

    def between_joins(self, pc: int) -> bool:
        """Whether `main` stands in the region of these joins."""
        return pc in self._between

    # -- keys -----------------------------------------------------------------------------------

    def key(self, s: State) -> Hashable:
        """Equal for states that are the same but for which thread of a class does what."""
        if self._last is None or self._last[0] is not s:
            self._last = s, self._made(s)
        return self._last[1]

    def count(self, s: State) -> None:
        """Takes in that a state was met whose key is new."""
        key = self.key(s)
        if key is s or not isinstance(key, tuple):
            self.stands_for += 1
            return
        ways = 1
        for signatures in key[-1]:
            same = prod(map(factorial, Counter(signatures).values()))
            ways *= factorial(len(signatures)) // same
        self.stands_for += ways

    def _made(self, s: State) -> Hashable:
        if s.__class__ is not tuple:
            raise TellsApart("states of many components")
        if s[self._dynamic + 1] != RUNNING:
            return s
        threads: tuple[Thread, ...] = s[self._base :]
        mine = self._classified(threads)
        joined: Run = ()
        if threads[0][1] in self._between:
            if not self._is_full(s):
                return s
            joined = self.joined(s) or ()
        cells = list(s[: self._dynamic])
        held: dict[int, int] = {}
        named: dict[int, list[Hashable]] = {}
        for k in self._handles:
            t = cells[k]
            if t in mine:
                cells[k] = handle_of(mine[t])
                held[t] = held.get(t, 0) + 1
        for k in self._names:
            t = cells[k]
            if t in mine:
                cells[k] = _NAME
                named.setdefault(t, []).append(k)
        others: list[Thread] = []
        members: list[Thread] = []
        marked = [self._marked(thread, mine, held, named) for thread in threads]
        self._look_at_handles(held, joined)
        for thread in marked:
            if thread is None:
                return s
            (members if thread[0] in mine else others).append(thread)
        sorts: list[list[int]] = [[] for _ in self._alike.templates]
        for thread in members:
            t = thread[0]
            signature = (mine[t], thread[1:], t in held, tuple(named.get(t, ())))
            number = self._signatures.setdefault(signature, len(self._signatures))
            sorts[mine[t]].append(number)
        equal = tuple(tuple(sorted(signatures)) for signatures in sorts)
        return "class", tuple(cells), s[self._dynamic], tuple(others), equal

    def _look_at_handles(self, held: dict[int, int], joined: Run) -> None:
        """At how often `main` holds the handles of threads that it does not join now."""
        if self._joins and any(n > 1 and t not in joined for t, n in held.items()):
            raise TellsApart("main holds the handle of a thread twice")

    def _classified(self, threads: Sequence[Thread]) -> dict[int, int]:
        """The threads of classes among these, with their classes."""
        found: dict[int, int] = {}
        for thread in threads:
            t, pc = thread[0], thread[1]
            known = self._class_of.get(t)
            if pc != DONE:
                its = self.class_at(pc)
                if known is None:
                    known = self._class_of[t] = its
                if known != its:
                    raise TellsApart("a name of threads with two functions")
            if known is None:
                raise TellsApart("a thread that was met when it had finished")
            if known != _NO_CLASS:
                found[t] = known
        return found

    def _marked(
        self,
        thread: Thread,
        mine: dict[int, int],
        held: dict[int, int],
        named: dict[int, list[Hashable]],
    ) -> Thread | None:
        """The thread without ids of classes; None if a thread of a class knows that of another."""
        its = self.ids_at(thread[1])
        if not its:
            return thread
        marked = list(thread)
        for k, handle in its:
            t = thread[k]
            if t not in mine:
                continue
            if handle:
                marked[k] = handle_of(mine[t])
                held[t] = held.get(t, 0) + 1
            elif thread[0] not in mine:
                marked[k] = _NAME
                named.setdefault(t, []).append((thread[0], k))
            elif t == thread[0]:
                marked[k] = _OWN
            else:
                return None
        return tuple(marked)

    # -- joins ----------------------------------------------------------------------------------

    def puts_off(self, s: State) -> bool:
        """Whether `main` stands before the first of joins of whole classes, and not all that it
        joins there have ended."""
        if s.__class__ is not tuple or s[self._dynamic + 1] != RUNNING:
            return False
        threads = s[self._base :]
        if threads[0][1] not in self._joins or not self._is_full(s):
            return False
        run = self.joined(s) or ()
        return any(thread[0] in run and thread[1] != DONE for thread in threads)

    def look_at(self, s: State, step: Step[State]) -> None:
        """At a step of the search: where `main` comes to joins, these have to be of whole
        classes."""
        if step.thread != MAIN or step.violation is not None:
            return
        after = step.successor
        if after.__class__ is not tuple or after[self._dynamic + 1] != RUNNING:
            return
        known = {thread[0] for thread in s[self._base :]}
        if step.choices and (self._held(after) & known) - self._held(s):
            raise TellsApart("an arbitrary value is taken for the handle of a thread")
        if after[self._base][1] not in self._between or s[self._base][1] in self._between:
            return
        if not self._is_full(after):
            raise TellsApart("main joins some of them only, or does more between its joins")

    def _held(self, s: State) -> set[int]:
        """The threads of classes of which `main` holds handles."""
        mine = self._classified(s[self._base :])
        main = s[self._base]
        its = [s[k] for k in self._handles]
        its += [main[k] for k, handle in self.ids_at(main[1]) if handle]
        return {t for t in its if t in mine}

    def _is_full(self, s: State) -> bool:
        """Whether the joins that are left to `main` are of whole classes."""
        run = self.joined(s)
        if run is None:
            return False
        mine = self._classified(s[self._base :])
        met = {mine[t] for t in run if t in mine}
        return all(t in run for t, its in mine.items() if its in met)

    def joined(self, s: State) -> Run | None:
        """The threads that `main` joins from a state of the region on; None if something else may
        happen."""
        threads = s[self._base :]
        handles = tuple([s[k] for k in self._handles])
        question = threads[0], handles, tuple([thread[0] for thread in threads])
        if question not in self._runs:
            self._runs[question] = self._executed(s)
        return self._runs[question]

    def _executed(self, s: State) -> Run | None:
        """The same, by executing `main` alone where all others have ended."""
        base = self._base
        ended = tuple((thread[0], DONE, 0) for thread in s[base + 1 :])
        names = {thread[0] for thread in ended}
        head, main = s[:base], s[base]
        run: list[int] = []
        met: set[Thread] = set()
        while main[1] in self._between:
            state = (*head, main, *ended)
            if main[1] in self._joins:
                t = main[self._joins[main[1]]]
                if t not in names or t in run:
                    return None
                run.append(t)
                if len(run) == len(names):
                    break
            elif main in met or not self._system.invisible(state, MAIN):
                return None
            met.add(main)
            recorded = self._system.repeat(state, MAIN)
            if recorded is None or recorded.writes or recorded.ends:
                return None
            if any(k > 0 and k not in self._handle_addresses for k in recorded.reads):
                return None
            step = recorded.steps[0]
            after = step.successor
            if step.violation is not None or (after[:base], after[base + 1 :]) != (head, ended):
                return None
            main = after[base]
        return tuple(run)

    # -- places ---------------------------------------------------------------------------------

    def class_at(self, pc: int) -> int:
        """The class of the threads at a location, from 0 on; -1 for none."""
        template = self._context.locate(pc)[0].template.name
        classes = self._alike.templates
        return classes.index(template) if template in classes else _NO_CLASS

    def ids_at(self, pc: int) -> tuple[tuple[int, bool], ...]:
        """Where in the component of a thread there may be ids, and whether as handles."""
        known = self._registers.get(pc)
        if known is not None:
            return known
        code, location = self._context.locate(pc)
        found = []
        for k, register in enumerate(code.frames[location]):
            node = code.template.name, register
            if node in self._alike.handles:
                found.append((FIRST_REGISTER + k, True))
            elif node in self._alike.names:
                found.append((FIRST_REGISTER + k, False))
        self._registers[pc] = tuple(found)
        return self._registers[pc]

    def _slots(self, nodes: frozenset[Node]) -> Iterator[int]:
        for info in self._context.objects.placed():
            assert info.slot is not None
            for k in cells_of(info.kin, info.layout, nodes):
                yield info.slot + k

    def _addresses(self, nodes: frozenset[Node]) -> Iterator[int]:
        for info in self._context.objects.placed():
            for k in cells_of(info.kin, info.layout, nodes):
                yield info.base + info.layout.cells[k].offset


class _PutsOff:
    """The system in which `main` does not join before it can join all."""

    def __init__(self, system: Interpreter, states: SymmetricStates) -> None:
        self._system = system
        self._states = states

    def threads(self, state: State) -> Sequence[int]:
        """The unfinished threads; `main` is not among them as long as its joins are put off."""
        threads = self._system.threads(state)
        return threads[1:] if self._states.puts_off(state) else threads

    def steps(self, state: State, thread: int) -> tuple[ConcreteStep, ...]:
        """The steps of the thread in the program."""
        return self._system.steps(state, thread)

    def invisible(self, state: State, thread: int) -> bool:
        """Whether others notice its next step."""
        return self._system.invisible(state, thread)


class SymmetricReduction(NoReduction[State]):
    """A reduction by the state alone, with joins put off; it looks at each step."""

    def __init__(self, system: Interpreter, entry: ReductionEntry[Any], states: SymmetricStates):
        super().__init__(system)
        self._program = system
        self._states = states
        self._reduction: StatefulReduction[State] = entry.make(_PutsOff(system, states))

    def expand(self, state: State, visited: Visited[State]) -> Iterator[Step[State]]:
        """The steps of a set of threads that suffices; of `main` alone where nobody else has one
        and its joins were put off."""
        self._states.count(state)
        found = False
        for step in self._reduction.expand(state, visited):
            found = True
            self._states.look_at(state, step)
            yield step
        self.thread_choices = self._reduction.thread_choices
        if not found and self._states.puts_off(state):
            for its in self._program.steps(state, MAIN):
                self._states.look_at(state, its)
                yield its

    def statistics(self) -> dict[str, int]:
        """How many states those that are stored are, with all permutations of their threads."""
        return {"symmetric_states": self._states.stands_for}
