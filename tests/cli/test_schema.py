"""What `--json` writes is what the published schema says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError

from abpress.cli.first_words import first_words
from abpress.cli.output import VERSION

from .conftest import ROOT, Command
from .test_verify import DEADLOCK, ENDLESS, SAFE, UNSAFE

SCHEMA = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)

WIDE = """\
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x % 1000 * (y % 1000) == 1000003) reach_error();
  return 0;
}
"""


LONG = ("--engine", "explicit", "--property", "unreach-call")


@pytest.mark.parametrize(
    ("text", "command", "status"),
    [
        (SAFE, ("verify",), 0),
        (UNSAFE, ("verify",), 1),
        (UNSAFE, ("verify", "--property", "no-data-race", "--property", "unreach-call"), 1),
        (DEADLOCK, ("verify", "--property", "no-deadlock"), 1),
        (WIDE, ("verify", "--engine", "explicit"), 2),
        (UNSAFE, ("verify", "--engine", "static"), 2),
        (ENDLESS, ("verify", *LONG, "--property", "no-deadlock", "--time-limit", "2s"), 2),
        ("int main(void) { return f(); }", ("verify",), 3),
        (UNSAFE, ("explore", "--keep-going"), 1),
        (SAFE, ("explore", "--workers", "2"), 0),
        (SAFE, ("explore", "--compare", "source,optimal"), 0),
    ],
    ids=lambda its: " ".join(its) if isinstance(its, tuple) else "",
)
def test_what_is_written_is_valid(
    abpress: Command, tmp_path: Path, text: str, command: tuple[str, ...], status: int
) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    result = tmp_path / "result.json"
    name, *options = command
    extra = [] if name == "verify" else ["--json", result]
    assert abpress(name, file, *options, *extra).status == status
    data = json.loads(result.read_text(encoding="utf-8"))
    VALID.validate(data)
    assert data["version"] == VERSION


def test_last_words_before_the_first_are_valid() -> None:
    for command in ("verify", "explore"):
        known = first_words([command, "--json", "x.json", "a.c"])
        assert known.words is not None
        assert known.words.data is not None
        cost = {"cpu_s": 0.1, "wall_s": 0.1, "peak_memory_mb": 10.0}
        VALID.validate({**known.words.data, **cost})


def test_the_schema_is_a_schema_and_refuses() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for data in ({}, {"version": VERSION}, {"version": VERSION + 1, "compared": []}):
        with pytest.raises(ValidationError):
            VALID.validate(data)
