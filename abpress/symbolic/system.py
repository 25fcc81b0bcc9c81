"""The symbolic semantics: what `abpress.semantics.interpreter` does, for all values at once.

A state has a discrete part, which is known, and variables (see `abpress.symbolic.discrete`). A
symbolic step is one path of a thread through a step of the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter

from abpress.errors import Position
from abpress.ir.expr import Compare, Const, Reg, Variable
from abpress.ir.program import Program
from abpress.ir.types import IntType
from abpress.logic.formula import Formula, holds, same_array
from abpress.semantics.context import DONE
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.naming import MAIN
from abpress.semantics.outcome import Options
from abpress.symbolic.circles import Others, others, some_wait
from abpress.symbolic.discrete import (
    Access,
    Discrete,
    EndShown,
    Known,
    SymbolicStep,
    ThreadPart,
    variable_type,
)
from abpress.symbolic.effects import Runner
from abpress.symbolic.losses import Losses
from abpress.symbolic.objects import SymbolicObjects
from abpress.symbolic.paths import MAX_PATHS, Blocked, Decisions, Faulted, SymbolicPath, Violated
from abpress.symbolic.questions import DecisionTree, Recorder
from abpress.symbolic.shapes import NextStep, Shape, Shapes, Wait
from abpress.symbolic.standing import Races
from abpress.symbolic.successor import After
from abpress.symbolic.waiting import Waiting, all_wait, waiting


class SymbolicSystem:
    """Symbolic states and steps of a program.

    It shares the names of threads with an interpreter, so that ids mean the same in both. Of the
    `tracked` static objects the values are part of the discrete part where they are known.
    """

    def __init__(
        self,
        program: Program,
        options: Options | None = None,
        interpreter: Interpreter | None = None,
        tracked: frozenset[str] = frozenset(),
    ) -> None:
        self.program = program
        self.tracked = tracked
        self.interpreter = interpreter or Interpreter(program, options)
        context = self.interpreter.context
        self._context = context
        self._objects = SymbolicObjects(program, context, tracked)
        self._losses = Losses(program, context, self._objects) if context.options.losses else None
        self._constants = _numbers(self._objects.constants.items())
        self._shapes = Shapes()
        self._trees: dict[ThreadPart, DecisionTree[NextStep]] = {}
        self._next: dict[tuple[Discrete, int], NextStep] = {}
        self._steps: dict[tuple[Discrete, int], tuple[SymbolicStep, ...]] = {}
        self._waiting: dict[NextStep, Waiting | None] = {}
        self._accesses: dict[tuple[Access, ...], tuple[Access, ...]] = {}
        self._invisible = {
            name: frozenset(
                i
                for i, location in enumerate(code.template.locations)
                if not any((i, k) in code.visible for k in range(len(location.edges)))
            )
            for name, code in context.codes.items()
        }

    # -- states ---------------------------------------------------------------------------------

    def initial(self) -> tuple[Discrete, tuple[Formula, ...]]:
        """The discrete part with `main` at its entry, and what holds of the variables then."""
        objects = self._objects
        known: dict[str, Known] = {}
        facts = []
        for ref, value in objects.first:
            if isinstance(value, Const) and isinstance(ref.type, IntType) and not ref.control:
                facts.append(holds(Compare("==", Reg(ref.name, ref.type), value)))
            else:
                known[ref.name] = value
        facts += [same_array(array, filled) for array, filled in objects.first_arrays]
        main = ThreadPart(MAIN, self.program.main, self.program.templates[self.program.main].entry)
        for key, _, _ in objects.registers(main):
            known[key] = None
        return objects.interned(
            Discrete((main,), tuple(sorted(known.items(), key=itemgetter(0))))
        ), tuple(facts)

    def threads(self, d: Discrete) -> tuple[int, ...]:
        """The unfinished threads, ascending."""
        return tuple([part.id for part in d.threads if part.location != DONE])

    def ended(self, d: Discrete) -> str | None:
        """How the program ended; None if it did not."""
        return d.status

    def location(self, d: Discrete, t: int) -> tuple[str, int]:
        """Template and location of an unfinished thread."""
        part = d.thread(t)
        if part.location == DONE:
            raise ValueError(f"thread {self.name(t)} has finished")
        return part.template, part.location

    def position(self, d: Discrete, t: int) -> Position:
        """Where the next step of an unfinished thread begins."""
        template, location = self.location(d, t)
        return self.program.templates[template].locations[location].edges[0].position

    def name(self, t: int) -> str:
        """`main`, `main.1`, …: the creator's name and the number of the creation."""
        return self._context.threads.name(t)

    def creator(self, t: int) -> int:
        """The thread that has created t; 0 for `main`."""
        return self._context.threads.creator(t)

    def gets_inputs(self, name: str) -> bool:
        """Whether an input may flow into a static object."""
        return self._objects.control.gets_inputs(name)

    def numbers(self, d: Discrete) -> dict[str, Const]:
        """The integers that are known in a state and may be variables in others."""
        return {**self._constants, **_numbers(d.known)}

    def permanent(self) -> Iterator[Variable]:
        """The cells and arrays of static objects."""
        return self._objects.permanent()

    def temporary(self, d: Discrete) -> Iterator[Variable]:
        """The cells and arrays of mortal objects, and the live registers, in a state."""
        for o in d.objects:
            yield from self._objects.variables(o)
        for part in d.threads:
            for key, _, type in self._objects.registers(part):
                yield Reg(key, variable_type(type))

    # -- steps ----------------------------------------------------------------------------------

    def steps(self, d: Discrete, t: int) -> tuple[SymbolicStep, ...]:
        """All paths of the next step of a thread that constants do not exclude."""
        found = self._steps.get((d, t))
        if found is None:
            shapes = self._next_step(d, t).shapes
            found = tuple([shape.step(d, self._objects) for shape in shapes])
            if self._losses is not None:
                pairs = zip(found, shapes, strict=True)
                found = tuple([self._losses.judged(d, step, s.shape) for step, s in pairs])
            self._steps[d, t] = found
        return found

    def accesses(self, d: Discrete, t: int) -> tuple[Access, ...]:
        """The distinct sets of keys that the next step of t touches, or touches before it waits.

        Equal answers are one tuple, so they may be told apart by identity.
        """
        return self._next_step(d, t).accesses

    def overflows(self, d: Discrete, t: int) -> Mapping[Formula, Position]:
        """When, in the next step of t, a signed operation overflows and so ends the execution.

        An operation of the step overflows exactly where one of the formulas holds, which are over
        the variables before the step and its inputs; each has the place of its operation.
        """
        return self._next_step(d, t).overflows

    @cached_property
    def _races(self) -> Races:
        return Races(self._context, self._objects, self._shapes)

    def shown(self, d: Discrete, what: EndShown) -> tuple[SymbolicStep, ...]:
        """The ends of executions in states with the discrete part `d` that show something.

        The guard of one of them holds in each such state, but it may hold in others, too.
        """
        if what is EndShown.RACE:
            return self._races.of(d)
        end = self._deadlock(d) if what is EndShown.DEADLOCK else self._circle(d)
        return () if end is None else (end,)

    def _deadlock(self, d: Discrete) -> SymbolicStep | None:
        """The end of executions that are deadlocked with the discrete part `d`; None if none is.

        Its guard holds in all deadlocked states: threads are left, and every one of them waits at
        an await (or joins who has not finished) and has no step, NOTE(assume-blocked). It may hold
        in others, where steps of the threads depend on arbitrary values.
        """
        found = []
        for t in self.threads(d):
            waits = self._waits(d, t)
            if waits is None:
                return None
            found.append(waits)
        return all_wait(found, d, self._shapes) if found else None

    def _circle(self, d: Discrete) -> SymbolicStep | None:
        """What stands for states with the discrete part `d` in which threads wait for one another
        in a circle, as `abpress.semantics.circles` has it; None if there are none.

        Its guard holds in all of them, and may hold in others.
        """
        threads, circles = self.threads(d), self.interpreter.circles
        waits: dict[int, Waiting] = {}
        found: dict[int, Others] = {}
        for t in threads:
            part = d.thread(t)
            pc = self._context.codes[part.template].first_pc + part.location
            its = self._waits(d, t) if circles.may_wait(pc) else None
            if its is not None:
                waits[t] = its
                locks = circles.may_wait_for_lock(pc)
                found[t] = others(d, threads, self._next_step(d, t), locks, self._objects)
        return some_wait(waits, found, d, self._shapes) if waits else None

    def _waits(self, d: Discrete, t: int) -> Waiting | None:
        """Where a thread waits; None if it never does."""
        next = self._next_step(d, t)
        if next not in self._waiting:
            self._waiting[next] = waiting(next)
        return self._waiting[next]

    def invisible(self, d: Discrete, t: int) -> bool:
        """Whether the next step of t contains no visible edge, whatever is chosen."""
        part = d.thread(t)
        return part.location in self._invisible[part.template]

    def _next_step(self, d: Discrete, t: int) -> NextStep:
        found = self._next.get((d, t))
        if found is None:
            part = d.thread(t)
            tree = self._trees.setdefault(part, DecisionTree())
            found = tree.find(d)
            if found is None:
                recorder = Recorder(d)
                found = self._explore(part, recorder)
                tree.add(recorder, found)
            self._next[d, t] = found
        return found

    def _explore(self, part: ThreadPart, before: Recorder) -> NextStep:
        if part.location == DONE:
            return NextStep((), (), {})
        code = self._context.codes[part.template]
        waiting: dict[Access, None] = {}
        waits: dict[Wait, None] = {}
        overflows: dict[Formula, Position] = {}
        shapes: list[Shape] = []
        prefix: list[int] | None = []
        for _ in range(MAX_PATHS):
            decisions = Decisions(prefix or ())
            path = SymbolicPath(self._objects, code, part, before, decisions)
            shape = self._shape(path, Runner(path, waiting, waits))
            overflows = {**path.overflows, **overflows}
            if shape is not None:
                shapes.append(shape)
            prefix = decisions.next()
            if prefix is None:
                break
        else:
            shapes.append(self._bound(part.id))
        touched = (*(Access(shape.reads, shape.writes) for shape in shapes), *waiting)
        accesses = tuple(dict.fromkeys(touched))
        return NextStep(
            tuple(map(self._shapes.numbered, shapes)),
            self._accesses.setdefault(accesses, accesses),
            overflows,
            tuple(waits),
            tuple(waiting),
        )

    def _shape(self, path: SymbolicPath, runner: Runner) -> Shape | None:
        violation = fault = None
        after = After(None, {}, frozenset())
        try:
            after = runner.run()
        except Blocked:
            return None
        except Violated as end:
            violation = end.violation
        except Faulted as end:
            violation, fault = end.violation, end.reason
        return Shape(
            path.thread,
            tuple(path.edges),
            tuple(path.guard),
            tuple(after.updates.items()),
            tuple(path.inputs),
            after.forgotten,
            after.change,
            frozenset(path.reads),
            frozenset(path.writes),
            violation,
            fault,
            tuple(path.fresh),
            tuple(path.preferred),
        )

    def _bound(self, t: int) -> Shape:
        """Stands for the paths that are not explored."""
        reason = f"more than {MAX_PATHS} paths of one step at {self._context.position(0)}"
        none: frozenset[str] = frozenset()
        return Shape(t, (), (), (), (), none, None, none, none, fault=reason)


def _numbers(known: Iterable[tuple[str, Known]]) -> dict[str, Const]:
    """The integers among known contents, with the types of variables."""
    return {key: _number(value) for key, value in known if isinstance(value, Const)}


def _number(value: Const) -> Const:
    type = value.type
    return value if isinstance(type, IntType) else Const(value.value, variable_type(type))
