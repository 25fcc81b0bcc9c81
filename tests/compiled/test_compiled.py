"""What compiled code does under every schedule is what the program model does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abpress.config import ProgramOptions
from tests.compiled.differential import BUILDS, check
from tests.compiled.machine import Build, TooLarge, Unjudged, available, compiled, modelled
from tests.strategies.c_programs import ConcurrentProgram, concurrent_programs

pytestmark = pytest.mark.skipif("gcc" not in available(), reason="no gcc whose code could be run")

PROGRAMS = Path(__file__).parent.parent / "programs"
GCC = Build("gcc", ("-O0",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compiled")


def both(folder: Path, text: str, cells: tuple[str, ...], wakeups: str = "off") -> set[str]:
    """The outcomes, which are the same in the model and on the machine."""
    file = folder / "program.c"
    file.write_text(text)
    options = ProgramOptions(file, data_model="LP64", spurious_wakeups=wakeups)
    theirs = compiled(folder, text, cells, GCC, wakeups, 100_000)
    assert modelled(options, cells, 20_000) == theirs
    return set(theirs)


@settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    program=concurrent_programs(),
    build=st.sampled_from([b for b in BUILDS if b.compiler in available() and "-m64" in str(b)]),
)
def test_random_programs(program: ConcurrentProgram, build: Build, folder: Path) -> None:
    check(program, build, folder)


@pytest.mark.parametrize(
    "name",
    ["cond_signal", "mutex_kinds", "barrier", "rwlock", "sem", "once", "cleanup", "c11_keys"],
)
def test_library_programs(name: str, folder: Path) -> None:
    assert both(folder, (PROGRAMS / "library" / f"{name}.c").read_text(), ())


TWO = """
#include <assert.h>
#include <pthread.h>
DECLARED
static void *other(void *argument) { OTHER return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  MAIN
  pthread_join(t, 0);
  return 0;
}
"""


def two(declared: str, other: str, main: str) -> str:
    return TWO.replace("DECLARED", declared).replace("OTHER", other).replace("MAIN", main)


def test_increments_are_two_steps(folder: Path) -> None:
    text = two("int x;", "x++;", "x++;")
    assert both(folder, text, ("x",)) == {"complete x=1", "complete x=2"}


def test_atomic_increments_are_one_step(folder: Path) -> None:
    text = two("_Atomic int x;", "x++;", "x++;")
    assert both(folder, text, ("x",)) == {"complete x=2"}


def test_deadlocks_and_violations_are_outcomes(folder: Path) -> None:
    mutexes = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"
    lock = "pthread_mutex_lock"
    text = two(
        mutexes, f"{lock}(&m); x = 1; {lock}(&n);", f"assert(x == 0); {lock}(&n); {lock}(&m);"
    )
    assert both(folder, text, ("x",)) == {
        "deadlock x=0",
        "deadlock x=1",
        "violation assertion x == 0 fails",
    }


def test_threads_that_wait_wake_up_without_a_signal_if_that_is_asked_for(folder: Path) -> None:
    objects = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c;"
    wait = "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
    text = two(objects, wait, "pthread_cond_signal(&c);")
    assert both(folder, text, (), "off") == {"complete", "deadlock"}
    assert both(folder, text, (), "on") == {"complete"}
    assert compiled(folder, text, (), GCC, "chosen", 1000) == {"complete", "deadlock"}


def test_a_difference_is_seen(folder: Path) -> None:
    file = folder / "torn.c"
    file.write_text(two("int x;", "x = x + 1;", "x = x + 1;"))
    atomic = two("int x;", "__sync_fetch_and_add(&x, 1);", "__sync_fetch_and_add(&x, 1);")
    assert modelled(ProgramOptions(file, data_model="LP64"), ("x",), 1000) > compiled(
        folder, atomic, ("x",), GCC, "on", 1000
    )


def test_what_is_not_judged(folder: Path) -> None:
    endless = two("int x;", "for (;;) x++;", "")
    with pytest.raises(TooLarge):
        compiled(folder, endless, ("x",), GCC, "on", 100)
    unlocked = two("pthread_mutex_t m;", "pthread_mutex_unlock(&m);", "")
    with pytest.raises(Unjudged):
        compiled(folder, unlocked, (), GCC, "on", 100)
