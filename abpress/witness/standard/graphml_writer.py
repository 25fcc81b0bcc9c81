"""Writes witnesses in GraphML, version 1.0 of the format: a chain of edges, one per waypoint."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from abpress.version import __version__
from abpress.witness.standard.model import (
    CorrectnessWitness,
    StandardWitness,
    ViolationWitness,
    Waypoint,
    WaypointType,
)

ARCHITECTURES = {"ILP32": "32bit", "LP64": "64bit"}
"""Data model -> what GraphML calls it."""

_GRAPH_KEYS = (
    "witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash",
    "architecture", "creationtime",
)  # fmt: skip
_NODE_KEYS = ("entry", "violation")
_EDGE_KEYS = ("threadId", "createThread", "enterFunction", "control", "startline")


def write_graphml(witness: StandardWitness, created: str) -> str:
    """The text of a witness. `created` is the date and time in ISO 8601, without fractions. Of
    invariants it says nothing: what a proof is made of is for YAML."""
    edges = list(_edges(witness)) if isinstance(witness, ViolationWitness) else []
    used = {key for edge in edges for key, _ in edge}
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
        *(_key(key, "graph", "string") for key in _GRAPH_KEYS),
        *(_key(key, "node", "boolean", "false") for key in _NODE_KEYS[: 2 if edges else 1]),
        *(
            _key(key, "edge", "int" if key == "startline" else "string")
            for key in _EDGE_KEYS
            if key in used
        ),
        '<graph edgedefault="directed">',
        *(_data(key, text) for key, text in _head(witness, created)),
        f'<node id="N0">{_data("entry", "true")}</node>',
    ]
    for number, edge in enumerate(edges, 1):
        last = _data("violation", "true") if number == len(edges) else ""
        data = "".join(_data(key, text) for key, text in edge)
        lines.append(f'<node id="N{number}">{last}</node>')
        lines.append(f'<edge source="N{number - 1}" target="N{number}">{data}</edge>')
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _head(witness: StandardWitness, created: str) -> Iterator[tuple[str, str]]:
    task = witness.task
    ((file, digest), *_) = task.hashes.items()
    proof = isinstance(witness, CorrectnessWitness)
    yield "witness-type", "correctness_witness" if proof else "violation_witness"
    yield "sourcecodelang", "C"
    yield "producer", f"AbPress {__version__}"
    yield "specification", task.specification
    yield "programfile", file
    yield "programhash", digest
    yield "architecture", ARCHITECTURES[task.data_model]
    yield "creationtime", created


def _edges(witness: ViolationWitness) -> Iterator[list[tuple[str, str]]]:
    yield [("createThread", "0")]
    yield [("threadId", "0"), ("enterFunction", "main")]
    created = 0
    for segment in witness.segments:
        for waypoint in segment.follow:
            edge = [*_thread(waypoint), ("startline", str(waypoint.location.line))]
            if waypoint.type is WaypointType.FUNCTION_ENTER:
                created += 1
                edge.insert(1, ("createThread", str(created)))
            elif waypoint.type is WaypointType.BRANCHING:
                edge.append(("control", f"condition-{waypoint.value}"))
            yield edge


def _thread(waypoint: Waypoint) -> Iterator[tuple[str, str]]:
    yield "threadId", str(waypoint.thread or 0)


def _key(name: str, of: str, type: str, default: str = "") -> str:
    inner = f"<default>{default}</default>" if default else ""
    id = quoteattr(name)
    return f'<key attr.name={id} attr.type="{type}" for="{of}" id={id}>{inner}</key>'


def _data(key: str, text: str) -> str:
    return f"<data key={quoteattr(key)}>{escape(text)}</data>"
