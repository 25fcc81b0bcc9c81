"""Objects of the heap whose size is not known: engine abpress against plain enumeration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.ir.program import VALID_DEREF, Program
from abpress.proof.certificate import Rejected, program_digest
from abpress.proof.check import check
from abpress.proof.write import certificate
from abpress.result import Result, Soundness, Verdict
from abpress.search.limits import Limits
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, Options
from abpress.verify.certify import certified
from abpress.verify.load import load
from tests.sampling import sample
from tests.strategies.c_sized import sized_program

SECONDS = 10.0
MOST_STATES = 4_000
UNREACH = "unreach-call"


def compiled(path: Path, text: str) -> Program:
    file = path / "program.c"
    file.write_text(text)
    return load(Config.of(file)).program


def answer(program: Program, property: str = UNREACH, seconds: float = SECONDS) -> Result:
    """What the engine says; the certificate of a "true" was checked."""
    config = Config.of(Path(), por="source+summaries", property=property)
    result, view = prove(program, config, Limits(time=seconds), None, Soundness())
    if view is not None:
        certified(program, config, view)
    return result


def enumerated(program: Program) -> tuple[frozenset[str], bool] | None:
    """The properties that executions violate, and whether all inputs were tried; None if there are
    too many states."""
    interpreter = Interpreter(program)
    queue = [interpreter.initial()]
    seen = set(queue)
    violated: set[str] = set()

    def note(_: object, attempt: ConcreteStep) -> None:
        assert attempt.violation is not None
        violated.add(attempt.violation.property)

    interpreter.on_fault = note
    for state in queue:
        for thread in interpreter.threads(state):
            for step in interpreter.steps(state, thread):
                if step.violation is not None:
                    violated.add(step.violation.property)
                elif step.successor not in seen:
                    seen.add(step.successor)
                    queue.append(step.successor)
        if len(seen) > MOST_STATES:
            return None
    lost = interpreter.soundness.reasons
    return frozenset(violated), not any("symbolic input" in reason for reason in lost)


def check_program(program: Program, property: str) -> Verdict:
    """Raises AssertionError if the engine and the enumeration disagree."""
    expected = enumerated(program)
    assert expected is not None
    violated, complete = expected
    result = answer(program, property)
    match result.verdict:
        case Verdict.TRUE:
            assert not violated - {UNREACH} and property not in violated, expected
        case Verdict.FALSE:
            assert property in violated or not complete, expected
        case _:
            other = violated - {property}
            assert other or not complete or "time limit" in result.reason, (result.reason, expected)
    return result.verdict


@pytest.mark.parametrize("property", [UNREACH, VALID_DEREF])
@pytest.mark.parametrize("seed", sample(range(16), 2))
def test_random_programs(seed: int, property: str, tmp_path: Path) -> None:
    text = sized_program(seed)
    print(text)
    check_program(compiled(tmp_path, text), property)


HEADER = """#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
"""

FILL = "for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();"

PROVED = {
    "filled": f"int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 1 << 30);"
    f" int *a = malloc(n * sizeof(int)); {FILL}",
    "up to the address space": f"int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0);"
    f" __VERIFIER_assume(n <= (size_t)4294967295 / sizeof(int)); int *a = malloc(4u * n); {FILL}",
    "calloc": "unsigned n = __VERIFIER_nondet_uint(); int *a = calloc(n, sizeof(int));"
    " if (a) for (unsigned i = 0; i < n; i++) a[i] = 1;",
    "variable length": "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0);"
    f" int a[n]; {FILL}",
    "pairs": "unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n < 1000);"
    " struct { int x, y; } *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i].y = i;",
    "a local copy": "unsigned n = __VERIFIER_nondet_uint(); char *a = malloc(n), *b = a;"
    " for (unsigned i = 0; i < n; i++) b[i] = 1; if (n > 5) assert(a[5] != 0 || a[5] == 0);",
}

OUTSIDE = {
    "one too far": PROVED["filled"].replace("i < n;", "i <= n;"),
    "before the begin": PROVED["filled"].replace("a[i]", "a[i - 1]"),
    "wraps around": PROVED["up to the address space"].replace("/ sizeof(int)", "/ 2"),
    "no check": PROVED["calloc"].replace("if (a)", ""),
    "one too short": PROVED["variable length"]
    .replace("a[n]", "a[n - 1]")
    .replace("n > 0", "n > 1"),
    "pairs": PROVED["pairs"].replace("a[i].y", "a[i + 1].x"),
    "of another type": "unsigned n = __VERIFIER_nondet_uint(); int *a = malloc(n);"
    " if (n > 1) a[0] = 1;",
    "none": "unsigned n = __VERIFIER_nondet_uint(); char *a = malloc(n); a[0] = 1;",
}


def bounds(folder: Path, body: str, property: str = VALID_DEREF) -> Result:
    text = f"{HEADER}int main(void) {{ {body} return 0; }}\n"
    file = folder / "program.c"
    file.write_text(text)
    return answer(load(Config.of(file, data_model="ILP32")).program, property)


@pytest.mark.parametrize("property", [UNREACH, VALID_DEREF])
@pytest.mark.parametrize("name", PROVED)
def test_bounds_are_proved(name: str, property: str, tmp_path: Path) -> None:
    result = bounds(tmp_path, PROVED[name], property)
    assert result.verdict is Verdict.TRUE, result.reason


@pytest.mark.parametrize("name", OUTSIDE)
def test_one_element_off_is_found(name: str, tmp_path: Path) -> None:
    result = bounds(tmp_path, OUTSIDE[name])
    assert result.verdict is Verdict.FALSE, result.reason


@pytest.mark.parametrize("most", [(1 << 30) - 1, 1 << 30])
def test_a_size_that_wraps_around_is_small(most: int, tmp_path: Path) -> None:
    """NOTE(unbounded-objects)."""
    body = f"""unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n > 0 && n <= {most}u);
               int *a = malloc(4u * n); a[n - 1] = 1;"""
    result = bounds(tmp_path, body)
    assert result.verdict is (Verdict.TRUE if most < 1 << 30 else Verdict.FALSE), result.reason


def test_the_length_of_an_object_is_part_of_what_is_certified(tmp_path: Path) -> None:
    """A certificate for the right program is none for the one that is off by one."""
    texts = [PROVED["filled"], OUTSIDE["one too far"]]
    programs = [compiled(tmp_path, f"{HEADER}int main(void) {{ {t} return 0; }}\n") for t in texts]
    config = Config.of(Path(), por="source+summaries")
    _, view = prove(programs[0], config, Limits(time=SECONDS), None, Soundness())
    assert view is not None
    certified(programs[0], config, view)
    stolen = replace(
        certificate(programs[0], UNREACH, Options(), view), program=program_digest(programs[1])
    )
    with pytest.raises(Rejected, match="is not excluded"):
        check(programs[1], stolen)


def test_an_execution_is_repeated_with_small_objects(tmp_path: Path) -> None:
    body = PROVED["filled"] + " if (n > 2) assert(a[1] != 7);"
    result = bounds(tmp_path, body, UNREACH)
    assert result.verdict is Verdict.FALSE
