"""The tree of a search without stored states, for graphviz.

A node is a prefix of executions, an edge a step: the thread, the source lines, and what is read
and written. Dashed red lines are races that were looked at: from the later step, or a thread that
waits, to the earlier one. Grey leaves are threads that were not explored, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abpress.search.recorder import RecordedTree
from abpress.search.statistics import Outcome
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import State
from abpress.semantics.tracing import TracedAction
from abpress.witness.sources import SourceLines, place_for_people

_MOST_TEXT = 72
"""Characters of a line of a label."""

_MOST_VALUES = 6
"""Accesses of a step that are written out."""

_CENTRE, _LEFT = r"\n", r"\l"
"""How lines of a label end."""

_STYLES = {
    Outcome.COMPLETE: "shape=doublecircle",
    Outcome.DEADLOCKED: "shape=octagon, style=filled, fillcolor=orange",
    Outcome.ASSUME_BLOCKED: "shape=box, style=filled, fillcolor=lightyellow",
    Outcome.SLEEP_SET_BLOCKED: "shape=box, style=filled, fillcolor=lightgrey",
    Outcome.CUT: "shape=box, style=filled, fillcolor=lightblue",
    Outcome.VIOLATING: "shape=octagon, style=filled, fillcolor=red, fontcolor=white",
}


def to_dot(
    tree: RecordedTree, interpreter: Interpreter, sources: Mapping[str, str]
) -> Iterator[str]:
    """The lines of the graph. The steps are run again, for what they access."""
    hidden = tree.hidden
    yield "digraph exploration {"
    yield "  node [shape=circle, fontname=monospace, fontsize=10];"
    yield "  edge [fontname=monospace, fontsize=9];"
    if hidden:
        text = f"{len(tree.nodes)} nodes are drawn, {hidden} more are left out"
        yield f"  {_label([text])}; labelloc=t;"
    yield from _nodes(tree, interpreter, sources)
    yield from _races(tree)
    yield "}"


def _nodes(
    tree: RecordedTree, interpreter: Interpreter, sources: Mapping[str, str]
) -> Iterator[str]:
    lines = SourceLines(sources)
    states: list[State | None] = []  # None after a violation
    for number, node in enumerate(tree.nodes):
        text, style = [str(number)], ""
        if node.outcome is not None:
            text.append(node.outcome.value.replace("_", " "))
            style = f", {_STYLES[node.outcome]}"
        elif not node.left and not node.hidden:
            text.append("the search stopped")
        yield f"  n{number} [{_label(text)}{style}];"
        if node.parent is None:
            states.append(interpreter.initial())
        else:
            before = states[node.parent]
            thread, choices = node.step
            assert before is not None
            step = interpreter.take(before, thread, choices)
            assert step is not None, "internal error: a step of the tree cannot be run again"
            states.append(step.successor if step.violation is None else None)
            events = interpreter.views.trace(before, thread, choices)
            label = _lines(interpreter.views.thread_name(thread), events, lines, sources)
            yield f"  n{node.parent} -> n{number} [{_label(label, _LEFT)}];"
        for thread, why in node.pruned.items():
            name = interpreter.views.thread_name(thread)
            yield from _leaf(number, f"t{thread}", [name, why.value])
        if node.hidden:
            yield from _leaf(number, "more", [f"{node.hidden} nodes left out"])


def _leaf(number: int, suffix: str, label: list[str]) -> Iterator[str]:
    leaf = f"n{number}_{suffix}"
    yield f"  {leaf} [shape=plaintext, fontcolor=grey40, fontsize=8, {_label(label)}];"
    yield f"  n{number} -> {leaf} [style=dotted, color=grey, arrowhead=none];"


def _races(tree: RecordedTree) -> Iterator[str]:
    ends = {(node.parent, node.step[0]): f"n{k}" for k, node in enumerate(tree.nodes)}
    ends.update(
        ((k, thread), f"n{k}_t{thread}")
        for k, node in enumerate(tree.nodes)
        for thread in node.pruned
    )
    for race in tree.races:
        earlier, later = ends.get(race.earlier), ends.get(race.later)
        if earlier is not None and later is not None:  # else a step is left out
            yield f"  {later} -> {earlier} [style=dashed, color=red, constraint=false];"


def _lines(
    name: str, events: tuple[TracedAction, ...], lines: SourceLines, sources: Mapping[str, str]
) -> list[str]:
    """The label of a step: the source lines with what is accessed there."""
    places: dict[str, list[str]] = {}
    for event in events:
        place = place_for_people(event.position, sources)
        accesses = places.setdefault(f"{place.line}: {lines.at(place)}", [])
        accesses += [f"{cell}={value}" for cell, value in event.reads]
        accesses += [f"{cell}:={value}" for cell, value in event.writes]
        accesses += [f"{what or 'input'}={value}" for what, value in event.choices]
        accesses += [event.note] if event.note else []
    label = [name]
    for line, accesses in places.items():
        more = f", … {len(accesses) - _MOST_VALUES} more" if len(accesses) > _MOST_VALUES else ""
        label.append(line)
        if accesses:
            label.append("  " + ", ".join(accesses[:_MOST_VALUES]) + more)
    return label


def _label(lines: list[str], end: str = _CENTRE) -> str:
    """A label of these lines; `end` says how they are aligned."""
    short = (s if len(s) <= _MOST_TEXT else s[: _MOST_TEXT - 1] + "…" for s in lines)
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in short)
    return 'label="' + "".join(line + end for line in escaped) + '"'
