"""Random sequential C programs: the verdict against what the program computes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from abpress.config import ProgramOptions
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATIC
from abpress.search.stateful import explore
from abpress.semantics.interpreter import Interpreter
from abpress_frontend.load import load_program
from tests.sampling import examples
from tests.strategies.c_sequential import SequentialProgram, sequential_programs

RANDOM = settings(
    max_examples=examples(4, whole=40),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
DECLARED = "void reach_error(void);\nvoid __VERIFIER_error(void);\n"
WRONG, RIGHT = "reach_error is called", "__VERIFIER_error is called"


def source(program: SequentialProgram) -> str:
    """The program, which calls one function where its result is wrong, else another."""
    check = f"if (sum != {program.result}ull) reach_error(); else __VERIFIER_error();"
    return DECLARED + program.text.replace("CHECK(sum)", check)


def reached(program: Program) -> set[str]:
    """The messages of all violations; everything must be explored, and nothing lost."""
    system = Interpreter(program)
    reduction = STATIC["s-por"].make(system)
    outcome = explore(system, reduction, PROPERTIES["unreach-call"], keep_going=True)
    assert outcome.exhausted
    assert not system.soundness.reasons, system.soundness.reasons
    assert not system.soundness.assumptions, system.soundness.assumptions
    return {found.finding.message for found in outcome.found}


def check(program: SequentialProgram, folder: Path) -> None:
    file = folder / "random.c"
    text = source(program)
    file.write_text(text)
    lowered = load_program(ProgramOptions(file, data_model=program.data_model)).program
    for what, candidate in (("lowered", lowered), ("simplified", simplify(lowered))):
        assert reached(candidate) == {RIGHT}, f"{what}, {program.data_model}\n{text}"


def compiled(program: SequentialProgram, folder: Path, *options: str) -> int:
    """The result by gcc, for LP64."""
    file, binary = folder / "random.c", folder / "random"
    printing = "#include <stdio.h>\n" + program.text.replace("CHECK(sum)", 'printf("%llu", sum);')
    file.write_text(printing)
    command = ["gcc", "-w", "-fwrapv", *options, "-o", str(binary), str(file)]
    subprocess.run(command, check=True, timeout=60)
    run = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60)
    assert not run.stderr and run.returncode == 0, f"{run.stderr}\n{printing}"
    return int(run.stdout)


@RANDOM
@given(program=sequential_programs())
def test_verdicts_are_what_the_program_computes(
    program: SequentialProgram, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check(program, tmp_path_factory.getbasetemp())


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare the generator with")
@settings(RANDOM, max_examples=10)
@given(program=sequential_programs(("LP64",)))
def test_the_generator_knows_what_a_compiler_computes(
    program: SequentialProgram, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert compiled(program, tmp_path_factory.getbasetemp()) == program.result, program.text
