"""Tasks come from definitions, sets, folders, patterns, manifests; what is wrong has a place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abpress.bench.inputs import Inputs, read_inputs
from abpress.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent
PROPERTIES = {
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "no-deadlock": "CHECK( init(main()), LTL(G ! deadlock) )\n",
    "termination": "CHECK( init(main()), LTL(F end) )\n",
    "broken": "CHECK this\n",
}
FINE = """\
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../unreach-call.prp
    expected_verdict: true
  - property_file: ../no-deadlock.prp
    expected_verdict: false
options:
  language: C
  data_model: LP64
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Properties, and a folder `g` with a program `a.c` and its definition `a.yml`."""
    for name, text in PROPERTIES.items():
        (tmp_path / f"{name}.prp").write_text(text)
    for group in ("g", "h"):
        (tmp_path / group).mkdir()
        (tmp_path / group / "a.c").write_text("int main(void) {}\n")
    (tmp_path / "g" / "a.yml").write_text(FINE)
    return tmp_path


def names(inputs: Inputs) -> list[tuple[str, str]]:
    return [(task.name, task.property) for task in inputs.tasks]


def read(*given: Path | str, property: str | None = None) -> Inputs:
    return read_inputs([str(path) for path in given], property)


def complaint_about(*given: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        read(*given)
    return str(caught.value)


def test_a_definition(folder: Path) -> None:
    inputs = read(folder / "g" / "a.yml")
    reach, deadlock = inputs.tasks
    assert (reach.name, reach.property, reach.expected) == ("a", "unreach-call", "true")
    assert (deadlock.name, deadlock.property, deadlock.expected) == ("a", "no-deadlock", "false")
    assert (reach.file, reach.data_model) == (folder / "g" / "a.c", "LP64")
    # A failing assertion is no call of the function that the property file names.
    assert reach.options == ("--error-function", "reach_error")
    assert deadlock.options == ()
    assert inputs.skipped == {}
    assert inputs.definitions["a", "no-deadlock"] == folder / "g" / "a"


def test_the_property_selects(folder: Path) -> None:
    inputs = read(folder / "g" / "a.yml", property="no-deadlock")
    assert names(inputs) == [("a", "no-deadlock")]
    assert inputs.skipped == {"property unreach-call, not asked for": 1}


def test_what_is_not_for_us_is_counted(folder: Path) -> None:
    more = {
        "b": FINE.replace("no-deadlock", "termination"),
        "java": FINE.replace("language: C", "language: Java"),
        "witness": FINE + "  witness_input_file: w.yml\n",
        "nothing": "format_version: 1.0\ninput_files: a.c\n",
    }
    for name, text in more.items():
        (folder / "g" / f"{name}.yml").write_text(text)
    inputs = read(folder / "g")
    assert names(inputs) == [("a", "unreach-call"), ("a", "no-deadlock"), ("b", "unreach-call")]
    assert inputs.skipped == {
        "language Java": 1,
        "no property": 1,
        "property termination": 1,
        "validation of a witness": 1,
    }


def test_versions_lists_patterns_and_sub_properties(folder: Path) -> None:
    text = FINE.replace("'2.0'", '"2.1"').replace("'a.c'", "['?.c']")
    text = text.replace("    expected_verdict: true\n", "", 1)
    text = text.replace("verdict: false", "verdict: false\n    subproperty: valid-free")
    (folder / "g" / "a.yml").write_text(text + "additional_information: {x: [1, 2]}\n")
    assert [task.expected for task in read(folder / "g" / "a.yml").tasks] == [
        None,
        "false(valid-free)",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (FINE, "", "1: the file is empty"),
        (FINE, "- a\n", "1: a task definition: a mapping is expected"),
        (FINE, "a: [1\nb: 2\n", "2: not YAML: expected ',' or ']', but got ':'"),
        (FINE, "a: 1\n\tb: 2\n", "2: not YAML: found character '\\t' that cannot start any token"),
        (FINE, "a: *b\n", "1: not YAML: found undefined alias 'b'"),
        (FINE, "? [a]\n: 1\n", "1: a task definition: a key that is not a string"),
        ("format_version: '2.0'\n", "", "1: format_version is missing"),
        ("'2.0'", "'3.0'", "1: format_version: '3.0' is none of 1.0, 2.0, 2.1"),
        ("'2.0'", "'1.0'", "9: options: only versions from 2.0 on have them"),
        ("'2.0'", "{}", "1: format_version: a string is expected"),
        ("input_files: 'a.c'\n", "", "1: input_files is missing"),
        ("'a.c'", "'b.c'", "2: input_files: there is no file b.c"),
        ("'a.c'", "[a.c, ]", None),
        ("'a.c'", "[a.c, a.yml]", "2: input_files: 2 files: only programs of one file"),
        ("'a.c'", "[]", "2: input_files: 0 files: only programs of one file"),
        ("'a.c'", "[{}]", "2: input_files: a string or a list of strings is expected"),
        ("'a.c'", "", "2: input_files: a string is expected"),
        ("'a.c'", "../g", "2: input_files: "),
        ("../unreach", "../missing", "4: property_file: there is no file ../missing-call.prp"),
        ("../unreach-call", "../broken", "broken.prp:1:1: not a line of a property file"),
        ("../unreach-call", "../no-deadlock", "6: a second task a (no-deadlock); the first is at "),
        ("- property_file: ../unreach-call.prp\n    e", "- e", "4: property_file is missing"),
        ("verdict: true", "verdict: maybe", "5: expected_verdict: true or false is expected"),
        ("verdict: true", "verdict: 'true'", "5: expected_verdict: true or false is expected"),
        ("true\n", "true\n    subproperty: x\n", "6: subproperty: it says what is violated"),
        ("true\n", "true\n    expected_verdict: false\n", "6: expected_verdict is there twice"),
        ("LP64", "LP32", "10: data_model: 'LP32' is neither of ILP32 and LP64"),
        ("language: C\n", "language: [C]\n", "9: language: a string is expected"),
        ("properties:\n", "properties: 3\nx:\n", "3: properties: a list is expected"),
        ("properties:\n", "properties:\n  - 1\n", "4: properties: a mapping is expected"),
    ],
)
def test_a_malformed_definition(folder: Path, old: str, new: str, message: str | None) -> None:
    file = folder / "g" / "a.yml"
    text = FINE.replace(old, new, 1)
    assert text != FINE
    file.write_text(text)
    if message is None:
        assert len(read(file).tasks) == 2
        return
    complaint = complaint_about(file)
    assert message in complaint
    if not message.startswith("broken"):
        assert complaint.startswith(f"{file}:{message}")


def test_not_text(folder: Path) -> None:
    (folder / "g" / "a.yml").write_bytes(b"\xff\xfe")
    assert complaint_about(folder / "g" / "a.yml").endswith("a.yml: it is not text in UTF-8")


def test_sets_folders_patterns_and_programs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "h" / "b.yml").write_text(FINE)
    (folder / "all.set").write_text("# every task\n\n g/*.yml  # the first\nh/*.yml\n")
    both = [("g/a", "unreach-call"), ("h/b", "unreach-call")]
    select = "unreach-call"
    assert names(read(folder / "all.set", property=select)) == both
    assert names(read(folder, property=select)) == both
    assert names(read(folder / "*" / "*.yml", property=select)) == [
        ("g/a", "unreach-call"),
        ("h/b", "unreach-call"),
    ]
    assert names(read(folder / "all.set", folder / "g", property=select)) == both
    monkeypatch.chdir(folder)
    assert names(read("./g/../g/a.yml", "all.set", property=select)) == both
    assert names(read("g/a.c")) == [("a", "unreach-call")]
    assert names(read("g/a.c", property="no-deadlock")) == [("a", "no-deadlock")]
    assert names(read("**/a.c")) == [("g/a", "unreach-call"), ("h/a", "unreach-call")]


def test_a_set_may_point_elsewhere(folder: Path) -> None:
    (folder / "h" / "x.set").write_text("../g/a.yml\n")
    assert names(read(folder / "h" / "x.set"))[0] == ("g/a", "unreach-call")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("g/*.yml\n\nx/*.yml\n", "all.set:3: nothing matches x/*.yml"),
        ("g/missing.yml\n", "all.set:1: nothing matches g/missing.yml"),
        ("*.prp\n", "all.set:1: broken.prp is neither a task definition nor a program"),
        ("g\n", "all.set:1: g is neither a task definition nor a program"),
    ],
)
def test_a_malformed_set(folder: Path, text: str, message: str) -> None:
    (folder / "all.set").write_text(text)
    assert complaint_about(folder / "all.set").endswith(message)


def test_missing_files(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert complaint_about(folder / "x.yml").endswith("x.yml: no such file or folder")
    assert complaint_about(folder / "x.set").endswith("x.set: No such file or directory")
    assert complaint_about(folder / "x*.yml").endswith("x*.yml: nothing matches this pattern")
    assert "no task definition (*.yml) in this folder" in complaint_about(folder / "empty")
    assert "none of .yml" in complaint_about(folder / "broken.prp")


@pytest.mark.parametrize("pattern", ["../h/*.c", "/etc/host*", "../*/a.[c]", "**/../../h/?.c"])
def test_a_pattern_does_not_leave_its_folder(folder: Path, pattern: str) -> None:
    (folder / "g" / "a.yml").write_text(FINE.replace("'a.c'", f"'{pattern}'"))
    assert "a pattern cannot leave" in complaint_about(folder / "g" / "a.yml")


def test_a_pattern_does_not_follow_links_out_of_its_folder(folder: Path) -> None:
    (folder / "g" / "link").symlink_to(folder / "h")
    (folder / "g" / "a.yml").write_text(FINE.replace("'a.c'", "'link/*.c'"))
    assert "which a pattern cannot leave" in complaint_about(folder / "g" / "a.yml")
    (folder / "g" / "a.yml").write_text(FINE.replace("'a.c'", "'../h/a.c'"))
    assert read(folder / "g" / "a.yml").tasks[0].file.resolve() == (folder / "h" / "a.c").resolve()


def test_two_tasks_with_one_name(folder: Path) -> None:
    (folder / "g" / "a.yaml").write_text(FINE)
    first, second = folder / "g" / "a.yml", folder / "g" / "a.yaml"
    assert complaint_about(first, second) == (
        f"{second}:4: a second task a (unreach-call); the first is at {first}:4"
    )


MANIFEST = """\
# a comment
path\tproperty\texpected\tflags\tnotes

g/a.c\tunreach-call\ttrue\t-DN=2 --por 'none'\tx
h/a.c\tno-deadlock.prp\tfalse
g/a.c\tno-deadlock\tunknown
h/a.c\t\tfalse(valid-free)
g/a.c\ttermination.prp\ttrue
"""


def test_a_manifest(folder: Path) -> None:
    (folder / "m.tsv").write_text(MANIFEST)
    inputs = read(folder / "m.tsv")
    assert [(t.name, t.property, t.expected, t.options) for t in inputs.tasks] == [
        ("g/a", "unreach-call", "true", ("-DN=2", "--por", "none")),
        ("h/a", "no-deadlock", "false", ()),
        ("g/a", "no-deadlock", None, ()),
        ("h/a", "unreach-call", "false(valid-free)", ()),
    ]
    assert inputs.skipped == {"property termination.prp": 1}
    assert [task.data_model for task in inputs.tasks] == ["ILP32"] * 4


def test_a_manifest_with_names(folder: Path) -> None:
    rows = ["name\tpath\tdata_model", "one\tg/a.c\tLP64", "x/two\tg/a.c\t"]
    (folder / "m.tsv").write_text("\n".join(rows))
    tasks = read(folder / "m.tsv").tasks
    assert [(t.name, t.data_model) for t in tasks] == [("one", "LP64"), ("x/two", "ILP32")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: the manifest is empty"),
        ("file\tproperty\n", "1: the header has no column `path`"),
        ("path\tpath\n", "1: the column path is there twice"),
        ("path\ng/a.c\tx\n", "2: 2 fields, and 1 columns"),
        ("path\tflags\n\t-DN\n", "2: the path is missing"),
        ("path\n\ng/b.c\n", "3: there is no file "),
        ("path\tflags\ng/a.c\t'\n", "2: flags: No closing quotation"),
        ("path\tproperty\ng/a.c\tsafety\n", "2: property 'safety' is neither a file nor one of"),
        ("path\tdata_model\ng/a.c\tLP32\n", "2: data model 'LP32' is neither of"),
        ("path\tname\ng/a.c\t../x\n", "2: '../x' is no name of a task"),
        ("path\tname\ng/a.c\ta b\n", "2: 'a b' is no name of a task"),
        ("path\ng/a.c\ng/a.c\n", "3: a second task g/a (unreach-call); the first is at "),
    ],
)
def test_a_malformed_manifest(folder: Path, text: str, message: str) -> None:
    file = folder / "m.tsv"
    file.write_text(text)
    complaint = complaint_about(file)
    assert complaint.startswith(f"{file}:{message}"), complaint


def test_options_of_a_manifest_are_checked(folder: Path) -> None:
    file = folder / "m.tsv"
    file.write_text("path\tflags\ng/a.c\t--por none\n")
    with pytest.raises(InputError, match=r"m\.tsv:2: flags: not --por none$"):
        read_inputs([str(file)], None, lambda options: f"not {' '.join(options)}")


LONE_BYTES = st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)
"""What "surrogateescape" writes as one byte, which is no UTF-8."""


@given(
    st.lists(
        st.sampled_from(
            [*FINE.splitlines(), "- x", "[", "{", "&a", "*a", "? ", "\t", "!!x", "'", "\0"]
        )
        | st.text(st.characters(exclude_characters="*", codec="utf-8") | LONE_BYTES, max_size=12),
        max_size=12,
    )
)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_read_or_refused(folder: Path, lines: list[str]) -> None:
    """Never another exception than InputError, neither as a definition nor as a table or a set."""
    for name in ("g/any.yml", "any.tsv", "any.set"):
        file = folder / name
        file.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
        try:
            inputs = read(file)
        except InputError:
            continue
        assert all(os.path.isfile(task.file) for task in inputs.tasks)


def test_our_own_tasks() -> None:
    """Every program of the set is asked something, and nothing is passed over."""
    inputs = read(ROOT / "benchmarks" / "svcomp" / "all.set")
    assert inputs.skipped == {}
    programs = set((ROOT / "benchmarks" / "svcomp").glob("*/*.c"))
    assert {task.file for task in inputs.tasks} == programs
    assert {task.name for task in inputs.tasks} == {
        program.relative_to(ROOT / "benchmarks" / "svcomp").with_suffix("").as_posix()
        for program in programs
    }
