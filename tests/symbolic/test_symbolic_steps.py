"""Symbolic steps that were found once: they are what they would be if they were found anew."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings

from abpress.cli.main import build_parser
from abpress.cli.options import config_of
from abpress.ir.expr import Compare, Const, Reg
from abpress.ir.program import Program
from abpress.ir.types import INT
from abpress.logic.formula import FALSE, TRUE, holds, substitute
from abpress.symbolic.discrete import Discrete
from abpress.symbolic.questions import AtLeast, Content, DecisionTree, Ids, Recorder
from abpress.symbolic.system import SymbolicSystem
from abpress.verify.load import load
from tests.sampling import examples
from tests.semantics.machine import Machine
from tests.strategies.ir_programs import Features, programs

PLACES = 150
"""Discrete parts of one program that are compared."""

ROOT = Path(__file__).resolve().parents[2]
TASKS = [
    f"{directory}/{name}"
    for directory, names in {
        "pthread": "queue_safe stack_safe indexer_2_safe bigshot_s_unsafe lazy_unsafe sync_safe",
        "atomics": "clh_lock_safe refcount_safe seqlock_safe c11_threads_safe",
        "deadlock": "philosophers_3_ordered semaphore_try_safe lost_wakeup_deadlock",
    }.items()
    for name in names.split()
]


def reached(system: SymbolicSystem, most: int = PLACES) -> list[Discrete]:
    """Discrete parts, breadth first."""
    queue = [system.initial()[0]]
    seen = set(queue)
    for d in queue:  # grows while the loop runs
        if len(seen) >= most:
            break
        for t in system.threads(d):
            for step in system.steps(d, t):
                if step.violation is None and step.fault is None and step.successor not in seen:
                    seen.add(step.successor)
                    queue.append(step.successor)
    return queue


def existing(system: SymbolicSystem, d: Discrete) -> set[str]:
    """The cells and registers that there are."""
    objects = system._objects
    names = {ref.name for o in (*objects._statics.values(), *d.objects) for ref in o.cells.values()}
    return names | {key for part in d.threads for key, _, _ in objects.registers(part)}


def compare_all(program: Program) -> None:
    """All steps, from what is kept and anew; successors are in their normal form."""
    system = SymbolicSystem(program)
    for d in reached(system):
        assert d.known == tuple(sorted(dict(d.known).items(), key=lambda item: item[0]))
        assert d.values.keys() <= existing(system, d)
        assert [o.name for o in d.objects] == sorted({o.name for o in d.objects})
        assert [part.id for part in d.threads] == sorted({part.id for part in d.threads})
        again = Discrete(d.threads, d.known, d.objects, d.status)
        assert again == d and hash(again) == hash(d)
        for t in system.threads(d):
            anew = system._explore(d.thread(t), Recorder(d))
            kept = system._next_step(d, t)
            assert all(getattr(anew, f.name) == getattr(kept, f.name) for f in fields(anew))
            steps = tuple(shape.step(d, system._objects) for shape in anew.shapes)
            assert [s.successor for s in steps] == [s.successor for s in system.steps(d, t)]
            assert [s.shape for s in steps] == [s.shape for s in system.steps(d, t)]
            assert system.accesses(d, t) is anew.accesses


@pytest.mark.parametrize("task", TASKS)
def test_tasks(task: str) -> None:
    file = ROOT / "benchmarks" / "svcomp" / f"{task}.c"
    compare_all(
        load(
            config_of(
                build_parser().parse_args(["verify", str(file), "--property", "unreach-call"])
            )
        ).program
    )


@settings(max_examples=examples(24, whole=60), deadline=None)
@given(programs())
def test_random_programs(program: Program) -> None:
    compare_all(program)


@settings(max_examples=examples(8, whole=20), deadline=None)
@given(programs(Features(wide_inputs=True, threads=1, statements=5)))
def test_programs_with_wide_inputs(program: Program) -> None:
    compare_all(program)


# -- what steps depend on -------------------------------------------------------------------------


class Walk:
    """The steps of a program in its textual form, one after the other."""

    def __init__(self, text: str) -> None:
        machine = Machine(text, visible=True)
        self.system = SymbolicSystem(machine.program, interpreter=machine.interpreter)
        self.at = self.system.initial()[0]

    def take(self, *names: str) -> Walk:
        """Takes the only step of each thread."""
        for name in names:
            (step,) = self.system.steps(self.at, self.thread(name))
            assert step.fault is None
            self.at = step.successor
        return self

    def thread(self, name: str) -> int:
        (found,) = [t for t in self.system.threads(self.at) if self.system.name(t) == name]
        return found


TWO = """
object x {4: 0 i32} = 0
object y {4: 0 i32} = 0
template main entry L0
  register t: i32
  register p: ptr
  L0: t := spawn w 0ptr -> L1
  L1: p := alloc 1 {4: 0 i32} zeroed "calloc" -> L2
  L2: *p := 1 -> L3
  L3: free p -> L4
  L4: exit "return from main" -> L4
template w entry L0
  register r: i32
  local l {4: 0 i32} = 0
  L0: enter l -> L1
  L1: r := *&x -> L2
  L2: *&y := r + 1 -> L3
  L3: finish 0ptr -> L3
"""


def test_what_another_thread_does_elsewhere_makes_no_other_shape() -> None:
    walk = Walk(TWO).take("main")
    w = walk.thread("main.1")
    (first,) = walk.system.steps(walk.at, w)
    accesses = walk.system.accesses(walk.at, w)
    walk.take("main", "main")
    assert walk.system._trees[walk.at.thread(w)].find(walk.at) is not None
    (second,) = walk.system.steps(walk.at, w)
    assert second.shape == first.shape
    assert second.successor != first.successor
    assert walk.system.accesses(walk.at, w) is accesses


def test_lives() -> None:
    walk = Walk(TWO).take("main")
    keys = []
    for name in ("main", "main", "main", "main.1", "main.1", "main.1", "main.1"):
        (access,) = walk.system.accesses(walk.at, walk.thread(name))
        keys.append(
            tuple(
                sorted(k for k in keys if k.startswith(("life", "heap")))
                for keys in (access.reads, access.writes)
            )
        )
        walk.take(name)
    heap, local = "life heap main#1", "life main.1:l"
    assert keys == [
        ([], [heap]),
        ([heap], ["heap main#1@0"]),
        ([heap], [heap]),
        ([], [local]),
        ([], []),
        ([], []),
        ([], [local]),
    ]


def test_overflows_are_found_where_the_path_is_blocked_later() -> None:
    walk = Walk("""
object x {4: 0 i32} = 0
template main entry L0
  register r: i32
  L0: r := any "input" -> L1
  L1: *&x := r -> L2
  L2: r := *&x -> L3
  L3: r := r + 1 -> L4
  L4 atomic: await r == 0 -> L5
  L5: exit "return from main" -> L5
""")
    walk.take("main", "main")
    assert walk.system.overflows(walk.at, 1) == {}
    walk.take("main")
    r = Reg("main:r", INT)
    (found,) = walk.system.overflows(walk.at, 1)
    assert found is holds(Compare("==", r, Const(INT.maximum, INT)))


def test_the_second_overflow_is_without_the_first() -> None:
    walk = Walk("""
object x {4: 0 i32} = 0
template main entry L0
  register r: i32
  L0: r := any "input" [5, 2147483647] -> L1
  L1: *&x := r -> L2
  L2: r := *&x -> L3
  L3: r := r + 1 -> L4
  L4 atomic: r := r + 1 -> L5
  L5 atomic: await 0 -> L5
""")
    walk.take("main", "main", "main")
    assert walk.system.steps(walk.at, 1) == ()
    assert walk.system.accesses(walk.at, 1) != ()
    overflows = walk.system.overflows(walk.at, 1)
    for value in (INT.maximum - 2, INT.maximum - 1, INT.maximum):
        held = [substitute(f, {"main:r": Const(value, INT)}) for f in overflows]
        assert held.count(TRUE) == (value > INT.maximum - 2)
        assert held.count(FALSE) == len(overflows) - held.count(TRUE)


FREED = """
object q {4: 0 ptr} = 0ptr
template main entry L0
  register p: ptr
  register t: i32
  L0: p := alloc 1 {4: 0 i32} "malloc" -> L1
  L1: *&q := p -> L2
  L2: t := spawn w 0ptr -> L3
  L3: free p -> L4
  L4: exit "return from main" -> L4
template w entry L0
  register p: ptr
  register r: i32
  L0: p := *&q -> L1
  L1: r := any "input" -> L2
  L2: *p := r -> L3
  L3: finish 0ptr -> L3
"""


def test_a_step_depends_on_the_life_of_what_it_accesses() -> None:
    walk = Walk(FREED).take("main", "main", "main", "main.1", "main.1")
    w = walk.thread("main.1")
    (store,) = walk.system.steps(walk.at, w)
    assert store.fault is None
    walk.take("main")
    (late,) = walk.system.steps(walk.at, w)
    assert late.fault is not None and "outside its lifetime" in late.fault
    assert late.shape != store.shape
    assert "life heap main#1" in late.reads


def test_an_undefined_cell_becomes_a_variable() -> None:
    walk = Walk(FREED).take("main", "main", "main", "main.1", "main.1")
    cell = "heap main#1@0"
    assert walk.at.values[cell] is None
    (store,) = walk.system.steps(walk.at, walk.thread("main.1"))
    assert cell not in store.successor.values
    assert store.updates[cell] == Reg("main.1:r", INT)
    walk.take("main.1", "main")
    assert cell not in walk.at.values and walk.at.objects == ()


# -- the tree of decisions ------------------------------------------------------------------------


def test_a_decision_tree_asks_what_matters() -> None:
    tree = DecisionTree[str]()
    ones = [Discrete((), (("p", None), ("q", value))) for value in (None, None)]
    assert tree.find(ones[0]) is None

    def look(d: Discrete) -> str:
        recorder = Recorder(d)
        if recorder.ask(Content("p")) is None:
            found = "undefined"
        else:
            found = f"{recorder.ask(AtLeast(1))} {recorder.ask(Ids())}"
        tree.add(recorder, found)
        return found

    look(ones[0])
    assert tree.find(ones[1]) == "undefined"
    free = Discrete((), (("q", None),))
    assert tree.find(free) is None
    look(free)
    assert tree.find(Discrete((), ())) == "False ()"


def test_what_is_found_has_to_be_a_function_of_the_answers() -> None:
    tree = DecisionTree[int]()
    d = Discrete((), ())
    for k, question in enumerate((Content("p"), Content("q"))):
        recorder = Recorder(d)
        recorder.ask(question)
        if k == 0:
            tree.add(recorder, k)
        else:
            with pytest.raises(AssertionError):
                tree.add(recorder, k)
