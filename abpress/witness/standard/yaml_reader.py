"""Reads witnesses in YAML, versions 2.0 to 2.2 of the format, of any tool.

What is not of the format is an error with its place; what it has and we do not understand
(function contracts, cycles of termination) raises UnsupportedError.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from abpress.errors import InputError, UnsupportedError
from abpress.witness.standard.model import (
    CorrectnessWitness,
    GhostUpdate,
    GhostVariable,
    Segment,
    StandardWitness,
    StatedInvariant,
    ViolationWitness,
    Waypoint,
    WaypointType,
    WitnessLocation,
    WitnessTask,
)
from abpress.yaml_text import Section, read_yaml_list

_VERSION = re.compile(r"2\.[0-2](-\w+)?")
_VIOLATION, _INVARIANTS, _GHOSTS = "violation_sequence", "invariant_set", "ghost_instrumentation"
_EXPRESSIONS = ("c_expression", "ext_c_expression", "acsl_expression")
_TYPES = {type.value: type for type in WaypointType if type is not WaypointType.AFTERWARDS}


def read_yaml_witness(file: Path) -> StandardWitness:
    """The witness that a file holds. Raises InputError and UnsupportedError."""
    entries = read_yaml_list(file, "a witness")
    kinds = [entry.word("entry_type", (_VIOLATION, _INVARIANTS, _GHOSTS)) for entry in entries]
    versions = [_version(entry) for entry in entries]
    for entry, version in zip(entries, versions, strict=True):
        if version.partition("-")[0] != versions[0].partition("-")[0]:
            entry.section("metadata").refuse("format_version", "entries are of several versions")
    tasks = [_task(entry.section("metadata")) for entry in entries]
    for entry, task in zip(entries, tasks, strict=True):
        if task != tasks[0]:
            entry.refuse("metadata", "entries are for several programs or questions")
    if _VIOLATION in kinds:
        if len(entries) > 1:
            entries[1].refuse("entry_type", "a violation is told by one entry alone")
        # Where there are threads, main is meant if none is named; before, any may be.
        nobody = 0 if versions[0].startswith("2.2") else None
        return ViolationWitness(tasks[0], _segments(entries[0], nobody))
    ghosts = [e for e, kind in zip(entries, kinds, strict=True) if kind == _GHOSTS]
    stated = [e for e, kind in zip(entries, kinds, strict=True) if kind == _INVARIANTS]
    return CorrectnessWitness(
        tasks[0],
        tuple(i for entry in stated for i in _invariants(entry)),
        tuple(
            g for e in ghosts for g in map(_ghost, e.section("content").sections("ghost_variables"))
        ),
        tuple(u for entry in ghosts for u in _updates(entry)),
    )


def _version(entry: Section) -> str:
    if "metadata" not in entry:
        entry.refuse("metadata", "is missing")
    metadata = entry.section("metadata")
    version = metadata.text("format_version")
    if not _VERSION.fullmatch(version):
        metadata.refuse("format_version", f"{version!r} is none of 2.0, 2.1 and 2.2")
    return version


def _task(metadata: Section) -> WitnessTask:
    if "task" not in metadata:
        metadata.refuse("task", "is missing")
    task = metadata.section("task")
    language = task.text("language") if "language" in task else "C"
    if language != "C":
        task.refuse("language", f"{language!r} is not C")
    model = task.word("data_model", ("ILP32", "LP64")) if "data_model" in task else ""
    hashes = task.section("input_file_hashes")
    known = {name: hashes.text(name).lower() for name in hashes.entries}
    for name in task.texts("input_files"):
        known.setdefault(name, "")
    specification = task.text("specification") if "specification" in task else ""
    return WitnessTask(known, specification, model, task.position("input_files"))


def _content(entry: Section) -> Sequence[Section]:
    if "content" not in entry:
        entry.refuse("content", "is missing")
    return entry.sections("content")


def _segments(entry: Section, nobody: int | None) -> tuple[Segment, ...]:
    segments = tuple(_segment(part, nobody) for part in _content(entry))
    if not segments:
        entry.refuse("content", "there is no segment")
    for number, segment in enumerate(segments):
        target = any(w.type is WaypointType.TARGET for w in segment.follow)
        if target != (number == len(segments) - 1):
            place = segment.follow[0].location.place
            raise InputError("a target stands in the last segment, and in no other", place)
    return segments


def _segment(part: Section, nobody: int | None) -> Segment:
    if "segment" not in part:
        part.refuse("segment", "is missing")
    follow: list[Waypoint] = []
    avoid: list[Waypoint] = []
    for item in part.sections("segment"):
        if "waypoint" not in item:
            item.refuse("waypoint", "is missing")
        section = item.section("waypoint")
        action = section.word("action", ("follow", "avoid", "cycle"))
        if action == "cycle":
            raise UnsupportedError("a cycle of non-termination", section.position("action"))
        if action == "avoid" and follow:
            section.refuse("action", "avoid stands before follow")
        (follow if action == "follow" else avoid).append(_waypoint(section, nobody))
        if avoid and avoid[-1].type is WaypointType.TARGET:
            section.refuse("action", "a target is not avoided")
    if not follow:
        part.refuse("segment", "it follows nothing")
    _require_targets(follow)
    return Segment(tuple(follow), tuple(avoid))


def _require_targets(follow: Sequence[Waypoint]) -> None:
    """Raises InputError where a segment follows a target and something else, or several targets
    that are not of one thread each."""
    targets = [waypoint for waypoint in follow if waypoint.type is WaypointType.TARGET]
    if targets and len(targets) != len(follow):
        other = next(w for w in follow if w.type is not WaypointType.TARGET)
        raise InputError("beside a target stands no other waypoint", other.location.place)
    threads = [waypoint.thread for waypoint in targets]
    if len(threads) > 1 and (None in threads or len(set(threads)) != len(threads)):
        what = "several targets are of several threads, which they name"
        raise InputError(what, targets[1].location.place)


def _waypoint(section: Section, nobody: int | None) -> Waypoint:
    type = _TYPES[section.word("type", _TYPES)]
    thread = section.number("thread_id") if "thread_id" in section else nobody
    value = ""
    if "constraint" in section:
        constraint = section.section("constraint")
        value = constraint.text("value")
        if "format" in constraint:
            constraint.word("format", _EXPRESSIONS)
    elif type in (WaypointType.ASSUMPTION, WaypointType.BRANCHING):
        section.refuse("constraint", "is missing")
    if type in (WaypointType.TARGET, WaypointType.FUNCTION_ENTER) and value:
        section.refuse("constraint", f"a {type.value} has none")
    return Waypoint(type, _location(section), value, thread)


def _location(section: Section) -> WitnessLocation:
    if "location" not in section:
        section.refuse("location", "is missing")
    location = section.section("location")
    line = location.number("line")
    if line == 0:
        location.refuse("line", "lines are counted from 1")
    return WitnessLocation(
        location.text("file_name"),
        line,
        location.number("column", 0),
        location.text("function") if "function" in location else "",
        location.position("line"),
    )


def _invariants(entry: Section) -> Iterator[StatedInvariant]:
    for part in _content(entry):
        if "invariant" not in part:
            what = next(iter(part.entries), "nothing")
            raise UnsupportedError(f"{what} in a set of invariants", part.position(what))
        section = part.section("invariant")
        kind = section.text("type")
        if kind not in ("loop_invariant", "location_invariant"):
            raise UnsupportedError(f"{kind} in a set of invariants", section.position("type"))
        section.word("format", ("c_expression", "ext_c_expression"))
        yield StatedInvariant(_location(section), section.text("value"), kind == "loop_invariant")


def _ghost(section: Section) -> GhostVariable:
    section.word("scope", ("global",))
    name = section.text("name")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        section.refuse("name", f"{name!r} is not a name of C")
    return GhostVariable(name, section.text("type"), section.section("initial").text("value"))


def _updates(entry: Section) -> Iterator[GhostUpdate]:
    for part in entry.section("content").sections("ghost_updates"):
        location = _location(part)
        for update in part.sections("updates"):
            yield GhostUpdate(location, update.text("variable"), update.text("value"))
