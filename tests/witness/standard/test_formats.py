"""The formats of standard witnesses: what is written is of the format, and is read back."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from abpress.errors import AbPressError, UnsupportedError
from abpress.verify.witnesses.write import format_for
from abpress.witness.standard.formats import FORMATS
from abpress.witness.standard.graphml_reader import read_graphml_witness
from abpress.witness.standard.model import (
    CorrectnessWitness,
    GhostUpdate,
    GhostVariable,
    Segment,
    StatedInvariant,
    ViolationWitness,
    Waypoint,
    WaypointType,
    WitnessLocation,
    WitnessTask,
)
from abpress.witness.standard.yaml_reader import read_yaml_witness

TASK = WitnessTask({"p.c": "ab" * 32}, "CHECK( init(main()), LTL(G ! data-race) )", "ILP32")
CREATED = "2026-01-02T03:04:05Z"


def at(line: int, column: int = 0) -> WitnessLocation:
    return WitnessLocation("p.c", line, column, "main")


RACE = ViolationWitness(
    TASK,
    (
        Segment((Waypoint(WaypointType.FUNCTION_ENTER, at(7), thread=0),)),
        Segment((Waypoint(WaypointType.FUNCTION_RETURN, at(8, 30), "\\result == 3", 0),)),
        Segment(
            (Waypoint(WaypointType.ASSUMPTION, at(3, 2), "x == 1", 1),),
            (Waypoint(WaypointType.BRANCHING, at(9), "true", 0),),
        ),
        Segment(
            (
                Waypoint(WaypointType.TARGET, at(4, 2), thread=1),
                Waypoint(WaypointType.TARGET, at(10, 2), thread=0),
            )
        ),
    ),
)
PROOF = CorrectnessWitness(
    TASK,
    (StatedInvariant(at(5, 3), "m || x == 0", at_loop=False),),
    (GhostVariable("m", "int", "0"),),
    (GhostUpdate(at(4, 3), "m", "1"),),
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "w.yml"
    for witness, format in ((RACE, "yaml-2.2"), (PROOF, "yaml-2.1")):
        file.write_text(FORMATS[format](witness, CREATED))
        assert read_yaml_witness(file) == witness
        assert format_for(witness, ".yml") == format


def test_versions_have_the_words_that_they_know(tmp_path: Path) -> None:
    old = yaml.safe_load(FORMATS["yaml-2.0"](RACE, CREATED))
    assert [len(s["segment"]) for s in old[0]["content"]] == [1, 1, 2, 1]
    assert "thread_id" not in str(old)
    formats = re.findall(r"format: (\w+)\n", FORMATS["yaml-2.0"](RACE, CREATED))
    assert formats == ["acsl_expression", "c_expression"]
    assert "format: ext_c_expression" in FORMATS["yaml-2.1"](RACE, CREATED)
    assert [e["entry_type"] for e in yaml.safe_load(FORMATS["yaml-2.0"](PROOF, CREATED))] == [
        "invariant_set"
    ]


@pytest.mark.parametrize("witness", [RACE, PROOF], ids=["violation", "proof"])
@pytest.mark.parametrize("format", [name for name in FORMATS if name.startswith("yaml")])
def test_every_entry_has_the_metadata_of_the_format(
    witness: ViolationWitness | CorrectnessWitness, format: str
) -> None:
    for entry in yaml.safe_load(FORMATS[format](witness, CREATED)):
        assert list(entry) == ["entry_type", "metadata", "content"]
        metadata = entry["metadata"]
        assert metadata["format_version"] == format.removeprefix("yaml-")
        assert re.fullmatch(r"[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}",
                            metadata["uuid"])  # fmt: skip
        assert metadata["creation_time"] == CREATED
        assert metadata["producer"]["name"] == "AbPress"
        assert metadata["task"] == {
            "input_files": ["p.c"],
            "input_file_hashes": {"p.c": "ab" * 32},
            "specification": TASK.specification,
            "data_model": "ILP32",
            "language": "C",
        }


def test_identifiers_are_made_of_the_content() -> None:
    def identifier(witness: ViolationWitness) -> str:
        text = FORMATS["yaml-2.2"](witness, CREATED)
        return str(yaml.safe_load(text)[0]["metadata"]["uuid"])

    later = FORMATS["yaml-2.2"](RACE, "2027-01-01T00:00:00Z")
    assert identifier(RACE) in later
    assert identifier(RACE) != identifier(ViolationWitness(TASK, RACE.segments[1:]))


GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def test_graphml_declares_what_it_uses_and_is_a_chain() -> None:
    root = ElementTree.fromstring(FORMATS["graphml-1.0"](RACE, CREATED))
    declared = {key.get("id") for key in root.iter(f"{GRAPHML}key")}
    assert declared == {data.get("key") for data in root.iter(f"{GRAPHML}data")}
    nodes = [node.get("id") for node in root.iter(f"{GRAPHML}node")]
    edges = [(edge.get("source"), edge.get("target")) for edge in root.iter(f"{GRAPHML}edge")]
    assert edges == list(pairwise(nodes))
    marked = {
        node.get("id"): data.get("key")
        for node in root.iter(f"{GRAPHML}node")
        for data in node.iter(f"{GRAPHML}data")
    }
    assert marked == {"N0": "entry", nodes[-1]: "violation"}


def test_graphml_is_read_as_its_chain(tmp_path: Path) -> None:
    file = tmp_path / "w.graphml"
    file.write_text(FORMATS["graphml-1.0"](RACE, CREATED))
    witness = read_graphml_witness(file)
    assert isinstance(witness, ViolationWitness)
    assert witness.task == TASK
    told = [(w.type.value, w.location.line, w.thread) for s in witness.segments for w in s.follow]
    assert told == [
        ("function_enter", 7, 0),
        ("assumption", 8, 0),
        ("assumption", 3, 1),
        ("assumption", 4, 1),
        ("target", 10, 0),
    ]
    file.write_text(FORMATS["graphml-1.0"](CorrectnessWitness(TASK), CREATED))
    assert read_graphml_witness(file) == CorrectnessWitness(TASK)


WRONG = [
    ("action: follow", "action: hover", "'hover' is none of"),
    ("line: 4", "line: zero", "a natural number is expected"),
    ("line: 4", "line: 0", "counted from 1"),
    ("type: target", "type: assumption", "constraint"),
    ('format_version: "2.2"', 'format_version: "3.0"', "none of 2.0, 2.1 and 2.2"),
    ("data_model: ILP32", "data_model: LLP64", "'LLP64' is none of"),
    ("entry_type: violation_sequence", "entry_type: x", "'x' is none of"),
    ("segment:", "segments:", "is missing"),
    ("language: C", "language: Java", "is not C"),
]


@pytest.mark.parametrize("old, new, message", WRONG)
def test_what_is_not_of_the_format_has_a_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    file = tmp_path / "w.yml"
    text = FORMATS["yaml-2.2"](RACE, CREATED)
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(AbPressError, match=re.escape(message)) as raised:
        read_yaml_witness(file)
    assert re.match(rf"{re.escape(str(file))}:\d+", str(raised.value))


def test_entries_are_of_one_version_and_one_program(tmp_path: Path) -> None:
    file = tmp_path / "w.yml"
    data = yaml.safe_load(FORMATS["yaml-2.1"](PROOF, CREATED))
    data[1]["metadata"]["format_version"] = "2.0"
    file.write_text(yaml.safe_dump(data))
    with pytest.raises(AbPressError, match="several versions"):
        read_yaml_witness(file)
    data[1]["metadata"]["format_version"] = "2.1"
    data[1]["metadata"]["task"]["data_model"] = "LP64"
    file.write_text(yaml.safe_dump(data))
    with pytest.raises(AbPressError, match="several programs"):
        read_yaml_witness(file)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('source="N1" target="N2"', 'source="N1" target="N9"', "a node that is not there"),
        ("32bit", "13bit", "'13bit' is none of"),
        ("</graph>", "", "not XML"),
        ('<data key="violation">true</data>', "", "no violation is reached"),
        ('<data key="startline">3</data>', '<data key="startline">x</data>', "no number of a line"),
        ('<data key="threadId">1</data>', '<data key="threadId">5</data>', "creates the thread 5"),
    ],
)
def test_wrong_graphml_has_a_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "w.graphml"
    text = FORMATS["graphml-1.0"](RACE, CREATED)
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(AbPressError, match=message) as raised:
        read_graphml_witness(file)
    assert re.match(rf"{re.escape(str(file))}:\d+:\d+: ", str(raised.value))


def test_entities_of_xml_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "w.graphml"
    file.write_text('<!DOCTYPE g [<!ENTITY a "b">]>\n<graphml>&a;</graphml>\n')
    with pytest.raises(AbPressError, match="entities are not allowed"):
        read_graphml_witness(file)


def test_a_graph_that_branches_is_not_understood(tmp_path: Path) -> None:
    file = tmp_path / "w.graphml"
    text = FORMATS["graphml-1.0"](RACE, CREATED)
    file.write_text(text.replace("</graph>", '<edge source="N1" target="N3"></edge></graph>'))
    with pytest.raises(UnsupportedError, match="a graph that is no path"):
        read_graphml_witness(file)
