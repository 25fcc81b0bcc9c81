"""Reads witnesses in GraphML, version 1.0 of the format, of any tool.

A violation witness is read as the path from the entry to the violation. Edges become waypoints: a
created thread, a condition with its value, what is assumed behind a statement, and else that the
thread comes to the line. A graph that branches raises UnsupportedError.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from abpress.errors import InputError, Position, UnsupportedError
from abpress.witness.standard.graphml_writer import ARCHITECTURES
from abpress.witness.standard.model import (
    CorrectnessWitness,
    Segment,
    StandardWitness,
    ViolationWitness,
    Waypoint,
    WaypointType,
    WitnessLocation,
    WitnessTask,
)
from abpress.yaml_text import read_text

_DATA_MODELS = {name: model for model, name in ARCHITECTURES.items()}


@dataclass(slots=True)
class _Element:
    """A node or an edge, with its data. Mutable while it is read."""

    position: Position
    attributes: Mapping[str, str]
    data: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Graph:
    """Takes a text apart. Mutable: it is told what the parser meets."""

    name: str
    nodes: dict[str, _Element] = field(default_factory=dict)
    edges: list[_Element] = field(default_factory=list)
    graph: _Element | None = None
    open: list[_Element] = field(default_factory=list)
    key: str = ""
    text: list[str] = field(default_factory=list)

    def begin(self, tag: str, attributes: dict[str, str], at: Position) -> None:
        """An element begins."""
        element = _Element(at, attributes)
        if tag == "graph":
            self.graph = element
        elif tag == "node":
            self.nodes[attributes.get("id", "")] = element
        elif tag == "edge":
            self.edges.append(element)
        if tag in ("graph", "node", "edge"):
            self.open.append(element)
        if tag == "data":
            self.key, self.text = attributes.get("key", ""), []

    def text_of(self, text: str) -> None:
        """Characters inside an element."""
        self.text.append(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag in ("graph", "node", "edge"):
            self.open.pop()
        if tag == "data" and self.open:
            its, said = self.open[-1].data, "".join(self.text).strip()
            its[self.key] = f"{its[self.key]}\n{said}" if self.key in its else said


def read_graphml_witness(file: Path) -> StandardWitness:
    """The witness that a file holds. Raises InputError and UnsupportedError."""
    graph = _parsed(file)
    top = graph.graph
    if top is None:
        raise InputError("there is no graph in it", Position(str(file), 1, 1))
    kind = _word(top, "witness-type", ("violation_witness", "correctness_witness"))
    language = top.data.get("sourcecodelang", "C")
    if language != "C":
        raise InputError(f"sourcecodelang: {language!r} is not C", top.position)
    architecture = _word(top, "architecture", _DATA_MODELS) if "architecture" in top.data else ""
    task = WitnessTask(
        {_required(top, "programfile"): top.data.get("programhash", "").lower()},
        top.data.get("specification", ""),
        _DATA_MODELS.get(architecture, ""),
        top.position,
    )
    if kind == "violation_witness":
        return ViolationWitness(task, _segments(graph, next(iter(task.hashes))))
    invariant = next((n for n in graph.nodes.values() if n.data.get("invariant")), None)
    if invariant is not None:
        raise UnsupportedError("an invariant at a node of GraphML", invariant.position)
    return CorrectnessWitness(task)


def _parsed(file: Path) -> _Graph:
    graph = _Graph(str(file))
    parser = expat.ParserCreate()

    def here() -> Position:
        return Position(graph.name, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def entity(*_: object) -> None:
        raise InputError("declarations of entities are not allowed", here())

    parser.StartElementHandler = lambda tag, its: graph.begin(tag, its, here())
    parser.EndElementHandler = graph.end
    parser.CharacterDataHandler = graph.text_of
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(read_text(file), True)
    except expat.ExpatError as error:
        at = Position(graph.name, error.lineno, error.offset + 1)
        raise InputError(f"not XML: {expat.ErrorString(error.code)}", at) from error
    return graph


def _required(element: _Element, key: str) -> str:
    if not element.data.get(key):
        raise InputError(f"{key} is missing", element.position)
    return element.data[key]


def _word(element: _Element, key: str, known: Mapping[str, str] | tuple[str, ...]) -> str:
    word = _required(element, key)
    if word not in known:
        raise InputError(f"{key}: {word!r} is none of {', '.join(known)}", element.position)
    return word


def _segments(graph: _Graph, file: str) -> tuple[Segment, ...]:
    path = _path(graph)
    numbers: dict[str, int] = {}
    waypoints: list[Waypoint] = []
    for edge in path:
        waypoints += _waypoints(edge, file, numbers)
    if not waypoints:
        raise InputError("no edge on the way to the violation has a line", path[-1].position)
    last = waypoints[-1]
    target = Waypoint(WaypointType.TARGET, last.location, thread=last.thread)
    if last.type is WaypointType.AFTERWARDS:
        what = "an assumption at the edge of the violation, behind which nothing is"
        raise UnsupportedError(what, last.location.place)
    if last.value in ("", "1"):  # it says no more than the target does
        waypoints.pop()
    return tuple(Segment((waypoint,)) for waypoint in (*waypoints, target))


def _path(graph: _Graph) -> list[_Element]:
    """The edges from the entry to the violation. Raises InputError and UnsupportedError."""
    assert graph.graph is not None
    entries = [name for name, node in graph.nodes.items() if node.data.get("entry") == "true"]
    if len(entries) != 1:
        raise InputError(f"{len(entries)} nodes are an entry", graph.graph.position)
    sinks = {name for name, node in graph.nodes.items() if node.data.get("sink") == "true"}
    out: dict[str, list[_Element]] = {}
    for edge in graph.edges:
        source, target = edge.attributes.get("source", ""), edge.attributes.get("target", "")
        if source not in graph.nodes or target not in graph.nodes:
            raise InputError("an edge from or to a node that is not there", edge.position)
        if target != source and target not in sinks:
            out.setdefault(source, []).append(edge)
    here, path = entries[0], list[_Element]()
    while graph.nodes[here].data.get("violation") != "true":
        following = out.get(here, [])
        if not following:
            raise InputError("no violation is reached from the entry", graph.nodes[here].position)
        if len(following) > 1 or len(path) > len(graph.edges):
            raise UnsupportedError("a graph that is no path", graph.nodes[here].position)
        path.append(following[0])
        here = following[0].attributes["target"]
    if not path:
        raise InputError("the entry is the violation", graph.nodes[here].position)
    return path


def _waypoints(edge: _Element, file: str, numbers: dict[str, int]) -> list[Waypoint]:
    """The waypoints of an edge; `numbers` are those of threads, by the names that edges use."""
    data = edge.data
    name = data.get("threadId")
    if not numbers:
        numbers[name or data.get("createThread", "0")] = 0
        if name is None and "startline" not in data:
            return []
    thread = None if name is None else numbers.get(name)
    if name is not None and thread is None:
        raise InputError(f"threadId: no edge creates the thread {name}", edge.position)
    if "startline" not in data:
        return []
    line = data["startline"]
    if not line.isdecimal() or int(line) == 0:
        raise InputError(f"startline: {line!r} is no number of a line", edge.position)
    at = WitnessLocation(file, int(line), place=edge.position)
    said = [key for key in ("createThread", "control", "assumption") if data.get(key)]
    if len(said) > 1:
        raise UnsupportedError(f"an edge with {' and '.join(said)}", edge.position)
    if "createThread" in data:
        numbers[data["createThread"]] = len(numbers)
        return [Waypoint(WaypointType.FUNCTION_ENTER, at, thread=thread)]
    control = data.get("control", "")
    if control:
        value = {"condition-true": "true", "condition-false": "false"}.get(control)
        if value is None:
            raise InputError(f"control: {control!r} is not a condition", edge.position)
        return [Waypoint(WaypointType.BRANCHING, at, value, thread)]
    if data.get("assumption"):
        if "assumption.resultfunction" in data:
            raise UnsupportedError("an assumption of a result in GraphML", edge.position)
        parts = (part.strip() for part in data["assumption"].split(";"))
        value = " && ".join(f"({part})" for part in parts if part)
        return [Waypoint(WaypointType.AFTERWARDS, at, value, thread)]
    return [Waypoint(WaypointType.ASSUMPTION, at, "1", thread)]
