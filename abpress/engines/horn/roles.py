"""What threads of a program are to one another: who reads what others write, and whose results main
compares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from abpress.analysis.facts import Facts
from abpress.analysis.touching import Touched
from abpress.ir.expr import Compare, Const, Expr, registers, walk
from abpress.ir.program import Assign, Load, Program, Template, edges, effect_target

_Cell = tuple[object, int | None]
"""An object, and an offset in it; None is all of it."""


@dataclass(frozen=True, slots=True)
class _Contended:
    """Cells that a template reads and writes: those that others do, too, or all of them."""

    reads: frozenset[_Cell]
    writes: frozenset[_Cell]


def groups(program: Program) -> Mapping[str, int]:
    """Template -> the number of its group: those whose accesses conflict are in one. Main is in
    group 0 alone."""
    shared = _shared(program)
    conflicts = {name: [o for o in shared if _conflict(shared, name, o)] for name in shared}
    return _numbered(program.main, conflicts)


def parties(program: Program) -> Mapping[str, int]:
    """Template -> the number of its party: those that write what one condition of main compares are
    in one. Main is in party 0 alone."""
    facts = Facts.of(program)
    return _together(program, facts, _compared(program, facts))


def _numbered(main: str, related: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Main has number 0 alone; of the others those that are related, by way of others too, have
    one number."""
    found = {main: 0}
    for name in related:
        number = len(set(found.values()))
        todo = [name]
        while todo:
            one = todo.pop()
            if one not in found:
                found[one] = number
                todo += related[one]
    return found


def sides(program: Program) -> Mapping[str, int]:
    """Template -> the number of its side: those that write what stands on one side of a comparison
    of main are together. Main is on side 0 alone."""
    facts = Facts.of(program)
    read = _read(program, facts)
    main = program.templates[program.main]
    each = [
        frozenset(cell for r in registers(side) for cell in read.get(r, ()))
        for _, edge in edges(main)
        for part in walk(edge.guard)
        if isinstance(part, Compare)
        for side in (part.left, part.right)
    ]
    return _together(program, facts, each)


def _together(
    program: Program, facts: Facts, each: Sequence[frozenset[_Cell]]
) -> Mapping[str, int]:
    """Template -> a number: those have one that write some of the same ones of these cells."""
    written = {
        name: _touched(name, template, facts, None).writes
        for name, template in program.templates.items()
        if name != program.main
    }
    writers = [{name for name, its in written.items() if _meet(cells, its)} for cells in each]
    return _numbered(
        program.main,
        {name: [o for its in writers if name in its for o in its] for name in written},
    )


def _compared(program: Program, facts: Facts) -> list[frozenset[_Cell]]:
    """The cells from which the values come that each guard of main mentions. One that only asks
    which constants were chosen compares nothing: what chose them does."""
    read = _read(program, facts)
    main = program.templates[program.main]
    chosen = _constants_only(main)
    return [
        frozenset(cell for r in registers(edge.guard) for cell in read.get(r, ()))
        for _, edge in edges(main)
        if not registers(edge.guard) <= chosen
    ]


def _constants_only(template: Template) -> set[str]:
    """The registers whose values come from constants only, as those do that say which of some
    conditions hold."""
    values: dict[str, list[Expr | None]] = {}
    for _, edge in edges(template):
        for effect in edge.effects:
            target = effect_target(effect)
            if target is not None:
                value = effect.value if isinstance(effect, Assign) else None
                values.setdefault(target.name, []).append(value)
    found = set(values)
    known = -1
    while known != (known := len(found)):
        found = {
            name
            for name in found
            if all(v is not None and registers(v) <= found for v in values[name])
        }
    return found


def _read(program: Program, facts: Facts) -> Mapping[str, set[_Cell]]:
    """Register of main -> the cells from which its value comes; what decides between constants
    counts, too."""
    main = program.templates[program.main]
    guards: dict[int, list[Expr]] = {}
    for location in main.locations:
        for edge in location.edges:
            guards.setdefault(edge.target, []).append(edge.guard)
    read: dict[str, set[_Cell]] = {}
    known = -1
    while known < (known := sum(map(len, read.values()))):
        for i, edge in edges(main):
            for effect in edge.effects:
                if isinstance(effect, Assign):
                    values = [effect.value]
                    if isinstance(effect.value, Const):
                        values = [edge.guard, *guards.get(i, ())]
                    its = {c for e in values for r in registers(e) for c in read.get(r, ())}
                elif isinstance(effect, Load):
                    touched = facts.touching.touched(program.main, edge)
                    its = {cell for one in touched for cell in _cells(one)}
                else:
                    continue
                read.setdefault(effect.target.name, set()).update(its)
    return read


def consumers_first(program: Program) -> Mapping[str, int]:
    """Template -> its rank: the fewer others read what it writes and does not read what they write,
    the lower; main comes before all."""
    shared = _shared(program)
    balance = {
        name: sum(_feeds(shared, name, o) - _feeds(shared, o, name) for o in shared if o != name)
        for name in shared
    }
    ranks = {value: k + 1 for k, value in enumerate(sorted(set(balance.values())))}
    return {program.main: 0, **{name: ranks[value] for name, value in balance.items()}}


def _shared(program: Program) -> dict[str, _Contended]:
    """Of each template but main."""
    facts = Facts.of(program)
    return {
        name: _of(name, template, facts)
        for name, template in program.templates.items()
        if name != program.main
    }


def _of(name: str, template: Template, facts: Facts) -> _Contended:
    atomic = {
        (i, k)
        for i, location in enumerate(template.locations)
        if location.atomic
        for k in range(len(location.edges))
    }
    return _touched(name, template, facts, facts.visible[name] | atomic)


def _touched(
    name: str, template: Template, facts: Facts, edges: Collection[tuple[int, int]] | None
) -> _Contended:
    """What these edges of a template read and write (None: all edges)."""
    reads: set[_Cell] = set()
    writes: set[_Cell] = set()
    for i, location in enumerate(template.locations):
        for k, edge in enumerate(location.edges):
            if edges is not None and (i, k) not in edges:
                continue
            for touched in facts.touching.touched(name, edge):
                (writes if touched.writes else reads).update(_cells(touched))
    return _Contended(frozenset(reads), frozenset(writes))


def _cells(touched: Touched) -> Iterator[_Cell]:
    for offset in (None,) if touched.cells is None else touched.cells:
        yield touched.object, offset


def _meet(a: frozenset[_Cell], b: frozenset[_Cell]) -> bool:
    whole = {o for o, cell in a if cell is None} | {o for o, cell in b if cell is None}
    return bool(a & b) or bool({o for o, _ in a} & {o for o, _ in b} & whole)


def _conflict(shared: Mapping[str, _Contended], a: str, b: str) -> bool:
    one, other = shared[a], shared[b]
    return (
        _meet(one.writes, other.writes)
        or _meet(one.writes, other.reads)
        or _meet(one.reads, other.writes)
    )


def _feeds(shared: Mapping[str, _Contended], a: str, b: str) -> bool:
    """Whether b reads something that a writes and b does not."""
    return _meet(shared[a].writes - shared[b].writes, shared[b].reads)
