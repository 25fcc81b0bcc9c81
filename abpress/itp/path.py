"""Paths of symbolic steps: whether one can be executed, and if not, which conditions say so.

Legend: stage k is the point before step k; stage n is the end of a path of n steps. A path is put
into static single assignment form: `x~k` is the value that step k-1 gives to x, `i~k` the input i
of step k, and a variable without a mark has its initial value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from abpress.ir.expr import (
    Addr,
    Array,
    ArrayReg,
    Compare,
    Const,
    Expr,
    Filled,
    FuncAddr,
    Reg,
    Term,
    Update,
)
from abpress.ir.passes.fold import Folder
from abpress.ir.program import Overflow
from abpress.logic.formula import FALSE, TRUE, Formula, holds, same_array, substitute
from abpress.logic.replace import replace
from abpress.logic.replace import replace_in_array as replace_arrays
from abpress.semantics.memory import MAX_CELLS
from abpress.smt.prover import Prover, Undecided
from abpress.symbolic.discrete import Input, SymbolicStep, is_count

FACTS = -1
"""The stage of the initial facts in a `Core`."""


FEW_ELEMENTS = (2, 8, 64, 1024, 1 << 16)
"""Sizes of objects that are tried one after the other, to be repeated by the interpreter."""


@dataclass(frozen=True, slots=True)
class Path:
    """Facts about the initial values, and the steps from there."""

    facts: tuple[Formula, ...]
    steps: tuple[SymbolicStep, ...]


@dataclass(frozen=True, slots=True)
class Core:
    """Conditions that contradict one another: per stage, those of the step's guard.

    `facts` are the initial facts among them. All updates belong to every core.
    """

    facts: tuple[Formula, ...]
    guards: tuple[tuple[Formula, ...], ...]


@dataclass(frozen=True, slots=True)
class Feasible:
    """The path can be executed: with these initial values and, per step, these input values.

    A variable or input that does not occur may have any value. `doubt` says why the
    interpreter may not repeat the execution, if so.
    """

    initial: Mapping[str, int]
    inputs: tuple[Mapping[str, int], ...]
    doubt: str | None = None


@dataclass(frozen=True, slots=True)
class Infeasible:
    """The path cannot be executed."""

    core: Core


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver has given up on the path."""

    reason: str


Feasibility = Feasible | Infeasible | Unknown


def feasibility(prover: Prover, path: Path) -> Feasibility:
    """Whether the path can be executed."""
    unrolled = _Unrolled(path)
    try:
        core = unrolled.core(prover)
        if core is not None:
            return Infeasible(core)
        model = unrolled.model(prover)
    except Undecided as undecided:
        return Unknown(str(undecided) or "the solver gave up")
    if model is None:
        raise AssertionError("internal error: a path without a core is infeasible")
    return unrolled.feasible(model)


def range_of(input: Input) -> tuple[Formula, ...]:
    """The formulas that the value of an input is between its bounds."""
    value = Reg(input.name, input.type)
    return (
        holds(Compare(">=", value, Const(input.low, input.type))),
        holds(Compare("<=", value, Const(input.high, input.type))),
    )


class _Unrolled:
    """A path in static single assignment form."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.formulas: list[Formula] = []
        self._origins: list[tuple[int, Formula] | None] = []  # stage and condition; None: an update
        self._counts: list[Const | Reg] = []  # numbers of elements
        self._preferred: list[Formula] = []
        self._doubt: str | None = None
        for fact in path.facts:
            self._add(fact, (FACTS, fact))
        values: dict[str, Term] = {}
        for k, step in enumerate(path.steps):
            values = self._step(k, step, values)

    def _step(self, k: int, step: SymbolicStep, values: dict[str, Term]) -> dict[str, Term]:
        """The values after step k, from those before it."""
        chosen: dict[str, Term] = {i.name: Reg(f"{i.name}~{k}", i.type) for i in step.inputs}
        chosen.update((a.name, ArrayReg(f"{a.name}~{k}", a.element)) for a in step.arrays)
        before = {**values, **chosen} if chosen else values
        for condition in step.guard:
            self._add(substitute(condition, before), (k, condition))
        self._preferred += [substitute(condition, before) for condition in step.preferred]
        for input in step.inputs:
            if input.value is not None:
                value = replace_registers(input.value, before)
                named = Reg(f"{input.name}~{k}", input.type)
                self._add(holds(Compare("==", named, value)), None)
        after = dict(values)
        for name, update in step.updates.items():
            now = after[name] = self._updated(f"{name}~{k + 1}", update, before)
            if is_count(name):
                assert isinstance(now, Const | Reg)
                self._counts.append(now)
        return after

    def _updated(self, name: str, update: Term, before: Mapping[str, Term]) -> Term:
        """The value that a variable gets; a name for it, if it is no constant."""
        if isinstance(update, ArrayReg | Filled | Update):
            array = replace_in_array(update, before)
            if isinstance(array, Update):
                fresh_array = ArrayReg(name, array.element)
                self._add(same_array(fresh_array, array), None)
                return fresh_array
            return array
        value = replace_registers(update, before)
        if isinstance(value, (Const, Addr, FuncAddr)):
            return value
        fresh = Reg(name, update.type)
        self._add(holds(Compare("==", fresh, value)), None)
        return fresh

    def _add(self, formula: Formula, origin: tuple[int, Formula] | None) -> None:
        if formula is not TRUE:
            self.formulas.append(formula)
            self._origins.append(origin)

    def core(self, prover: Prover) -> Core | None:
        """A small core; None if the path can be executed. Raises Undecided."""
        for formula, origin in zip(self.formulas, self._origins, strict=True):
            if formula is FALSE:
                return self._core([origin] if origin is not None else [])
        pairs = list(zip(self.formulas, self._origins, strict=True))
        updates = [formula for formula, origin in pairs if origin is None]
        # A core should rather consist of late conditions: interpolants before the first are true.
        conditions = [
            (formula, origin) for formula, origin in reversed(pairs) if origin is not None
        ]
        found = prover.core([formula for formula, _ in conditions], updates)
        return None if found is None else self._core([conditions[i][1] for i in found])

    def _core(self, origins: Sequence[tuple[int, Formula]]) -> Core:
        at: dict[int, list[Formula]] = {}
        for stage, condition in origins:
            at.setdefault(stage, []).append(condition)
        guards = tuple(tuple(at.get(k, ())) for k in range(len(self._path.steps)))
        return Core(tuple(at.get(FACTS, ())), guards)

    def model(self, prover: Prover) -> dict[str, int] | None:
        """A model of the formulas, if there is one. Raises Undecided.

        One that the interpreter can repeat is preferred, of small objects.
        """
        counts = [e for e in self._counts if isinstance(e, Reg)]
        for most in FEW_ELEMENTS if counts else ():
            small = (holds(Compare("<=", e, Const(most, e.type))) for e in counts)
            model = self._if_decided(prover, [*self._preferred, *small])
            if model is not None:
                return model
        if self._preferred:
            model = self._if_decided(prover, self._preferred)
            if model is not None:
                return model
        return prover.model(self.formulas)

    def _if_decided(self, prover: Prover, more: Sequence[Formula]) -> dict[str, int] | None:
        try:
            return prover.model([*self.formulas, *more])
        except Undecided:
            return None

    def feasible(self, model: Mapping[str, int]) -> Feasible:
        """The execution that a model of the formulas describes."""
        inputs = tuple(
            {i.name: model[f"{i.name}~{k}"] for i in step.inputs if f"{i.name}~{k}" in model}
            for k, step in enumerate(self._path.steps)
        )
        counts = (e.value if isinstance(e, Const) else model.get(e.name, 0) for e in self._counts)
        elements = max(counts, default=0)
        if elements > MAX_CELLS:
            self._doubt = f"an execution that allocates {elements} elements is not repeated"
        initial = {name: v for name, v in model.items() if "~" not in name}
        return Feasible(initial, inputs, self._doubt)


_FOLDER = Folder(Overflow.END, {})


def replace_registers(e: Expr, values: Mapping[str, Term]) -> Expr:
    """The expression with these values in place of its variables, folded."""
    return _FOLDER.fold(replace(e, values))


def replace_in_array(array: Array, values: Mapping[str, Term]) -> Array:
    """The array with these values in place of its variables, folded."""
    return _FOLDER.fold_array(replace_arrays(array, values))
