"""Steps in place lead to the states that the interpreter's and the reference's steps lead to."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.errors import InputError, UnsupportedError
from abpress.ir.program import GuardKind, Program
from abpress.ir.reader import parse_program
from abpress.result import Soundness
from abpress.semantics.choices import Chooser, Domain, Given
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ExecutionEnds, NoSteps, Options, Violation
from abpress.semantics.reference import Configuration, ReferenceInterpreter
from abpress.semantics.reference_expressions import Unspecified
from abpress.verify.load import load
from tests.sampling import examples, sample
from tests.semantics.machine import HEADER
from tests.semantics.outcomes import memory_text
from tests.semantics.test_interpreter_programs import everything
from tests.strategies.ir_programs import Features, programs

ROOT = Path(__file__).resolve().parent.parent
STEPS = 120

FEATURES = st.sampled_from(
    [
        Features(threads=3, statements=8),
        Features(threads=2, statements=8, arrays=True),
        Features(threads=2, statements=6, wide_inputs=True, unbounded_loops=False),
    ]
)


class Random(Chooser):
    """Chooses at random. `taken` are the choices of the last step. Mutable."""

    def __init__(self, seed: int) -> None:
        super().__init__((), Soundness())
        self.chance = random.Random(seed)

    def index(self, width: int) -> int:
        if width == 1:
            return 0
        self.taken.append(self.chance.randrange(width))
        return self.taken[-1]

    def pick(self, domain: Domain) -> int:
        if not domain.values:
            raise ExecutionEnds
        self.taken.append(Given(self.chance.choice(domain.values)))
        return self.taken[-1]


def compared_with_the_interpreter(program: Program, seed: int, steps: int = STEPS) -> list[str]:
    """Runs at random in place, compares each step, and returns what has come of them."""
    interpreter = Interpreter(program, Options(max_threads=1000))
    machine, choose = interpreter.in_place, Random(seed)
    machine.restart()
    met: list[str] = []
    for _ in range(steps):
        before = machine.snapshot()
        if machine.ended or not interpreter.threads(before):
            return [*met, "ended"]
        thread = choose.chance.choice(interpreter.threads(before))
        place = machine.places[thread]
        choose.taken.clear()
        try:
            outcome = machine.step(place, choose)
        except ExecutionEnds as end:
            machine.note(end)
            attempt = interpreter.take(before, thread, tuple(choose.taken))
            assert (attempt and attempt.violation) == end.violation(thread)
            return [*met, "cut"]
        taken = interpreter.take(before, thread, tuple(choose.taken))
        if isinstance(outcome, NoSteps):
            assert taken is None
            assert machine.snapshot() == before
            if not choose.taken:
                assert interpreter.waits(before, thread) is outcome.why
            met.append(outcome.why.value)
            continue
        assert taken is not None
        assert taken.violation == outcome
        assert taken.successor == machine.snapshot()
        if isinstance(outcome, Violation):
            return [*met, "violation"]
        met.append("step")
    return met


@settings(
    max_examples=examples(60, whole=150),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(FEATURES.flatmap(programs), st.integers(0, 1000))
def test_steps_as_of_the_interpreter(program: Program, seed: int) -> None:
    compared_with_the_interpreter(program, seed)


def text(reference: ReferenceInterpreter, now: Configuration) -> str:
    """What the reference and `Views.describe` say alike of a state."""
    status = now.status if now.status == "running" else "ended"
    threads = sorted((name, thread.location) for name, thread in now.threads.items())
    return f"{status} {threads} {memory_text(reference, now)}"


def described(interpreter: Interpreter, machine_state: tuple[object, ...]) -> str:
    found = interpreter.views.describe(machine_state)
    status = found["status"] if found["status"] == "running" else "ended"
    threads = sorted((name, its.get("location")) for name, its in found["threads"].items())
    return f"{status} {threads} {sorted(found['memory'].items())!r}"


def compared_with_the_reference(program: Program, seed: int) -> None:
    """Runs at random in place, edge by edge; the reference can do the same.

    `now` are its configurations that look alike: registers, where inputs are kept, are not seen.
    """
    reference = ReferenceInterpreter(program)
    interpreter = Interpreter(program, visible=everything(program))
    machine, choose = interpreter.in_place, Random(seed)
    machine.restart()
    first = reference.initial()
    now = {first.key(): first}
    assert described(interpreter, machine.snapshot()) == text(reference, first)
    for _ in range(STEPS):
        threads = interpreter.threads(machine.snapshot())
        if not threads:
            return
        thread = choose.chance.choice(threads)
        name = interpreter.views.thread_name(thread)
        steps = [step for before in now.values() for step in reference.steps(before)]
        after = [there for who, there in steps if who == name]
        choose.taken.clear()
        try:
            outcome = machine.step(machine.places[thread], choose)
        except ExecutionEnds:
            return
        if isinstance(outcome, NoSteps):
            assert choose.taken or not after or len(now) > 1
            continue
        reached = described(interpreter, machine.snapshot())
        now = {there.key(): there for there in after if text(reference, there) == reached}
        assert now
        if outcome is not None:
            violated = f"violates {outcome.property}: {outcome.message}"
            assert violated in {there.status for there in now.values()}


@settings(
    max_examples=examples(32, whole=80),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs(Features(threads=3, statements=8)), st.integers(0, 1000))
def test_steps_as_of_the_reference(program: Program, seed: int) -> None:
    try:
        compared_with_the_reference(program, seed)
    except Unspecified:
        return


FILES = sample(sorted((ROOT / "programs").rglob("*.c")), every=31)


@pytest.mark.parametrize("folder", sorted({file.parent for file in FILES}), ids=lambda f: f.name)
def test_steps_of_the_programs(folder: Path) -> None:
    programs = []
    for file in FILES:
        if file.parent == folder:
            with suppress(InputError, UnsupportedError):
                programs.append(load(Config.of(file, undefined_functions="havoc")).program)
    if not programs:
        pytest.skip("all that the sample has of this folder is refused")
    met = {
        end
        for program in programs
        for seed in range(3)
        for end in compared_with_the_interpreter(program, seed, 60)
    }
    assert met


WRITES_THEN_WAITS = """
object x {4: 0 i32} = 0
object y {4: 0 i32} = 0
template main entry L0
  register t: u32
  register a: i32
  L0: t := spawn other 0ptr4 -> L1
  L1: -> L2
  L2 atomic: *&x := 1 -> L3
  L3 atomic: a := *&y -> L4
  L4 atomic: await a == 1 -> L5
  L5: exit "done" -> L5
template other entry L0
  L0: *&y := 1 -> L1
  L1: finish 0ptr4 -> L1
"""


def test_a_step_that_stops_after_it_has_written_changes_nothing() -> None:
    program = parse_program(HEADER + WRITES_THEN_WAITS)
    met = [m for seed in range(20) for m in compared_with_the_interpreter(program, seed)]
    assert {"await", "ended"} <= set(met)
    interpreter = Interpreter(program)
    machine = interpreter.in_place
    machine.step(machine.first, Random(0))
    before = machine.snapshot()
    stopped = machine.step(machine.first, Random(0))
    assert isinstance(stopped, NoSteps)
    assert stopped.why is GuardKind.AWAIT
    assert machine.snapshot() == before
    machine.step(machine.places[2], Random(0))
    machine.step(machine.first, Random(0))
    assert interpreter.views.describe(machine.snapshot())["memory"]["x"] == 1
