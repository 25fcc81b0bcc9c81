"""Large states are the flat ones in another form: the same steps, and the same equalities."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from abpress.config import Config
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES
from abpress.errors import InputError, UnsupportedError
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import ConcreteStep, Options, State
from abpress.semantics.sharing import Draft, LargeState, StateLayout
from abpress.semantics.thread_sets import ThreadSet, members
from abpress.semantics.trees import WIDTH, SharedObjects
from abpress.verify.load import load
from tests.sampling import examples, sample
from tests.strategies.ir_programs import Features, programs

ROOT = Path(__file__).resolve().parent.parent
DONE = -1

FEATURES = st.sampled_from(
    [
        Features(threads=3, statements=8),
        Features(threads=2, statements=8, arrays=True),
        Features(threads=2, statements=6, wide_inputs=True, unbounded_loops=False),
    ]
)


def flat(s: State) -> tuple[object, ...]:
    """The components, with objects as in a flat state."""
    return tuple(tuple(c) if isinstance(c, SharedObjects) else c for c in s)


def same(one: ConcreteStep, other: ConcreteStep) -> bool:
    return one[:2] == other[:2] and one[3] == other[3] and flat(one[2]) == flat(other[2])


def compared(program: Program, large: int, most: int = 400) -> set[bool]:
    """Explores with flat states and with large ones from so many components on, side by side, and
    returns which of the latter were large."""
    one = Interpreter(program, Options(input_domain=4, max_threads=8, large=10**9))
    other = Interpreter(program, Options(input_domain=4, max_threads=8, large=large))
    met = {flat(one.initial()): (one.initial(), other.initial())}
    by_state: dict[State, object] = {}
    todo = list(met)
    kinds = set()
    while todo and len(met) < most:
        components = todo.pop()
        s, t = met[components]
        assert isinstance(s, tuple)
        kinds.add(isinstance(t, LargeState))
        assert isinstance(t, LargeState) == (len(s) >= large)
        assert flat(t) == s and len(t) == len(s)
        assert by_state.setdefault(t, components) == components
        assert hash(t) == hash(other.undo.restored(t, ()))  # whatever the way that leads there
        assert tuple(one.threads(s)) == tuple(other.threads(t))
        assert one.views.describe(s) == other.views.describe(t)
        quiet = [thread for thread in one.threads(s) if one.invisible(s, thread)]
        assert quiet == [thread for thread in other.threads(t) if other.invisible(t, thread)]
        if isinstance(t, LargeState):
            threads = other.threads(t)
            assert isinstance(threads, ThreadSet)
            assert list(threads.quiet) == quiet
        for thread in one.threads(s):
            steps, others = one.steps(s, thread), other.steps(t, thread)
            assert len(steps) == len(others) and all(map(same, steps, others))
            assert one.waits(s, thread) == other.waits(t, thread)
            recorded, alike = one.record(s, thread), other.record(t, thread)
            assert recorded[1:] == alike[1:]
            assert all(map(same, recorded.steps, alike.steps))
            for step, its in zip(steps, others, strict=True):
                taken = other.take(t, thread, step.choices)
                assert taken is not None and taken.successor == its.successor
                assert one.accessed(s, thread, step.choices) == other.accessed(
                    t, thread, step.choices
                )
                change = one.undo.change(s, step.successor, thread)
                changed = other.undo.change(t, its.successor, thread)
                assert (change is None) == (changed is None)
                if changed is not None and step.violation is None:
                    assert other.undo.restored(its.successor, [changed]) == t
                if step.violation is None and flat(step.successor) not in met:
                    met[flat(step.successor)] = step.successor, its.successor
                    todo.append(flat(step.successor))
                if flat(step.successor) in met and step.violation is None:
                    known = met[flat(step.successor)][1]
                    assert known == its.successor and hash(known) == hash(its.successor)
    return kinds


@settings(
    max_examples=examples(10, whole=25),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(FEATURES.flatmap(programs), st.integers(1, 12))
def test_steps_as_with_flat_states(program: Program, large: int) -> None:
    assume(len(Interpreter(program).initial()) < 300)
    compared(program, 1, 40)
    compared(program, large, 40)


def whole_programs() -> Iterator[Path]:
    for folder in ("litmus", "library", "arrays", "lowering"):
        yield from sorted((ROOT / "programs" / folder).glob("*.c"))[:12]


@pytest.mark.parametrize("file", sample(list(whole_programs()), 2), ids=lambda file: str(file.stem))
def test_steps_of_whole_programs(file: Path) -> None:
    try:
        program = load(Config.of(file)).program
    except (InputError, UnsupportedError):
        pytest.skip("not a program by itself")
    assert True in compared(program, 1, 60)
    components = len(Interpreter(program).initial())
    # Now and then a thread more makes a state large, and the end of the program makes it flat.
    compared(program, components + 1, 60)
    compared(program, components + 2, 60)


CREATORS = """
#include <pthread.h>
#include <stdlib.h>
pthread_t ids[3];
int *cell;
void *child(void *argument) { *(int *)argument = 1; return 0; }
void *worker(void *argument) {
  pthread_t t;
  int *own = malloc(sizeof *own);
  pthread_create(&t, 0, child, own);
  cell = own;
  pthread_join(t, 0);
  free(own);
  return 0;
}
int main(void) {
  for (int i = 0; i < 2; i++) pthread_create(&ids[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(ids[i], 0);
}
"""


@pytest.fixture(scope="module")
def creators(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Threads that create threads, so that not all are created in the order of their ids."""
    file = tmp_path_factory.mktemp("sharing") / "creators.c"
    file.write_text(CREATORS)
    return load(Config.of(file)).program


def test_threads_in_any_order(creators: Program) -> None:
    components = len(Interpreter(creators).initial())
    assert compared(creators, 1, 3000) == {True}
    assert compared(creators, components + 2, 3000) == {True, False}


@pytest.mark.parametrize("por", ENGINES["explicit"].reductions)
def test_counts_are_those_with_flat_states(creators: Program, por: str) -> None:
    property = PROPERTIES["unreach-call"]
    counts = set()
    for large in (10**6, 1, len(Interpreter(creators).initial()) + 2):
        system = Interpreter(creators, Options(large=large))
        outcome = explore_all(system, por, property)
        assert outcome.exhausted
        counts.add(repr(outcome.statistics.as_dict()))
    assert len(counts) == 1


# -- the parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_large_states_read_as_tuples(seed: int) -> None:
    """Changes at random: the state is that which is made of its components, and so is its hash."""
    chance = random.Random(seed)
    dynamic = chance.choice([0, 3, WIDTH, WIDTH + 1, 5 * WIDTH, WIDTH * WIDTH + 7])
    shape = StateLayout(dynamic, dynamic + 2, DONE, (True, False, True, False), 1)
    ids = list(range(1, 2 * WIDTH * WIDTH))
    first = (*range(dynamic), (), 0, (1, 0, 5))
    state = shape.state(first)
    components: list[object] = list(first)
    components[dynamic] = SharedObjects.of(())
    for _ in range(300):
        assert isinstance(state, LargeState)
        draft = Draft(state, shape.base)
        for _ in range(chance.randrange(4)):
            k = chance.randrange(len(components))
            if k < dynamic:
                draft[k] = components[k] = chance.choice([None, 0, 1, -1, -2, 7])
            elif k >= shape.base:
                pc = chance.choice([DONE, 0, 1, 2, 3])
                draft[k] = components[k] = (components[k][0], pc, chance.random())  # type: ignore[index]
        for _ in range(chance.choice([0, 1, 1, 40])):
            new = (chance.choice(ids), 1, 0)
            present = [thread[0] for thread in components[shape.base :]]  # type: ignore[index]
            if new[0] not in present:
                at = shape.base + sum(other < new[0] for other in present)
                draft.insert(at, new)
                components.insert(at, new)
        assert [draft[k] for k in range(len(draft))] == components
        state = draft.state()
        assert isinstance(state, LargeState)
        assert list(state) == components
        again = shape.state(components)
        assert state == again and hash(state) == hash(again)
        assert isinstance(again, LargeState)
        assert (state.alive, state.quiet) == (again.alive, again.quiet)
        for thread in components[shape.base :]:
            assert state[state.place(thread[0]) or 0] == thread  # type: ignore[index]
        assert state.place(10**9) is None
        assert state[shape.base :] == tuple(components[shape.base :])
        assert state[3:9] == tuple(components[3:9])
        assert state[-1] == components[-1]
        with pytest.raises(IndexError):
            state[len(components)]
    draft = Draft(state, shape.base)
    del draft[shape.base :]
    ended = draft.state()
    assert list(ended) == components[: shape.base]
    assert hash(ended) == hash(shape.state(components[: shape.base]))


def test_states_become_flat_when_they_are_small() -> None:
    shape = StateLayout(2, 4, DONE, (True,), 6)
    objects = SharedObjects.of([(7, (1, 2))])
    state = shape.state([1, 2, objects, 0, (1, 0), (2, 0)])
    assert isinstance(state, LargeState)
    draft = Draft(state, 4)
    draft[3] = "ended"
    del draft[4:]
    assert draft.state() == (1, 2, ((7, (1, 2)),), "ended")
    draft[0] = 5
    assert draft.state() == (5, 2, ((7, (1, 2)),), "ended")


def test_different_states_differ() -> None:
    shape = StateLayout(2, 4, DONE, (True, False), 1)
    base = [1, 2, (), 0, (1, 0), (2, 0)]
    others = [
        [2, 1, (), 0, (1, 0), (2, 0)],
        [1, 2, ((9, (0,)),), 0, (1, 0), (2, 0)],
        [1, 2, (), "ended", (1, 0), (2, 0)],
        [1, 2, (), 0, (1, 0), (2, 1)],
        [1, 2, (), 0, (1, 0), (3, 0)],
        [1, 2, (), 0, (1, 0)],
    ]
    states = {shape.state(components) for components in (base, *others, list(base))}
    assert len(states) == 7
    assert shape.state(base) != tuple(base)


@pytest.mark.parametrize("seed", range(4))
def test_objects_by_their_numbers(seed: int) -> None:
    chance = random.Random(seed)
    expected: dict[int, tuple[int, ...]] = {}
    objects = SharedObjects.of(())
    for _ in range(400):
        number = chance.choice([chance.randrange(40), chance.randrange(10**6)])
        if chance.random() < 0.4:
            number = chance.choice(list(expected) or [number])
            expected.pop(number, None)
            objects = objects.drop(number)
        else:
            expected[number] = (chance.randrange(3),)
            objects = objects.put(number, expected[number])
        assert tuple(objects) == tuple(sorted(expected.items()))
        assert len(objects) == len(expected)
        assert objects.get(number) == expected.get(number)
        again = SharedObjects.of(sorted(expected.items()))
        assert objects == again and hash(objects) == hash(again)
    for number in expected:
        objects = objects.drop(number)
    assert objects == SharedObjects.of(()) and hash(objects) == hash(SharedObjects.of(()))


def test_sets_of_threads() -> None:
    some = [0, 1, 5, 255, 256, 1000]
    bits = sum(1 << t for t in some)
    assert list(members(bits)) == some
    threads = ThreadSet(bits, 1 << 5)
    assert (len(threads), list(threads), list(threads.quiet)) == (6, some, [5])
    assert 256 in threads and 2 not in threads and -1 not in threads
    assert threads == tuple(some) and threads[1] == 1 and threads[1:3] == (1, 5)
    assert not ThreadSet(0)
