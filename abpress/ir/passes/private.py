"""Static objects that one created thread alone uses become local objects of it.

They have the same initial values then, and nobody else can tell. As `promote` makes registers of
them, nothing remembers what they hold where it is read no more, or when the thread has finished.

NOTE(private-objects).

Precondition: the program is well-formed. Preserves violations, deadlocks and faults; not what is in
these objects at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from abpress.ir.passes.direct import accessed_cell, indirect_objects
from abpress.ir.passes.promote import MOST_CELLS
from abpress.ir.paths import comes_again
from abpress.ir.program import Edge, Enter, Location, Program, Spawn, Template, edges


def with_private_objects(program: Program) -> Program:
    """The program with such objects in their threads."""
    users: dict[str, set[str]] = {}
    for template in program.templates.values():
        for name in _used(program, template):
            users.setdefault(name, set()).add(template.name)
    refused = indirect_objects(program) | set(_of_models(program))
    once = _created_once(program)
    owners: dict[str, list[str]] = {}
    for name, its in users.items():
        o = program.objects[name]
        if len(its) == 1 and its <= once and name not in refused:
            (owner,) = its
            if not o.readonly and len(o.layout.cells) <= MOST_CELLS:
                owners.setdefault(owner, []).append(name)
    templates = dict(program.templates)
    moved: set[str] = set()
    for owner, names in owners.items():
        taken = {register.partition("#")[0] for register in templates[owner].registers}
        mine = [name for name in sorted(names) if name not in taken]
        moved.update(mine)
        templates[owner] = _with_locals(program, templates[owner], mine)
    objects = {name: o for name, o in program.objects.items() if name not in moved}
    return replace(program, templates=templates, objects=objects) if moved else program


def _used(program: Program, template: Template) -> Iterator[str]:
    for _, edge in edges(template):
        for effect in edge.effects:
            address = accessed_cell(program, template, effect)
            if address is not None:
                yield address.object


def _of_models(program: Program) -> Iterator[str]:
    """The objects that models of the library use: they mean more than their numbers say."""
    for template in program.templates.values():
        for _, edge in edges(template):
            if edge.position.in_model:
                for effect in edge.effects:
                    address = accessed_cell(program, template, effect)
                    if address is not None:
                        yield address.object


def _created_once(program: Program) -> set[str]:
    """The templates that one thread at most runs, which main creates. (What main keeps does not
    multiply states, and who reads its traces looks for it.)"""
    creations: dict[str, list[tuple[str, int]]] = {}
    for template in program.templates.values():
        for i, edge in edges(template):
            for effect in edge.effects:
                if isinstance(effect, Spawn):
                    creations.setdefault(effect.template, []).append((template.name, i))
    if program.main in creations:
        return set()
    main = program.templates[program.main]
    found = set()
    for name, places in creations.items():
        if len(places) == 1:
            ((creator, at),) = places
            if creator == program.main and not comes_again(main, at):
                found.add(name)
    return found


def _with_locals(program: Program, template: Template, names: list[str]) -> Template:
    if not names:
        return template
    first = template.locations[template.entry]
    begin = Edge(
        template.entry,
        effects=tuple(map(Enter, names)),
        position=first.edges[0].position,
    )
    return replace(
        template,
        entry=len(template.locations),
        locations=(*template.locations, Location((begin,), first.atomic)),
        locals={**template.locals, **{name: program.objects[name] for name in names}},
    )
