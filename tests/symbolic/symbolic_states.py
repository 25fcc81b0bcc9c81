"""Concrete and symbolic states side by side: the same names and values for both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from abpress.ir.expr import (
    Addr,
    ArrayReg,
    Compare,
    Const,
    Filled,
    FuncAddr,
    Reg,
    SameArray,
    Term,
    Update,
    Variable,
    array_variables,
    walk,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.ir.types import OFFSET_BITS, IntType, PtrType, Scalar
from abpress.logic.formula import FALSE, TRUE, Formula, substitute
from abpress.logic.replace import replace, replace_in_array
from abpress.result import Soundness
from abpress.semantics.context import ALLOCATIONS, DONE, RUNNING, SPAWNS
from abpress.semantics.following import AtLoad
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.memory import DEAD
from abpress.semantics.naming import HALF, ObjectInfo
from abpress.semantics.outcome import ConcreteStep, State
from abpress.smt.answer import Answer
from abpress.smt.prover import Prover
from abpress.symbolic.discrete import (
    RESULT,
    Discrete,
    Input,
    SymbolicStep,
    count_name,
    is_array,
    is_count,
    life_key,
)
from abpress.symbolic.system import SymbolicSystem

Valuation = Mapping[str, int | Filled]
"""Variable -> its value."""

ARBITRARY = 3
"""What arrays with arbitrary contents are tried with."""

Snapshot = tuple[Any, ...]
"""How the program ended, threads with their counters, and what every cell and register holds."""

MOST_VALUES = 256
"""Of an input of more values, only some are tried."""

MOST_COMBINED = 2000
"""Where the inputs of a thread's steps have more values together, they are not compared."""

_FOLDER = Folder(Overflow.WRAP, {})
_PROVER = Prover("bv")


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


def symbolic(system: SymbolicSystem, d: Discrete, values: Valuation, like: Snapshot) -> Snapshot:
    """A discrete part with values of its variables. Elements of arrays have no value yet where they
    have none in `like`."""
    contents: dict[str, object] = {}
    others = dict(like[2])

    def elements(o: str, array: ArrayReg, size: int) -> None:
        content = values.get(array.name) or system._objects.constant_arrays[array.name]
        assert isinstance(content, Filled)
        for k in range(size // array.element.size):
            name = f"{o}@{k * array.element.size}"
            number = dict(content.others).get(k, content.default)
            contents[name] = None if others.get(name, number) is None else number

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
        if o.array is not None:
            count = values.get(count_name(o.name))
            assert count is None or isinstance(count, int)
            size = o.layout.size if count is None else count * o.array.element.size
            elements(o.name, o.array, size)
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
    values: dict[str, int | Filled] = {}
    for fact in facts:
        match fact.expr:
            case SameArray(ArrayReg(name), Filled() as content):
                values[name] = content
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
        fresh = {a.name: Filled(ARBITRARY, (), a.element) for a in step.arrays}
        consts = {**_constants(names, values), **fresh}
        guard = [substitute(f, consts) for f in step.guard]
        if FALSE in guard:
            continue
        chosen = [i for i in step.inputs if i.value is None]
        for inputs in product(*map(tried, chosen)):
            given: dict[str, Term] = {
                i.name: Const(v, i.type) for i, v in zip(chosen, inputs, strict=True)
            }
            given.update(fresh)
            if all(substitute(f, given) is TRUE for f in guard):
                every = tuple(_value(i, values, given) for i in step.inputs)
                yield Taken(step, every, after(step, values, given))


def _value(i: Input, values: Valuation, given: Mapping[str, Term]) -> int:
    """The value of an input, as `follow` wants it."""
    if i.value is None:
        chosen = given[i.name]
        assert isinstance(chosen, Const)
        return chosen.value
    known = {**_constants(_variables(i.value), values), **given}
    read = _FOLDER.fold(replace(i.value, known))
    assert isinstance(read, Const)
    return AtLoad(read.value, i.load)


def possible(f: Formula, values: Valuation) -> bool:
    """Whether a formula can hold where the variables have these values, for some inputs."""
    rest = substitute(f, _constants(set(_names(f)), values))
    return rest is not FALSE and _PROVER.satisfiable((rest,)) is not Answer.NO


def tried(i: Input) -> Sequence[int]:
    """The values that are tried for an input: all, if they are not too many."""
    if i.high - i.low < MOST_VALUES:
        return range(i.low, i.high + 1)
    return [v for v in (0, 1, -1, 2, 3, i.low, i.high) if i.low <= v <= i.high]


def combined(steps: tuple[SymbolicStep, ...]) -> int:
    """How many values are tried for the inputs of the steps."""
    return sum(prod(len(tried(i)) for i in step.inputs if i.value is None) for step in steps)


def after(step: SymbolicStep, values: Valuation, given: Mapping[str, Term]) -> Valuation:
    """The variables after a step."""
    result = {name: v for name, v in values.items() if name not in step.forgotten}
    for name, e in step.updates.items():
        known = {**_constants(_variables(e), values), **given}
        if isinstance(e, ArrayReg | Filled | Update):
            array = _FOLDER.fold_array(replace_in_array(e, known))
            assert isinstance(array, Filled), (name, e, array)
            result[name] = array
        else:
            folded = _FOLDER.fold(replace(e, known))
            assert isinstance(folded, Const), (name, e, folded)
            result[name] = folded.value
    return result


def _variables(e: Term) -> set[Variable]:
    if isinstance(e, ArrayReg | Filled | Update):
        return _variables(SameArray(e, e))
    return {r for r in walk(e) if isinstance(r, Reg)} | {*array_variables(e)}


def _names(f: Formula) -> Iterator[Variable]:
    if f.expr is not None:
        yield from _variables(f.expr)
    for part in f.parts:
        yield from _names(part)


def _constants(names: set[Variable], values: Valuation) -> dict[str, Term]:
    """What the variables that have values stand for."""
    found: dict[str, Term] = {}
    for variable in names:
        value = values.get(variable.name)
        if isinstance(value, Filled):
            found[variable.name] = value
        elif value is not None:
            assert isinstance(variable, Reg)
            found[variable.name] = Const(value, variable.type)
    return found


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
        state = concrete(interpreter, s)
        assert state == symbolic(system, d, values, state)
        assert interpreter.threads(s) == system.threads(d)
        assert interpreter.views.ended(s) == system.ended(d)
        successors = []
        for t in interpreter.threads(s):
            assert interpreter.location(s, t) == system.location(d, t)
            assert interpreter.invisible(s, t) == system.invisible(d, t)
            mine = system.steps(d, t)
            if combined(mine) > MOST_COMBINED:
                continue
            self.soundness.reasons.clear()
            self.soundness.assumptions.clear()
            steps = interpreter.steps(s, t)
            lost, assumed = list(self.soundness.reasons), list(self.soundness.assumptions)
            found = list(taken(mine, values))
            faults = [x.step.fault for x in found if x.step.fault is not None]
            wide = any(reason.startswith("symbolic input") for reason in lost)
            assert wide or bool(faults) == bool(lost), (faults, lost)
            overflowing = [f for f in system.overflows(d, t) if possible(f, values)]
            assert bool(overflowing) == bool(assumed) or wide, (overflowing, assumed)
            late = any(i.value is not None for step in mine for i in step.inputs)
            assert not assumed or overflowing or late, assumed
            # Else they may try different values, which the program cannot tell apart.
            all_tried = all(i.high - i.low < MOST_VALUES for step in mine for i in step.inputs)
            met = set()
            for x in found:
                if x.step.fault is None:
                    met.add(self._compare_step(s, d, t, x))
                    if x.step.violation is None:
                        step = interpreter.follow(s, t, x.step.edges, x.inputs)
                        assert step is not None
                        successors.append((step.successor, x.step.successor, x.values))
            same = met == {self._outcome(step) for step in steps}
            assert wide or same or not all_tried
        return successors

    def _outcome(self, step: ConcreteStep) -> object:
        return step.violation or concrete(self.interpreter, step.successor)

    def _compare_step(self, s: State, d: Discrete, t: int, x: Taken) -> object:
        """The symbolic step is one of the interpreter, with the same accesses; its outcome."""
        interpreter = self.interpreter
        step = interpreter.follow(s, t, x.step.edges, x.inputs)
        assert step is not None, x
        assert interpreter.take(s, t, step.choices) == step
        assert step.violation == x.step.violation
        accessed = interpreter.accessed(s, t, step.choices)
        reads, writes = (set(map(self.key, k)) for k in (accessed.reads, accessed.writes))
        self._compare_accesses(d, x.step, reads, writes)
        outcome = self._outcome(step)
        if step.violation is None:
            assert isinstance(outcome, tuple)
            assert symbolic(self.system, x.step.successor, x.values, outcome) == outcome
        return outcome

    def _compare_accesses(
        self, d: Discrete, step: SymbolicStep, reads: set[str], writes: set[str]
    ) -> None:
        """The step touches these keys, the life of an object standing for all its cells."""
        # How many elements there are does not change.
        read, written = (
            {untyped(key) for key in keys if not is_count(key)}
            for keys in (step.reads, step.writes)
        )
        lives = {key for key in read | written if key.startswith("life ")}
        mere = {key for key in writes & reads - written if is_array(key)}
        writes -= {key for key in mere if _life(key) not in written}  # chosen
        assert reads == read - lives
        begun = {key for key in writes if _life(key) in written}
        assert writes - begun == {k for k in written if _life(k) not in written} - lives
        for name in (life.removeprefix("life ") for life in written & lives):
            objects = self.system._objects
            variables = [objects.variables(o) for o in objects._refs[name]]
            # How many elements there are is no cell.
            names = ([v.name for v in of if not is_count(v.name)] for of in variables)
            cells = [set(map(untyped, each)) for each in names]
            nothing = name not in d.alive and not any(begun & names for names in cells)
            assert nothing or any(begun >= names for names in cells)
        mortal = {_life(key) for key in reads | writes if self._mortal(key)}
        assert mortal <= lives

    def _mortal(self, key: str) -> bool:
        return "@" in key and self.system._objects.mortal(key.rpartition("@")[0])

    def key(self, key: int) -> str:
        """The symbolic name of a key of a footprint."""
        if key == 0:
            return "program"
        if key < 0:
            return f"thread {self.interpreter.views.thread_name(-key)}"
        info = self.interpreter.context.objects.find(key)
        assert info is not None
        refs = self.system._objects._refs.get(info.name, [])
        same = (o for o in refs if o.layout == info.layout or o.count is not None)
        array = next((o.array for o in same), None)
        return f"{info.name}@{key - info.base}" if array is None else array.name


def _life(key: str) -> str:
    """The key of the life of the object whose cell has this key."""
    return life_key(key.rpartition("@")[0])
