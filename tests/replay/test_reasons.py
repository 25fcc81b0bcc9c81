"""Why a compiled program does not show what the model does."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.errors import UnsupportedError
from abpress.replay.led import MATCHINGS
from abpress.replay.plan import plan_of
from abpress.replay.run import arguments_of, replayed
from tests.replay.test_library_results import PROGRAMS, seen_in, trace_with
from tests.replay.test_on_the_machine import needs_compiler, replayed_on

SAMPLE = {
    "evaluation_order/shared_reads_reversed": (
        "unreach-call",
        "line 17 is evaluated in another order than in the trace, as the compiler has chosen: what"
        " reads x at line 17 comes before what reads y at line 17",
    ),
    "evaluation_order/calls_reversed": (
        "unreach-call",
        "line 10 is evaluated in another order than in the trace, as the compiler has chosen: what"
        " writes x at line 6 comes before what writes x at line 7",
    ),
    "language/struct_by_value_threads": (
        "unreach-call",
        "line 19 reads shared at once, member by member in the trace",
    ),
    "language/uninitialised": (
        "unreach-call",
        "line 8 reads what was never written, which is 1 in the trace",
    ),
    "library/poll_waits": ("no-deadlock", "whether poll at line 10 waits is the machine's choice"),
    "library/logged_race": (
        "no-data-race",
        "the access at line 12 is in a function of the C library, or compiled away",
    ),
    "language/asm_race": ("no-data-race", "the assembler at line 8 is no stop of a replay"),
}


@needs_compiler
@pytest.mark.parametrize("name", SAMPLE)
def test_a_reason_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc")
    monkeypatch.setattr("abpress.replay.run.MATCHINGS", MATCHINGS[:1])
    property, reason = SAMPLE[name]
    file = PROGRAMS / f"{name}.c"
    found = seen_in(file, trace_with(file, property), tmp_path)
    assert not found.reproduced
    assert reason in found.reasons


@needs_compiler
@pytest.mark.parametrize(
    "name, property",
    [
        ("language/constructors_wrong", "no-data-race"),
        ("language/destructors_order_wrong", "unreach-call"),
        ("library/barrier_serial", "unreach-call"),
        ("library/output_fails", "unreach-call"),
    ],
)
def test_what_is_reproduced_has_no_reason(name: str, property: str, tmp_path: Path) -> None:
    file = PROGRAMS / f"{name}.c"
    found = replayed_on(file, trace_with(file, property), tmp_path)
    assert found.reproduced, (found.what, list(found.notes))
    assert found.reasons == ()


@pytest.mark.parametrize(
    "text, most, arguments",
    [
        ("argc == 3 && argv[2][0] == 'x' && argv[2][1] == 0", 2, ("", "x")),
        ("argc == 2 && argv[1][1] == 'y'", 1, ("ay",)),
        ("argc == 2 && argv[1][0] == (char)200", 1, ("\udcc8",)),
    ],
)
def test_arguments_are_those_of_the_trace(
    text: str, most: int, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "given.c"
    file.write_text(
        f"#include <assert.h>\nint main(int argc, char **argv) {{ assert(!({text})); return 0; }}\n"
    )
    trace = trace_with(file, "unreach-call", argument_bounds=(most, 2))
    assert arguments_of(plan_of(trace), Config.of(file).program) == arguments


@needs_compiler
def test_a_trace_that_begins_elsewhere_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "begins.c"
    file.write_text("#include <assert.h>\nvoid begins(void) { assert(0); }\n")
    trace = trace_with(file, "unreach-call", entry="begins")
    program = Config.of(file, entry="begins").program
    with pytest.raises(UnsupportedError, match="begins in begins"):
        replayed(plan_of(trace), program, tmp_path)
