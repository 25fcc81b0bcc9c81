"""The tasks in benchmarks/svcomp are well-formed SV-COMP tasks that explain their verdict."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent / "benchmarks" / "svcomp"
TASKS = sorted(ROOT.glob("*/*.yml"))
SETS = sorted(ROOT.glob("*.set"))
PROPERTIES = {
    "unreach-call.prp": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "no-deadlock.prp": "CHECK( init(main()), LTL(G ! deadlock) )\n",
    "no-data-race.prp": "CHECK( init(main()), LTL(G ! data-race) )\n",
    "no-overflow.prp": "CHECK( init(main()), LTL(G ! overflow) )\n",
    "no-misuse.prp": "CHECK( init(main()), LTL(G ! misuse) )\n",
    "valid-memsafety.prp": "CHECK( init(main()), LTL(G valid-free) )\n"
    "CHECK( init(main()), LTL(G valid-deref) )\n"
    "CHECK( init(main()), LTL(G valid-memtrack) )\n",
    "valid-memcleanup.prp": "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
}
MEMORY_SAFETY = "../properties/valid-memsafety.prp"
SUBPROPERTIES = ("valid-free", "valid-deref", "valid-memtrack")
MARKS = {"unbounded.set": "UNBOUNDED:", "wide.set": "WIDE:", "large.set": "LARGE:"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def load(task: Path) -> dict[str, Any]:
    content = yaml.safe_load(task.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def members(set_file: Path) -> list[Path]:
    """The tasks of a .set file: one pattern per line, `#` comments and blank lines ignored."""
    found: list[Path] = []
    for line in set_file.read_text(encoding="utf-8").splitlines():
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            matches = sorted(ROOT.glob(pattern))
            assert matches, f"{set_file.name}: {pattern} matches nothing"
            found += matches
    return found


def test_there_are_enough_tasks() -> None:
    assert len(TASKS) >= 60


def test_names_are_unique() -> None:
    count = Counter(task.stem for task in TASKS)
    assert [stem for stem, n in count.items() if n > 1] == []


def test_every_program_has_a_task() -> None:
    assert {p.with_suffix("") for p in ROOT.glob("*/*.c")} == {t.with_suffix("") for t in TASKS}


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_task(task: Path) -> None:
    content = load(task)
    assert set(content) == {"format_version", "input_files", "properties", "options"}
    assert content["format_version"] == "2.0"
    assert content["input_files"] == f"{task.stem}.c"
    assert content["options"] == {"language": "C", "data_model": "ILP32"}
    assert content["properties"]
    for item in content["properties"]:
        parts = {"subproperty"} if item["property_file"] == MEMORY_SAFETY else set()
        violated = parts if item["expected_verdict"] is False else set()
        assert set(item) == {"property_file", "expected_verdict"} | violated
        assert item.get("subproperty", SUBPROPERTIES[0]) in SUBPROPERTIES
        assert (task.parent / item["property_file"]).resolve().parent == ROOT / "properties"
        assert (task.parent / item["property_file"]).is_file()
        assert isinstance(item["expected_verdict"], bool)
    assert task.read_text(encoding="utf-8").startswith("# "), "the verdict is not argued"


@pytest.mark.parametrize("task", TASKS, ids=name)
def test_program(task: Path) -> None:
    source = task.with_suffix(".c").read_text(encoding="utf-8")
    first = source.splitlines()[0]
    assert first.startswith("/* ")
    assert first.endswith(" */")
    assert source.isascii()
    assert "\t" not in source
    properties = [Path(item["property_file"]).stem for item in load(task)["properties"]]
    if "unreach-call" in properties:
        assert "void reach_error(void) {}" in source or "#include <assert.h>" in source


def test_a_program_with_a_race_is_asked_for_nothing_else() -> None:
    for task in TASKS:
        said = {p["property_file"]: p["expected_verdict"] for p in load(task)["properties"]}
        assert said.get("../properties/no-data-race.prp", True) or len(said) == 1


@pytest.mark.parametrize("file", sorted(PROPERTIES))
def test_property_text(file: str) -> None:
    assert (ROOT / "properties" / file).read_bytes() == PROPERTIES[file].encode()


@pytest.mark.parametrize("set_file", SETS, ids=name)
def test_set_file(set_file: Path) -> None:
    found = members(set_file)
    assert found
    assert len(found) == len(set(found))
    assert set(found) <= set(TASKS)
    assert set_file.read_text(encoding="utf-8").startswith("# ")


def test_sets_cover_all_tasks() -> None:
    assert sorted(members(ROOT / "all.set")) == TASKS
    groups = {task.parent.name for task in TASKS}
    assert groups <= {path.stem for path in SETS}
    for group in groups:
        assert members(ROOT / f"{group}.set") == sorted((ROOT / group).glob("*.yml"))


@pytest.mark.parametrize("file", sorted(MARKS))
def test_marked_tasks_are_listed(file: str) -> None:
    marked = [task for task in TASKS if MARKS[file] in task.read_text(encoding="utf-8")]
    assert sorted(members(ROOT / file)) == marked


def test_unbounded_tasks_create_threads_for_ever() -> None:
    for task in members(ROOT / "unbounded.set"):
        source = task.with_suffix(".c").read_text(encoding="utf-8")
        assert "while (1)\n        pthread_create(" in source
