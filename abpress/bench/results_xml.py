"""Results as BenchExec writes them: XML for `table-generator` and the scripts of the competition.

The format is that of BenchExec 3 (`benchexec/outputhandler.py`; read by
`benchexec/tablegenerator/__init__.py`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from abpress.bench.files import write_whole
from abpress.bench.record import Benchmark, Category, Run
from abpress.properties import GROUPS, PROPERTIES, check_line

TOOL_MODULE = "abpress.bench.tool_info"
"""The module by which BenchExec knows AbPress."""

_STATUS = {
    Category.TIMEOUT: "TIMEOUT",
    Category.OUT_OF_MEMORY: "OUT OF MEMORY",
    Category.ERROR: "ERROR",
}

_CATEGORY = {
    Category.CORRECT: "correct",
    Category.WRONG: "wrong",
    Category.UNKNOWN: "unknown",
    Category.TIMEOUT: "error",
    Category.OUT_OF_MEMORY: "error",
    Category.ERROR: "error",
    Category.UNJUDGED: "missing",
}

_SHOWN = ("status", "cputime", "walltime", "memory", "nodes", "score")
"""The columns that a table has when nothing else is asked for."""

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What an XML document cannot contain (XML 1.0, production 2)."""


def write_xml(benchmark: Benchmark, folder: Path) -> tuple[Path, ...]:
    """Writes one file per configuration and property, and the property files; returns the former.

    `folder` is the output folder: traces and certificates, which become the "log files" of the
    runs, are relative to it. `table-generator` computes scores where it can read a property file;
    there is one for each property that AbPress knows. Raises InputError.
    """
    properties = tuple(dict.fromkeys(run.property for run in benchmark.runs))
    for name in properties:
        parts = GROUPS.get(name, (name,))
        if set(parts) <= set(PROPERTIES):
            text = "".join(f"{check_line(PROPERTIES[part].ltl)}\n" for part in parts)
            write_whole(folder / f"{name}.prp", text)
    written = []
    names = _file_names((c, p) for c in benchmark.configs for p in properties)
    for (config, property), file in names.items():
        runs = [r for r in benchmark.runs if (r.config, r.property) == (config, property)]
        if not runs:
            continue
        root = _result(benchmark, config, property, runs)
        ElementTree.indent(root, " ")
        text = ElementTree.tostring(root, encoding="unicode")
        write_whole(folder / file, f"<?xml version='1.0' encoding='UTF-8'?>\n{text}\n")
        written.append(folder / file)
    return tuple(written)


def status_of(run: Run) -> str:
    """The status in BenchExec's words: "true", "false(unreach-call)", "TIMEOUT", …"""
    if run.category in _STATUS:
        return _STATUS[run.category]
    return f"false({run.property})" if run.verdict == "false" else run.verdict


def _file_names(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Distinct names, also where file systems do not tell upper from lower case."""
    names: dict[tuple[str, str], str] = {}
    taken = set()
    for config, property in pairs:
        parts = (re.sub(r"[^A-Za-z0-9._=+,-]", "_", part) for part in (config, property))
        stem = name = ".".join(("abpress", "results", *parts))
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}.{number}"
        taken.add(name.lower())
        names[config, property] = f"{name}.xml"
    return names


def _result(
    benchmark: Benchmark, config: str, property: str, runs: Sequence[Run]
) -> ElementTree.Element:
    limits = benchmark.limits
    root = _element(
        "result",
        benchmarkname="abpress-bench",
        date=benchmark.started,
        starttime=benchmark.started,
        tool="abpress",
        version=benchmark.version,
        toolmodule=TOOL_MODULE,
        generator=f"abpress bench {benchmark.version}",
        memlimit=None if limits.memory_mb is None else f"{round(limits.memory_mb * 2**20)}B",
        timelimit=None if limits.cpu_s is None else f"{limits.cpu_s:g}s",
        options=shlex.join(benchmark.configs[config]),
        name=f"{config}.{property}",
    )
    columns = ElementTree.SubElement(root, "columns")
    columns.extend(_element("column", title=title) for title in _SHOWN)
    root.extend(_run(run) for run in runs)
    return root


def _run(run: Run) -> ElementTree.Element:
    element = _element(
        "run",
        name=run.task,
        options=shlex.join(run.options) or None,
        properties=run.property,
        propertyFile=f"{run.property}.prp" if run.property in {*PROPERTIES, *GROUPS} else None,
        expectedVerdict=run.expected,
        logfile=quote(run.trace or run.certificate or ""),
    )
    for title, value in _columns(run):
        hidden = None if title in _SHOWN else "true"
        element.append(_element("column", title=title, value=value, hidden=hidden))
    return element


def _columns(run: Run) -> Iterator[tuple[str, str]]:
    yield "status", status_of(run)
    yield "cputime", f"{run.cpu_s:.9g}s"
    yield "walltime", f"{run.wall_s:.9g}s"
    yield "memory", f"{round(run.memory_mb * 2**20)}B"
    if (nodes := run.nodes()) is not None:
        yield "nodes", str(nodes)
    yield "score", str(run.score)
    yield "category", _CATEGORY[run.category]
    if run.status is not None:
        yield ("returnvalue", str(run.status)) if run.status >= 0 else ("signal", str(-run.status))
    yield "engine", run.engine
    yield "reduction", run.reduction
    yield "reason", run.reason
    for name, value in sorted(run.statistics.items()):
        yield f"statistics.{name}", str(value)


def _element(tag: str, **attributes: str | None) -> ElementTree.Element:
    given = {key: _ILLEGAL.sub("?", v) for key, v in attributes.items() if v is not None}
    return ElementTree.Element(tag, given)
