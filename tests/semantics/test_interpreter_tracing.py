"""Records of steps: events, footprints, descriptions."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from abpress.ir.program import Program
from abpress.relations.conflict import in_conflict
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.tracing import PROGRAM, AccessedKeys, TracedAction
from tests.sampling import examples
from tests.semantics.machine import Machine
from tests.strategies.ir_programs import Features, programs

TEXT = """
file "t.c"
object s {12: 0 i32 ".n", 4 2 * {4: 0 i32}} = 3, 0, 0
object q {4: 0 ptr} = 0ptr
template main entry L0
  register t: u32
  register r: ptr
  register `count#1`: i32
  L0: t := spawn w 0ptr -> L1 @ 1:1
  L1: `count#1` := *&s.n_ -> L2 @ 2:1
  L2: r := join t -> L3 @ 3:1
  L3: exit "return from main" -> L3 @ 4:1
template w entry L0
  register p: ptr
  local l {4: 0 i32} = 0
  L0: enter l -> L1 @ 6:1
  L1: *&q := &l -> L2 @ 7:1
  L2: p := *&q -> L3 @ 8:1
  L3: *p := 5 -> L4 @ 9:1
  L4: finish 0ptr -> L4 @ 10:1
""".replace("4 2 * {4: 0 i32}", '4 i32 ".f[0]", 8 i32 ".f[1]"').replace("&s.n_", "&s+8")


def test_events_name_cells_and_values() -> None:
    m = Machine(TEXT, visible=True).run("main")
    (event,) = m.interpreter.views.trace(m.state, 1)
    assert event == TracedAction(
        event.position,
        "main",
        1,
        0,
        reads=(("s.f[1]", "0"),),
        registers=(("count#1", "0"),),
    )
    assert str(event.position) == "t.c:2:1"
    m.run("main.1")
    (event,) = m.interpreter.views.trace(m.state, 2)
    assert event.writes == (("q", "&main.1:l"),)
    m.run("main.1", "main.1")
    (event,) = m.interpreter.views.trace(m.state, 2)
    assert event.writes == (("main.1:l", "5"),)


def test_events_tell_what_happens_to_threads() -> None:
    m = Machine(TEXT, visible=True)
    notes = []
    for name in ["main"] * 2 + ["main.1"] * 5 + ["main"] * 2:
        notes += [e.note for e in m.interpreter.views.trace(m.state, m.thread(name))]
        m.run(name)
    assert [n for n in notes if n] == ["creates main.1", "ends", "joins main.1", "return from main"]


def test_a_blocked_step_is_traced_until_it_blocks() -> None:
    m = Machine(TEXT, visible=True).run("main", "main")
    assert m.steps() == ()
    (event,) = m.interpreter.views.trace(m.state, 1)
    assert event.note == "joins main.1"
    assert m.interpreter.accessed(m.state, 1).reads == {PROGRAM, -1, -2}


def test_footprints() -> None:
    m = Machine(TEXT, visible=True)
    spawn = m.interpreter.accessed(m.state, 1)
    assert spawn == AccessedKeys(frozenset({PROGRAM, -1}), frozenset({-2}))
    m.run("main")
    load = m.interpreter.accessed(m.state, 1)
    assert len(load.reads - {PROGRAM, -1}) == 1
    assert not load.writes
    m.run("main.1")
    store = m.interpreter.accessed(m.state, 2)
    assert len(store.writes) == 1
    assert not in_conflict(load, store)
    assert in_conflict(store, store)
    m.run("main", "main.1", "main.1", "main.1")
    finish = m.interpreter.accessed(m.state, 2)
    join = m.interpreter.accessed(m.state, 1)
    assert -2 in finish.writes
    assert in_conflict(join, finish)
    m.run("main.1", "main")
    assert m.interpreter.accessed(m.state, 1).writes == {PROGRAM}


def test_a_footprint_of_a_part_names_the_whole_cell() -> None:
    m = Machine(
        """
object w {4: 0 u32} = 0
template main entry L0
  L0: *(&w+1) := 1u8 -> L1
  L1: *&w := 1 -> L2
  L2: exit "done" -> L2
""",
        visible=True,
    )
    part = m.interpreter.accessed(m.state, 1)
    m.run("main")
    assert part.writes == m.interpreter.accessed(m.state, 1).writes


def test_descriptions_name_everything() -> None:
    m = Machine(TEXT, visible=True).run("main", "main.1", "main.1")
    assert m.interpreter.views.describe(m.state) == {
        "status": "running",
        "memory": {"s.n": 3, "s.f[0]": 0, "s.f[1]": 0, "q": "&main.1:l", "main.1:l": 0},
        "threads": {
            "main": {
                "template": "main",
                "location": 1,
                "position": "t.c:2:1",
                "registers": {"t": 2},
            },
            "main.1": {
                "template": "w",
                "location": 2,
                "position": "t.c:8:1",
                "registers": {},
            },
        },
    }


@settings(
    max_examples=examples(16, whole=40), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(programs(Features(threads=2)))
def test_independent_steps_commute(program: Program) -> None:
    interpreter = Interpreter(program)
    seen = {interpreter.initial()}
    stack = list(seen)
    while stack and len(seen) < 150:
        s = stack.pop()
        steps = [step for t in interpreter.threads(s) for step in interpreter.steps(s, t)]
        for a in steps:
            for b in steps:
                if a.thread < b.thread and independent(interpreter, s, a, b):
                    assert after(interpreter, a.successor, b) == after(interpreter, b.successor, a)
            if a.successor not in seen and a.violation is None:
                seen.add(a.successor)
                stack.append(a.successor)


def independent(interpreter: Interpreter, s, a, b) -> bool:  # type: ignore[no-untyped-def]
    first = interpreter.accessed(s, a.thread, a.choices)
    return not in_conflict(first, interpreter.accessed(s, b.thread, b.choices))


def after(interpreter: Interpreter, s, step):  # type: ignore[no-untyped-def]
    """The states in which the thread of `step` can be after one step from `s`."""
    return {
        x.successor if x.violation is None else x.violation
        for x in interpreter.steps(s, step.thread)
        if x.choices == step.choices
    }
