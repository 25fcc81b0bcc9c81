"""What threads test and compute by their steps: of that guesses are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from abpress.analysis.registers import TID
from abpress.engines.templates.forms import equal
from abpress.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, walk
from abpress.logic.formula import Formula, conjuncts, disj, holds, neg, substitute, variables
from abpress.modular.templates.paths import At, ThreadStep, private_name
from abpress.modular.templates.steps import TemplateSteps

_MOST_NUMBERS = 5
"""Numbers with which values are compared."""

_MOST_TESTS = 3
"""That are looked at, of each place."""

_MOST_CHOICES = 6
"""Of tests for chosen elements, of each place."""

_MOST_CARRIED = 8
"""Of tests that go on to hold, of copies and of other things, of each template."""

_LARGEST = 1 << 30
"""Larger numbers are bounds of types, or mean nothing."""

Taken = Mapping[At, Sequence[ThreadStep]]
"""The steps from each cut."""


def last_read(steps: TemplateSteps, at: At) -> tuple[Reg, ...]:
    """The variables of a thread that tell what was read last."""
    read = (*steps.elements.read_last(at[0]), *steps.nodes.read_last)
    names = {private_name(at[0], r) for r in read}
    return tuple(v for v in steps.private(*at) if v.name in names)


def to_nodes(steps: TemplateSteps, at: At) -> tuple[Reg, ...]:
    """The variables of a thread that tell whether pointers are to the chosen node."""
    registers = steps.program.templates[at[0]].registers
    names = {
        private_name(at[0], name)
        for name, type in registers.items()
        if steps.nodes.follows(at[0], Reg(name, type))
    }
    return tuple(v for v in steps.private(*at) if v.name in names)


def chosen(steps: TemplateSteps, at: At, taken: Taken) -> tuple[Formula, ...]:
    """That what the thread accesses, anywhere in its template, is the chosen element of an
    array, as far as it knows that where it stands; that it has read that one last; that a pointer
    is to the chosen node; and that it is a chosen thread."""
    indices = {v.name for v in steps.elements.indices}
    own = indices.union(v.name for v in steps.private(*at))
    every = (step for (name, _), its in taken.items() if name == at[0] for step in its)
    found: dict[Formula, None] = {}
    for f in (f for step in every for part in step.guard for f in conjuncts(part)):
        is_equal = isinstance(f.expr, Compare) and f.expr.op in ("==", "!=")
        if is_equal and own >= variables(f) and not indices.isdisjoint(variables(f)):
            assert isinstance(f.expr, Compare)
            found[f if f.expr.op == "==" else neg(f)] = None
    nodes = (*last_read(steps, at), *to_nodes(steps, at), *steps.nodes.pointers)
    last = (equal(v, Const(1, v.type)) for v in nodes)
    return (*last, *steps.chosen_threads.marked(at[0]), *tuple(found)[:_MOST_CHOICES])


def tested(steps: TemplateSteps, at: At, its: Sequence[ThreadStep]) -> tuple[Formula, ...]:
    """What steps from a cut test that the thread knows by itself."""
    own = {v.name for v in steps.private(*at) if not v.name.endswith(f":{TID}")}
    atoms = (f for step in its for part in step.guard for f in conjuncts(part))
    tests = dict.fromkeys(f for f in atoms if f.expr is not None and own >= variables(f))
    return tuple(tests)[:_MOST_TESTS]


def passed(steps: TemplateSteps, template: str, taken: Taken) -> tuple[Formula, ...]:
    """What threads of a template have tested of cells that a register is a copy of since, and of
    what belongs to them: it holds until that changes."""
    shared = frozenset(v.name for v in steps.shared)
    found: dict[Formula, None] = {}
    own: dict[Formula, None] = {}
    for step in chain.from_iterable(its for at, its in taken.items() if at[0] == template):
        copies: dict[str, Expr] = {}
        for name, value in step.values.items():
            if isinstance(value, Reg) and name not in shared:
                copies.setdefault(value.name, Reg(name, value.type))
        for f in (f for part in step.guard for f in conjuncts(part)):
            said = substitute(f, copies)
            if f.expr is not None and shared.isdisjoint(variables(said)):
                (own if said == f else found)[said] = None
                own.update(dict.fromkeys(_of_values(f, step)))
    return (*tuple(found)[:_MOST_CARRIED], *tuple(own)[:_MOST_CARRIED])


def _of_values(f: Formula, step: ThreadStep) -> Iterator[Formula]:
    """What is tested of a value that a step gives to a variable."""
    match f.expr:
        case Compare(op, left, Const() as number):
            for name, value in step.values.items():
                if value == left and not isinstance(value, Reg):
                    yield holds(Compare(op, Reg(name, value.type), number))
        case _:
            pass


def ways(
    steps: TemplateSteps, taken: Taken
) -> Iterator[tuple[At, ThreadStep, At, Mapping[str, Expr]]]:
    """From which cut which step leads to which cut, the thread itself or one that it creates, and
    the values that there are then."""
    templates = steps.program.templates
    for at, its in taken.items():
        for step in its:
            if step.target is not None:
                yield at, step, (step.template, step.target), step.values
            for begun in step.spawned:
                entry = begun.template, templates[begun.template].entry
                yield at, step, entry, {**step.values, **begun.values}


def counted(taken: Taken) -> Iterator[str]:
    """The variables that a step makes a number more, or less, than one of them."""
    for step in chain.from_iterable(taken.values()):
        for name, value in step.values.items():
            inner = value.arg if isinstance(value, Convert) else value
            if isinstance(inner, Binary) and inner.op in "+-" and isinstance(inner.right, Const):
                yield name


def is_compared(f: Formula) -> bool:
    """Whether it compares values, and does not say that an operator does not overflow."""
    match f.expr:
        case Compare(_, left, right):
            return all(abs(e.value) <= _LARGEST for e in (left, right) if isinstance(e, Const))
        case _:
            return False


def copied(steps: TemplateSteps, taken: Taken) -> tuple[tuple[Reg, Reg], ...]:
    """The registers that a step makes a copy of a shared cell, with the cell."""
    shared = {v.name: v for v in steps.shared}
    found: dict[tuple[Reg, Reg], None] = {}
    for step in chain.from_iterable(taken.values()):
        for name, value in step.values.items():
            if isinstance(value, Reg) and value.name in shared and name not in shared:
                found[Reg(name, value.type), value] = None
    return tuple(found)


def limits(taken: Taken, copies: Iterable[tuple[Reg, Reg]]) -> Mapping[str, tuple[int, ...]]:
    """The numbers that shared cells are compared with that steps count, also by way of copies."""
    cells = {v.name: cell.name for v, cell in copies}
    cells |= {name: name for name in counted(taken)}
    found: dict[str, dict[int, None]] = {}
    for step in chain.from_iterable(taken.values()):
        for f in (f for part in step.guard for f in conjuncts(part)):
            match f.expr:
                case Compare(_, Reg(name), Const(n)) if name in cells and abs(n) <= _LARGEST:
                    found.setdefault(cells[name], {})[n] = None
                case _:
                    pass
    return {cell: tuple(its)[:_MOST_NUMBERS] for cell, its in found.items()}


def safe(its: Sequence[ThreadStep]) -> tuple[Formula, ...]:
    """That no step of these ends in an error."""
    return tuple(disj(map(neg, step.guard)) for step in its if step.error is not None)


def numbers_of(taken: Taken) -> tuple[int, ...]:
    """Numbers of a program that values may be compared with: the smallest ones."""
    found = {0, 1}
    for step in chain.from_iterable(taken.values()):
        for e in step.values.values():
            found.update(sub.value for sub in walk(e) if isinstance(sub, Const))
        for f in step.guard:
            found.update(_constants(f))
    small = (n for n in found if abs(n) <= _LARGEST)
    return tuple(sorted(sorted(small, key=abs)[:_MOST_NUMBERS]))


def _constants(f: Formula) -> Iterator[int]:
    if f.expr is not None:
        yield from (sub.value for sub in walk(f.expr) if isinstance(sub, Const))
    for part in f.parts:
        yield from _constants(part)
