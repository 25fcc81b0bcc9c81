"""Property files are read by content."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.errors import InputError, UnsupportedError
from abpress.properties import PROPERTIES, Asked, property_key
from abpress.properties.prp import parse_prp

UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"


@pytest.mark.parametrize("name", PROPERTIES)
def test_short_names_and_files_of_all_properties(name: str, tmp_path: Path) -> None:
    assert property_key(name) == name
    file = tmp_path / "misleading-name.prp"
    file.write_text(f"CHECK( init(main()), LTL({PROPERTIES[name].ltl}) )\n")
    assert property_key(str(file)) == name


@pytest.mark.parametrize(
    "text",
    [
        UNREACH,
        "CHECK(init(main()),LTL(G!call(reach_error())))",
        "\n  CHECK ( init ( main() ) , LTL ( G ! call( reach_error() ) ) ) \r\n\n",
    ],
)
def test_spacing_does_not_matter(text: str) -> None:
    assert parse_prp(text, "p") == Asked(("unreach-call",), "reach_error")


def test_the_function_that_is_named() -> None:
    text = UNREACH.replace("reach_error", "__VERIFIER_error")
    assert parse_prp(text, "p") == Asked(("unreach-call",), "__VERIFIER_error")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CHECK( init(main()), LTL(G ! starvation) )", "p:1:1: the property G ! starvation"),
        ("CHECK( init(main()), LTL(F end) )", "p:1:1: the property F end"),
        ("\nCHECK( init(foo()), LTL(G ! overflow) )", "p:2:1: a property of the entry foo()"),
        ("CHECK( init(main()), LTL(G ! call(error())) )", "the property G ! call(error())"),
    ],
)
def test_unsupported(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        parse_prp(text, "p")
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["", "\n \n", "COVER( init(main()) )", "CHECK( init(main()) )"])
def test_not_a_property_file(text: str) -> None:
    with pytest.raises(InputError):
        parse_prp(text, "p")


def test_neither_name_nor_readable_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unreach-call, no-deadlock"):
        property_key("no-such-property")
    with pytest.raises(InputError):
        property_key(str(tmp_path))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError):
        property_key(str(tmp_path / "binary"))
