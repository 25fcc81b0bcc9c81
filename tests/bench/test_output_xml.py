"""The XML, as it is, and as BenchExec's `table-generator` understands it."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from abpress.bench.record import Benchmark
from abpress.bench.results_xml import status_of, write_xml
from abpress.properties.prp import property_key
from tests.bench.output_samples import BENCHMARK, run


def table(folder: Path, files: tuple[Path, ...]) -> list[list[str]]:
    """The CSV table that `table-generator` makes of result files."""
    pytest.importorskip("benchexec", reason="BenchExec is not installed")
    program = "import sys; from benchexec.tablegenerator import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, files), "-o", str(folder), "-n", "table"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert "ERROR" not in done.stderr
    csv_file = next(folder.glob("table*.csv"))
    assert next(folder.glob("table*.html")).stat().st_size > 10_000
    with csv_file.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def test_table_generator_shows_runs_and_scores(tmp_path: Path) -> None:
    files = [f for f in write_xml(BENCHMARK, tmp_path) if f.name.endswith("unreach-call.xml")]
    rows = table(tmp_path, tuple(files))
    assert rows[1][2] == "a.unreach-call"
    titles = ["status", "cputime (s)", "walltime (s)", "memory (MB)", "nodes", "score"]
    assert rows[2][2:] == titles * 2
    shown = {row[0]: row[1:] for row in rows[3:]}
    assert list(shown) == [
        *("locks/peterson_safe", "locks/dekker_bad", "queues/ring_safe", "queues/big")
    ]
    dekker = shown["locks/dekker_bad"]
    assert dekker[0] == "false"
    assert dekker[1:7] == ["false(unreach-call)", "0.02", "0.27", "67.633152", "20", "1"]
    assert dekker[7:] == ["true", "3", "3.25", "67.633152", "3000", "-32"]
    assert [shown["queues/ring_safe"][n] for n in (1, 6, 7, 12)] == [
        *("false(unreach-call)", "-16", "TIMEOUT", "0")
    ]
    assert [shown["queues/big"][n] for n in (1, 7)] == ["OUT OF MEMORY", "ERROR"]


def test_table_generator_computes_the_same_scores(tmp_path: Path) -> None:
    """Where a run has no score, it makes its own, from the property file and the category."""
    files = write_xml(BENCHMARK, tmp_path)
    for file in files:
        tree = ElementTree.parse(file)
        for element in tree.findall("run")[1:]:
            for column in element.findall("column[@title='score']"):
                element.remove(column)
        tree.write(file)
    here = tuple(file for file in files if file.name.endswith("a.unreach-call.xml"))
    rows = table(tmp_path, here)
    assert [row[-1] for row in rows[3:]] == ["2", "1", "-16", "0"]


def test_table_generator_reads_odd_text_and_unknown_properties(tmp_path: Path) -> None:
    rows = table(tmp_path, write_xml(BENCHMARK, tmp_path))
    assert {row[0] for row in rows[3:]} == {r.task for r in BENCHMARK.runs}


def test_files_of_configurations_with_odd_names_are_distinct(tmp_path: Path) -> None:
    names = ("a/b", "a b", "A B", "../x")
    runs = tuple(run("t", name, "true", "true") for name in names)
    benchmark = replace(BENCHMARK, runs=runs, configs=dict.fromkeys(names, ()))
    files = write_xml(benchmark, tmp_path)
    assert len({file.name.lower() for file in files}) == len(names)
    assert {file.parent for file in files} == {tmp_path}
    assert [ElementTree.parse(f).getroot().get("name") for f in files] == [
        f"{name}.unreach-call" for name in names
    ]


def test_header_and_limits(tmp_path: Path) -> None:
    for file in write_xml(BENCHMARK, tmp_path):
        root = ElementTree.parse(file).getroot()
        assert root.tag == "result"
        assert root.get("tool") == "abpress"
        assert (root.get("timelimit"), root.get("memlimit")) == ("10s", "524288000B")
        for element in root.iter("run"):
            titles = [column.get("title") for column in element]
            assert len(set(titles)) == len(titles)
            assert element.get("properties") in file.name


def test_property_files_are_those_of_the_competition(tmp_path: Path) -> None:
    write_xml(BENCHMARK, tmp_path)
    for name in ("unreach-call", "no-deadlock"):
        assert property_key(str(tmp_path / f"{name}.prp")) == name


def test_log_files_are_traces_and_certificates(tmp_path: Path) -> None:
    root = ElementTree.parse(write_xml(BENCHMARK, tmp_path)[0]).getroot()
    logs = {element.get("name"): element.get("logfile") for element in root.iter("run")}
    assert logs["locks/dekker_bad"] == "traces/dekker%231.json"
    assert logs["locks/peterson_safe"] == "proofs/peterson%201.json"


def statuses(benchmark: Benchmark) -> list[str]:
    return [status_of(r) for r in benchmark.runs]


def test_statuses_are_in_the_words_of_benchexec() -> None:
    assert statuses(BENCHMARK) == [
        *("true", "true", "false(unreach-call)", "true", "false(unreach-call)", "TIMEOUT"),
        *("OUT OF MEMORY", "ERROR", "true", "unknown", "unknown"),
    ]
    leak = run("t", "a", "false(valid-free)", "false(valid-free)", property="valid-memsafety")
    assert status_of(leak) == "false(valid-free)"


def test_statuses_and_categories_agree_with_benchexec(tmp_path: Path) -> None:
    result = pytest.importorskip("benchexec.result", reason="BenchExec is not installed")
    for file in write_xml(BENCHMARK, tmp_path):
        for element in ElementTree.parse(file).getroot().iter("run"):
            columns = {column.get("title"): column.get("value") for column in element}
            name = element.get("properties")
            prop = result.Property(name, True, name)
            expected = element.get("expectedVerdict")
            known = {name: result.ExpectedResult.from_str(expected)} if expected else {}
            category = result.get_result_category(known, columns["status"], [prop])
            assert category == columns["category"]
