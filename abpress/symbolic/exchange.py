"""Steps where threads that are alike count as one, up to their order: NOTE(symmetric-covers).

`main` joins the threads of a class in some order, which tells them apart. Here it does so only when
all that it joins have ended; then states that differ in which thread of a class does what, and in
which handle has whose id, have the same steps but for names.

Legend: a *class* is the threads of one template that are alike (`analysis.alike`); a *handle* is
where `main` keeps the id of a thread to join it, a *name* where somebody keeps the id of one to
compare it; *moves* say, for some threads of classes, which one each becomes: a permutation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from abpress.analysis.alike import TellsApart, alike
from abpress.analysis.control import Node
from abpress.analysis.points_to import Local, Static
from abpress.ir.expr import Const, Reg, Term, Variable, array_variables, walk
from abpress.ir.paths import reachable
from abpress.ir.program import Program, Spawn, edges
from abpress.logic.formula import TRUE, Formula, atoms, substitute
from abpress.semantics.context import DONE
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import Options
from abpress.symbolic.discrete import (
    PROGRAM_KEY,
    Access,
    Discrete,
    ObjectRef,
    SymbolicStep,
    ThreadPart,
    in_memory,
    life_key,
    owner_of,
    thread_key,
)
from abpress.symbolic.system import SymbolicSystem

Moves = Mapping[int, int]
"""What each thread becomes, of those that change; a permutation."""


def renamed(formula: Formula, threads: Mapping[str, str]) -> Formula:
    """The formula with the registers of some threads taken for those of others, by names."""
    values: dict[str, Term] = {}
    for atom in atoms(formula):
        if atom.expr is not None:
            found: list[Variable] = [e for e in walk(atom.expr) if isinstance(e, Reg)]
            for variable in (*found, *array_variables(atom.expr)):
                other = renamed_variable(variable, threads)
                if other is not variable:
                    values[variable.name] = other
    return substitute(formula, values)


def renamed_variable(v: Variable, threads: Mapping[str, str]) -> Variable:
    """The same of a variable; itself if it is no register of such a thread."""
    owner = owner_of(v.name)
    return replace(v, name=threads[owner] + v.name.removeprefix(owner)) if owner in threads else v


def inverse(moves: Moves) -> Moves:
    """The permutation that takes all back."""
    return {u: t for t, u in moves.items()}


def composed(first: Moves, then: Moves) -> Moves:
    """What comes of both, one after the other, without threads that stay what they are."""
    found = {t: then.get(first.get(t, t), first.get(t, t)) for t in (*first, *then)}
    return {t: u for t, u in found.items() if t != u}


def names_moved(system: SymbolicSystem, moves: Moves) -> Mapping[str, str]:
    """The names of threads that change, with what they become."""
    return {system.name(t): system.name(u) for t, u in moves.items()}


def bits_moved(pairs: Sequence[tuple[int, int]]) -> Callable[[int], int]:
    """What takes sets of bits to those in which the first bit of each pair has become the second;
    the pairs are a permutation."""
    every = sum(bit for bit, _ in pairs)

    def moved(bits: int) -> int:
        return bits & ~every | sum(to for bit, to in pairs if bits & bit)

    return moved


class SymmetricSystem(SymbolicSystem):
    """The steps of a program in which `main` joins threads of classes together.

    Raises TellsApart if no threads are alike, or others than `main` create some.
    """

    def __init__(
        self,
        program: Program,
        options: Options | None = None,
        interpreter: Interpreter | None = None,
        tracked: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(program, options, interpreter, tracked)
        self._alike = its = alike(self._context.facts)
        for name, template in program.templates.items():
            spawns = any(isinstance(f, Spawn) for _, e in edges(template) for f in e.effects)
            if spawns and name != program.main:
                raise TellsApart("a thread but main creates threads")
        main = program.templates[program.main]
        joins = its.joins.keys()
        if not joins <= self._context.codes[program.main].boundaries:
            raise TellsApart("a join begins no step")
        self._before_joins = frozenset(
            k for k in range(len(main.locations)) if not joins.isdisjoint(reachable(main, [k]))
        )
        self._cells = {
            cell: node in its.handles
            for node in sorted(its.handles | its.names, key=repr)
            for cell in self._cells_of(node)
        }
        handles = (cell for cell, is_handle in self._cells.items() if is_handle)
        self._read_by_joins = frozenset(handles)
        self._runs: dict[Discrete, tuple[int, ...] | None] = {}
        self._joined_together: dict[Discrete, tuple[int, ...]] = {}
        self._joining: dict[Discrete, tuple[SymbolicStep, ...]] = {}
        self._slot_names: dict[Discrete, Mapping[str, bool]] = {}

    def _cells_of(self, node: Node) -> Iterator[str]:
        """The names of the cells of objects in which there may be ids."""
        its, offset = node
        if isinstance(its, str):
            return
        ref: ObjectRef | None = None
        if isinstance(its, Static):
            ref = self._objects.static(its.name)
        elif isinstance(its, Local):
            ref = self._objects.local(MAIN, its.template, its.name)
        if ref is None or ref.array is not None:
            raise TellsApart("the id of a thread in an array whose elements are not told apart")
        for at, cell in ref.cells.items():
            if offset in (None, at):
                yield cell.name

    # -- joins ----------------------------------------------------------------------------------

    def steps(self, d: Discrete, t: int) -> tuple[SymbolicStep, ...]:
        """As of a system, but `main` joins none before it can join all."""
        found = super().steps(d, t)
        if t != MAIN or not self._is_before_join(d):
            return found
        if any(d.thread(u).location != DONE for u in self._together(d)):
            return ()
        if d not in self._joining:
            lives = self._lives(d)
            self._joining[d] = tuple(replace(s, reads=s.reads | lives) for s in found)
        return self._joining[d]

    def accesses(self, d: Discrete, t: int) -> tuple[Access, ...]:
        """As of a system, but a join of `main` reads the lives of all that are alike, too, and of
        all that it joins together."""
        found = super().accesses(d, t)
        if t != MAIN or not self._is_before_join(d):
            return found
        lives = self._lives(d)
        more = tuple(dict.fromkeys(Access(a.reads | lives, a.writes) for a in found))
        return self._accesses.setdefault(more, more)

    def _is_before_join(self, d: Discrete) -> bool:
        part = self._main(d)
        return part is not None and part.location in self._alike.joins

    def _lives(self, d: Discrete) -> frozenset[str]:
        threads = (*self.classes(d), *self._together(d))
        return frozenset(thread_key(self.name(t)) for t in threads)

    def failure(self, before: Discrete | None, d: Discrete) -> str:
        """Why a state with the discrete part `d` is one in which threads may be told apart, as far
        as joins go; empty if it is none. It depends on what `main` knows alone."""
        part = self._main(d)
        if part is None or part.location not in self._before_joins:
            return ""
        values, slots = d.values, self.slots(d)
        if any(handle and name not in values for name, handle in slots.items()):
            return "it is not known whose handle main has"
        if part.location in self._alike.between:
            was = None if before is None else self._main(before)
            inside = was is not None and was.location in self._alike.between
            if inside or self._is_full(d):
                return ""
            return "main joins some of them only, or does more between its joins"
        classes = self.classes(d)
        its = Counter(
            value.value
            for name, handle in slots.items()
            if handle and isinstance(value := values[name], Const) and value.value in classes
        )
        return "main holds the handle of a thread twice" if any(n > 1 for n in its.values()) else ""

    def _together(self, d: Discrete) -> tuple[int, ...]:
        """The threads that `main` joins together from where it stands; none if it does not."""
        if d not in self._joined_together:
            full = self._is_before_join(d) and self._is_full(d)
            self._joined_together[d] = (self._run(d) or ()) if full else ()
        return self._joined_together[d]

    def _is_full(self, d: Discrete) -> bool:
        """Whether the joins that are left to `main` are of whole classes."""
        run = self._run(d)
        if run is None:
            return False
        classes = self.classes(d)
        met = {classes[t] for t in run if t in classes}
        return all(t in run for t, its in classes.items() if its in met)

    def _run(self, d: Discrete) -> tuple[int, ...] | None:
        """The threads that `main` joins from here on; None if something else may happen."""
        if d not in self._runs:
            self._runs[d] = self._executed(d)
        return self._runs[d]

    def _executed(self, d: Discrete) -> tuple[int, ...] | None:
        """The same, by the steps of `main` alone where all others have ended."""
        others = tuple(part.id for part in d.threads if part.id != MAIN)
        at = self._alone(d)
        run: list[int] = []
        seen: set[Discrete] = set()
        while (part := self._main(at)) is not None and part.location in self._alike.between:
            if part.location in self._alike.joins:
                t = self._joined(at, part)
                if t not in others or t in run:
                    return None
                run.append(t)
                if len(run) == len(others):
                    break
            elif at in seen or not self.invisible(at, MAIN):
                return None
            seen.add(at)
            steps = super().steps(at, MAIN)
            if len(steps) != 1 or not self._is_silent(at, steps[0]):
                return None
            at = steps[0].successor
        return tuple(run)

    def _alone(self, d: Discrete) -> Discrete:
        """The discrete part where all threads but `main` have ended."""
        parts, gone = [], set[str]()
        for part in d.threads:
            if part.id != MAIN:
                gone.update(key for key, _, _ in self._objects.registers(part))
                part = ThreadPart(part.id, part.template, DONE)
            parts.append(part)
        known = tuple((name, value) for name, value in d.known if name not in gone)
        return self._objects.interned(Discrete(tuple(parts), known, d.objects))

    def _joined(self, d: Discrete, main: ThreadPart) -> int:
        """The thread that `main` joins next, by its handle; 0 if that is not known."""
        register = self._alike.joins[main.location]
        for key, name, _ in self._objects.registers(main):
            if name == register and isinstance(value := d.values.get(key), Const):
                return value.value
        return 0

    def _is_silent(self, d: Discrete, step: SymbolicStep) -> bool:
        """Whether a step of `main` is the only one, whatever variables are, and nobody sees it."""
        if step.violation is not None or step.fault is not None or step.writes:
            return False
        if step.inputs or step.arrays or any(f is not TRUE for f in step.guard):
            return False
        if step.successor.status is not None or self.overflows(d, MAIN):
            return False
        lives = life_key(""), thread_key("")
        known = self._read_by_joins | {PROGRAM_KEY}
        return all(key in known or key.startswith(lives) for key in step.reads)

    # -- permutations ---------------------------------------------------------------------------

    def _main(self, d: Discrete) -> ThreadPart | None:
        found = next((part for part in d.threads if part.id == MAIN), None)
        return None if found is None or found.location == DONE else found

    def classes(self, d: Discrete) -> Mapping[int, str]:
        """The threads of classes, each with its template."""
        its = self._alike.templates
        return {part.id: part.template for part in d.threads if part.template in its}

    def joins_some(self, d: Discrete) -> bool:
        """Whether `main` is between its joins, and those that are left are not of whole classes."""
        main = self._main(d)
        return main is not None and main.location in self._alike.between and not self._is_full(d)

    def is_alike(self, t: int) -> bool:
        """Whether a thread may be one of a class, for all that is known of it without a place."""
        return t != MAIN

    def slots(self, d: Discrete) -> Mapping[str, bool]:
        """The names of what may have ids, and whether as handles."""
        found = self._slot_names.get(d)
        if found is not None:
            return found
        constants, alive = self._constants, d.alive
        slots = {}
        for cell, handle in self._cells.items():
            owner = cell.partition("@")[0]
            if cell in self._objects.constants or cell in constants:
                continue
            if self._objects.static(owner) is not None or owner in alive:
                slots[cell] = handle
        for part in d.threads:
            for key, name, _ in self._objects.registers(part):
                node = part.template, name
                if node in self._alike.handles or node in self._alike.names:
                    slots[key] = node in self._alike.handles
        self._slot_names[d] = slots
        return slots

    def why_not(self, d: Discrete, other: Discrete, moves: Moves) -> str:
        """Why the moves do not take states with the discrete part `d` to those with the other one,
        but for which handle has whose id; empty if they do."""
        classes = self.classes(d)
        if set(moves) != set(moves.values()):
            return "no permutation"
        if any(classes.get(t, "") != classes.get(u) for t, u in moves.items()):
            return "threads that are not alike"
        if d.status is not None or other.status is not None or d.objects != other.objects:
            return "another place"
        if self.joins_some(d) or self.joins_some(other):
            return "main joins some of them only"
        parts = sorted(part._replace(id=moves.get(part.id, part.id)) for part in d.threads)
        if tuple(parts) != other.threads:
            return "threads elsewhere"
        image, known = self._moved(d, moves), self._moved(other, {})
        if image is None or known is None:
            return "it is not known whose ids are where"
        return "" if image == known else "other contents"

    def _moved(self, d: Discrete, moves: Moves) -> Mapping[str, Hashable] | None:
        """What is known where threads have moved, with the classes of handles; None if ids are not
        known."""
        slots, classes, values = self.slots(d), self.classes(d), d.values
        if any(name not in values for name in slots):
            return None
        names = names_moved(self, moves)
        found: dict[str, Hashable] = {}
        for name, value in d.known:
            owner = owner_of(name)
            to = name
            if owner in names and not in_memory(name):
                to = names[owner] + name.removeprefix(owner)
            content: Hashable = value
            if name in slots and isinstance(value, Const) and value.value in classes:
                if slots[name]:
                    content = "handle", classes[value.value]
                else:
                    content = Const(moves.get(value.value, value.value), value.type)
            found[to] = content
        return found
