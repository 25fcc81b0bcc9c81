"""Graphviz text of the control-flow graphs of a program."""

from __future__ import annotations

from collections.abc import Iterator

from abpress.errors import NOWHERE
from abpress.ir.program import Edge, Program, Template, goes_on
from abpress.ir.text import Writer

ATOMIC_STYLE = 'style=filled, fillcolor="#ffe0b0"'


def to_dot(program: Program) -> str:
    """One cluster per template; atomic locations are filled, blocking edges dashed."""
    return "\n".join(_graph(program)) + "\n"


def _graph(program: Program) -> Iterator[str]:
    yield "digraph program {"
    yield '  node [shape=circle, fontname="monospace"];'
    yield '  edge [fontname="monospace", fontsize=10];'
    for n, template in enumerate(program.templates.values()):
        yield f"  subgraph cluster_{n} {{"
        yield f"    label={_quoted(template.name)};"
        yield from _template(f"t{n}", template, Writer(program.pointer_size, template.registers))
        yield "  }"
    yield "}"


def _template(prefix: str, template: Template, writer: Writer) -> Iterator[str]:
    for i, location in enumerate(template.locations):
        attributes = [f"label={_quoted(f'L{i}')}"]
        if location.atomic:
            attributes.append(ATOMIC_STYLE)
        if i == template.entry:
            attributes.append("penwidth=2")
        yield f"    {prefix}_{i} [{', '.join(attributes)}];"
    for i, location in enumerate(template.locations):
        for k, edge in enumerate(location.edges):
            target = f"{prefix}_{edge.target}"
            if not goes_on(edge):
                target = f"{prefix}_{i}_end{k}"
                yield f'    {target} [shape=point, label=""];'
            yield f"    {prefix}_{i} -> {target} [{_edge(edge, writer)}];"


def _edge(edge: Edge, writer: Writer) -> str:
    guard = writer.guard(edge)
    lines = ([f"[{guard}]"] if guard else []) + [writer.effect(e) for e in edge.effects]
    if edge.position != NOWHERE:
        lines.append(f"@ {edge.position}")
    style = ", style=dashed" if edge.kind.value != "branch" else ""
    return f"label={_quoted(chr(10).join(lines))}{style}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\l") + '"'
