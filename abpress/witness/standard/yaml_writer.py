"""Writes witnesses in YAML, versions 2.0 to 2.2 of the format."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass
from typing import Any

from abpress.version import __version__
from abpress.witness.standard.model import (
    CorrectnessWitness,
    Segment,
    StandardWitness,
    ViolationWitness,
    Waypoint,
    WaypointType,
    WitnessLocation,
    WitnessTask,
    without_ghosts,
)
from abpress.witness.standard.yaml_block import yaml_text

THREADS_SINCE = (2, 2)
GHOSTS_SINCE = (2, 1)
"""The versions from which on waypoints have threads, and there are ghost variables."""


@dataclass(frozen=True, slots=True)
class YamlVersion:
    """A version of the format, as text."""

    text: str

    @property
    def number(self) -> tuple[int, ...]:
        """The version, to compare."""
        return tuple(map(int, self.text.split(".")))


def write_yaml(number: str, witness: StandardWitness, created: str) -> str:
    """The text of a witness in a version of the format. `created` is the date and time in ISO 8601;
    nothing else of the text depends on when it is written."""
    version = YamlVersion(number)
    entries = [
        {
            "entry_type": kind,
            "metadata": _metadata(witness.task, version, created, kind, content),
            "content": content,
        }
        for kind, content in _contents(witness, version)
    ]
    return yaml_text(entries)


def _contents(witness: StandardWitness, version: YamlVersion) -> list[tuple[str, Any]]:
    if isinstance(witness, ViolationWitness):
        segments = [_segment(segment, version) for segment in witness.segments]
        return [("violation_sequence", segments)]
    if version.number < GHOSTS_SINCE:
        return [("invariant_set", _invariants(without_ghosts(witness)))]
    return [
        *([("ghost_instrumentation", _ghosts(witness))] if witness.ghosts else []),
        ("invariant_set", _invariants(witness)),
    ]


def _invariants(witness: CorrectnessWitness) -> list[dict[str, Any]]:
    return [
        {
            "invariant": {
                "type": "loop_invariant" if stated.at_loop else "location_invariant",
                "location": _location(stated.location),
                "value": stated.value,
                "format": "c_expression",
            }
        }
        for stated in witness.invariants
    ]


def _ghosts(witness: CorrectnessWitness) -> dict[str, Any]:
    return {
        "ghost_variables": [
            {
                "name": ghost.name,
                "scope": "global",
                "type": ghost.type,
                "initial": {"value": ghost.initial, "format": "c_expression"},
            }
            for ghost in witness.ghosts
        ],
        "ghost_updates": [
            {
                "location": _location(update.location),
                "updates": [
                    {
                        "variable": update.variable,
                        "value": update.value,
                        "format": "c_expression",
                    }
                ],
            }
            for update in witness.updates
        ],
    }


def _segment(segment: Segment, version: YamlVersion) -> dict[str, Any]:
    """Before there are threads, a segment follows one waypoint."""
    follow = segment.follow if version.number >= THREADS_SINCE else segment.follow[:1]
    return {
        "segment": [
            *({"waypoint": _waypoint(w, "avoid", version)} for w in segment.avoid),
            *({"waypoint": _waypoint(w, "follow", version)} for w in follow),
        ]
    }


def _waypoint(waypoint: Waypoint, action: str, version: YamlVersion) -> dict[str, Any]:
    data: dict[str, Any] = {"type": waypoint.type.value, "action": action}
    if waypoint.thread is not None and version.number >= THREADS_SINCE:
        data["thread_id"] = waypoint.thread
    if waypoint.value:
        data["constraint"] = {"value": waypoint.value, **_format_of(waypoint.type, version)}
    return data | {"location": _location(waypoint.location)}


def _format_of(type: WaypointType, version: YamlVersion) -> dict[str, str]:
    if type is WaypointType.BRANCHING:
        return {}
    if type is WaypointType.FUNCTION_RETURN:
        return {"format": "acsl_expression" if version.text == "2.0" else "ext_c_expression"}
    return {"format": "c_expression"}


def _location(location: WitnessLocation) -> dict[str, Any]:
    return {
        "file_name": location.file,
        "line": location.line,
        **({"column": location.column} if location.column else {}),
        **({"function": location.function} if location.function else {}),
    }


def _metadata(
    task: WitnessTask, version: YamlVersion, created: str, kind: str, content: Any
) -> dict[str, Any]:
    """The metadata of an entry; its identifier is made of what it says."""
    what = {
        "input_files": list(task.hashes),
        "input_file_hashes": dict(task.hashes),
        "specification": task.specification,
        "data_model": task.data_model,
        "language": "C",
    }
    said = json.dumps([version.text, kind, what, content], sort_keys=True)
    digest = hashlib.sha256(said.encode()).digest()[:16]
    return {
        "format_version": version.text,
        "uuid": str(uuid.UUID(bytes=digest, version=5)),
        "creation_time": created,
        "producer": {"name": "AbPress", "version": __version__},
        "task": what,
    }
