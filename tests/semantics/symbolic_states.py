"""Concrete and symbolic states side by side: the same names and values for both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from abpress.ir.expr import Addr, Compare, Const, Expr, FuncAddr, Reg, rewrite, walk
from abpress.ir.formula import FALSE, TRUE, Formula, substitute
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import OFFSET_BITS, IntType, PtrType, Scalar
from abpress.result import Soundness
from abpress.semantics.context import ALLOCATIONS, DONE, RUNNING, SPAWNS
from abpress.semantics.discrete import RESULT, Discrete, Input, SymbolicStep, life_key
from abpress.semantics.interpreter import Interpreter, State, Step
from abpress.semantics.memory import DEAD
from abpress.semantics.naming import HALF, ObjectInfo
from abpress.semantics.symbolic import SymbolicSystem
from abpress.smt.prover import Answer, Prover

Valuation = Mapping[str, int]
"""Variable -> its value."""

Snapshot = tuple[Any, ...]
"""How the program ended, threads with their counters, and what every cell and register holds."""

MOST_VALUES = 256
"""Of an input of more values, only some are tried."""

_FOLDER = Folder(Overflow.WRAP, {})
_PROVER = Prover("bv", Overflow.WRAP)


# -- concrete states ------------------------------------------------------------------------------


def concrete(interpreter: Interpreter, s: State) -> Snapshot:
    """A state of the interpreter."""
    context = interpreter.context
    contents: dict[str, object] = {}

    def content(name: str, value: int | None, type: Scalar) -> None:
        if isinstance(type, PtrType) and value is not None and context.objects.is_address(value):
            number = (value + HALF) >> OFFSET_BITS
            info = context.objects.numbered(number)
            functions = {a >> OFFSET_BITS: f for f, a in context._functions.items()}
            place = info.name if info is not None else f"function {functions[number]}"
            contents[name] = (place, value - (number << OFFSET_BITS))
        else:
            contents[name] = value

    def cells(info: ObjectInfo, values: Any) -> None:
        for cell, value in zip(info.layout.cells, values, strict=True):
            content(f"{info.name}@{cell.offset}", value, cell.type)

    for info in context.objects.placed():
        assert info.slot is not None
        values = s[info.slot : info.slot + len(info.layout.cells)]
        if DEAD not in values:
            cells(info, values)
    for number, values in s[context.dynamic]:
        found = context.objects.numbered(number)
        assert found is not None
        cells(found, values)
    threads: list[object] = []
    for part in s[context.base :]:
        t, pc = part[:2]
        name = context.threads.name(t)
        if pc == DONE:
            threads.append((t, None, DONE, 0, 0))
            content(f"{name}:{RESULT}", part[2], context.program.pointer)
            continue
        code, location = context.locate(pc)
        frame = dict(zip(code.frames[location], part[2:], strict=True))
        counters = frame.pop(SPAWNS, 0), frame.pop(ALLOCATIONS, 0)
        threads.append((t, code.template.name, location, *counters))
        for register, value in frame.items():
            content(f"{name}:{register}", value, code.template.registers[register])
    status = s[context.status]
    return (None if status == RUNNING else status, tuple(threads), frozenset(contents.items()))


# -- symbolic states ------------------------------------------------------------------------------


def symbolic(system: SymbolicSystem, d: Discrete, values: Valuation) -> Snapshot:
    """A discrete part with values of its variables."""
    contents: dict[str, object] = {}

    def content(name: str) -> None:
        at = untyped(name)
        match d.values.get(name, system._objects.constants.get(name, name)):
            case str():
                contents[at] = values[name]
            case Const(value, _):
                contents[at] = value
            case Addr(o, offset, _):
                contents[at] = (o, offset)
            case FuncAddr(function, _):
                contents[at] = (f"function {function}", 0)
            case None:
                contents[at] = None

    for o in (*system._objects._statics.values(), *d.objects):
        for cell in o.cells.values():
            content(cell.name)
    for part in d.threads:
        for key, _, _ in system._objects.registers(part):
            content(key)
    threads = tuple((p.id, None if p.location == DONE else p.template, *p[2:]) for p in d.threads)
    return (d.status, threads, frozenset(contents.items()))


def untyped(name: str) -> str:
    """The name of a variable without the type that some have in their names."""
    return re.sub(r" [iu]\d+$", "", name)


def initial_values(facts: tuple[Formula, ...]) -> Valuation:
    """The values that the initial facts give; to be the greatest value is a formula with `>=`."""
    values: dict[str, int] = {}
    for fact in facts:
        match fact.expr:
            case Compare("==", Reg(name), Const(value)):
                values[name] = value
            case Compare(">=", Reg(name), Const(value, IntType() as type)) if value == type.maximum:
                values[name] = value
            case _:
                raise AssertionError(fact)
    return values


@dataclass(frozen=True)
class Taken:
    """A symbolic step with the values of its inputs, and the variables after it."""

    step: SymbolicStep
    inputs: tuple[int, ...]
    values: Valuation


def taken(steps: tuple[SymbolicStep, ...], values: Valuation) -> Iterator[Taken]:
    """The steps that can be taken where the variables have these values; all inputs are tried."""
    for step in steps:
        names = {n for f in step.guard for n in _names(f)}
        consts = {name: Const(v, t) for name, (v, t) in _typed(step, values, names).items()}
        guard = [substitute(f, consts) for f in step.guard]
        if FALSE in guard:
            continue
        for inputs in product(*map(tried, step.inputs)):
            given: dict[str, Expr] = {
                i.name: Const(v, i.type) for i, v in zip(step.inputs, inputs, strict=True)
            }
            if all(substitute(f, given) is TRUE for f in guard):
                yield Taken(step, inputs, after(step, values, given))


def possible(f: Formula, values: Valuation) -> bool:
    """Whether a formula can hold where the variables have these values, for some inputs."""
    rest = substitute(
        f, {r.name: Const(values[r.name], r.type) for r in _names(f) if r.name in values}
    )
    return rest is not FALSE and _PROVER.satisfiable((rest,)) is not Answer.NO


def tried(i: Input) -> Sequence[int]:
    """The values that are tried for an input: all, if they are not too many."""
    if i.high - i.low < MOST_VALUES:
        return range(i.low, i.high + 1)
    return [v for v in (0, 1, -1, 2, 3, i.low, i.high) if i.low <= v <= i.high]


def after(step: SymbolicStep, values: Valuation, given: Mapping[str, Expr]) -> Valuation:
    """The variables after a step."""

    def leaf(e: Expr) -> Expr:
        if not isinstance(e, Reg):
            return e
        return given[e.name] if e.name in given else Const(values[e.name], e.type)

    result = {name: v for name, v in values.items() if name not in step.forgotten}
    for name, e in step.updates.items():
        folded = _FOLDER.fold(rewrite(e, leaf))
        assert isinstance(folded, Const), (name, e, folded)
        result[name] = folded.value
    return result


def _names(f: Formula) -> Iterator[Reg]:
    if f.expr is not None:
        yield from (e for e in walk(f.expr) if isinstance(e, Reg))
    for part in f.parts:
        yield from _names(part)


def _typed(
    step: SymbolicStep, values: Valuation, names: set[Reg]
) -> dict[str, tuple[int, IntType]]:
    return {r.name: (values[r.name], r.type) for r in names if r.name in values}  # type: ignore[misc]


# -- comparison -----------------------------------------------------------------------------------


class Pair:
    """A program in both semantics, with the threads' names shared."""

    def __init__(self, program: Any, options: Any = None) -> None:
        self.soundness = Soundness()
        self.interpreter = Interpreter(program, options, self.soundness)
        self.system = SymbolicSystem(program, interpreter=self.interpreter)

    def initial(self) -> tuple[State, Discrete, Valuation]:
        d, facts = self.system.initial()
        return self.interpreter.initial(), d, initial_values(facts)

    def compare(
        self, s: State, d: Discrete, values: Valuation
    ) -> list[tuple[State, Discrete, Valuation]]:
        """Holds that both have the same steps here; the pairs of successors."""
        interpreter, system = self.interpreter, self.system
        assert concrete(interpreter, s) == symbolic(system, d, values)
        assert interpreter.threads(s) == system.threads(d)
        assert interpreter.ended(s) == system.ended(d)
        successors = []
        for t in interpreter.threads(s):
            assert interpreter.location(s, t) == system.location(d, t)
            assert interpreter.invisible(s, t) == system.invisible(d, t)
            self.soundness.reasons.clear()
            self.soundness.assumptions.clear()
            steps = interpreter.steps(s, t)
            lost, assumed = list(self.soundness.reasons), list(self.soundness.assumptions)
            mine = system.steps(d, t)
            found = list(taken(mine, values))
            faults = [x.step.fault for x in found if x.step.fault is not None]
            wide = any(reason.startswith("symbolic input") for reason in lost)
            assert wide or bool(faults) == bool(lost), (faults, lost)
            overflowing = [f for f in system.overflows(d, t) if possible(f, values)]
            assert bool(overflowing) == bool(assumed) or wide, (overflowing, assumed)
            assert not assumed or overflowing, assumed
            met = set()
            for x in found:
                if x.step.fault is None:
                    met.add(self._compare_step(s, t, x))
                    if x.step.violation is None:
                        step = interpreter.follow(s, t, x.step.edges, x.inputs)
                        assert step is not None
                        successors.append((step.successor, x.step.successor, x.values))
            assert wide or met == {self._outcome(step) for step in steps}
        return successors

    def _outcome(self, step: Step) -> object:
        return step.violation or concrete(self.interpreter, step.successor)

    def _compare_step(self, s: State, t: int, x: Taken) -> object:
        """The symbolic step is one of the interpreter, with the same accesses; its outcome."""
        interpreter = self.interpreter
        step = interpreter.follow(s, t, x.step.edges, x.inputs)
        assert step is not None, x
        assert interpreter.take(s, t, step.choices) == step
        assert step.violation == x.step.violation
        footprint = interpreter.footprint(s, t, step.choices)
        reads, writes = (set(map(self.key, k)) for k in (footprint.reads, footprint.writes))
        self._compare_accesses(x.step, reads, writes)
        outcome = self._outcome(step)
        if step.violation is None:
            assert symbolic(self.system, x.step.successor, x.values) == outcome
        return outcome

    def _compare_accesses(self, step: SymbolicStep, reads: set[str], writes: set[str]) -> None:
        """The step touches these keys, the life of an object standing for all its cells."""
        read, written = (set(map(untyped, keys)) for keys in (step.reads, step.writes))
        lives = {key for key in read | written if key.startswith("life ")}
        assert reads == read - lives
        begun = {key for key in writes if _life(key) in written}
        assert writes - begun == {k for k in written if _life(k) not in written} - lives
        for name in (life.removeprefix("life ") for life in written & lives):
            layouts = [o.layout for o in self.system._objects._refs[name]]
            assert any(begun >= {f"{name}@{c.offset}" for c in x.cells} for x in layouts)
        mortal = {_life(key) for key in reads | writes if self._mortal(key)}
        assert mortal <= lives

    def _mortal(self, key: str) -> bool:
        return "@" in key and self.system._objects.mortal(key.rpartition("@")[0])

    def key(self, key: int) -> str:
        """The symbolic name of a key of a footprint."""
        if key == 0:
            return "program"
        if key < 0:
            return f"thread {self.interpreter.thread_name(-key)}"
        info = self.interpreter.context.objects.find(key)
        assert info is not None
        return f"{info.name}@{key - info.base}"


def _life(key: str) -> str:
    """The key of the life of the object whose cell has this key."""
    return life_key(key.rpartition("@")[0])
