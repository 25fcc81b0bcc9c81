"""What threads of a program are to one another: who reads what others write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from abpress.analysis.facts import Facts
from abpress.ir.program import Program, Template

_Cell = tuple[object, int | None]
"""An object, and an offset in it; None is all of it."""


@dataclass(frozen=True, slots=True)
class _Contended:
    """The cells that a template reads and writes, and others do, too."""

    reads: frozenset[_Cell]
    writes: frozenset[_Cell]


def groups(program: Program) -> Mapping[str, int]:
    """Template -> the number of its group: those whose accesses conflict are in one. Main is in
    group 0 alone."""
    shared = _shared(program)
    found: dict[str, int] = {program.main: 0}
    for name in shared:
        if name not in found:
            number = len(set(found.values()))
            todo = [name]
            while todo:
                one = todo.pop()
                if one not in found:
                    found[one] = number
                    todo += [o for o in shared if o not in found and _conflict(shared, one, o)]
    return found


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
    reads: set[_Cell] = set()
    writes: set[_Cell] = set()
    atomic = {
        (i, k)
        for i, location in enumerate(template.locations)
        if location.atomic
        for k in range(len(location.edges))
    }
    for i, k in facts.visible[name] | atomic:
        for touched in facts.touching.touched(name, template.locations[i].edges[k]):
            cells = (None,) if touched.cells is None else touched.cells
            (writes if touched.writes else reads).update((touched.object, c) for c in cells)
    return _Contended(frozenset(reads), frozenset(writes))


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
