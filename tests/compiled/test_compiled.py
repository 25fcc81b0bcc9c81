"""What compiled code does under every schedule is what the program model does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abpress.config import ProgramOptions
from tests.compiled.cases import CASES, CELLS, SETUP, text_of
from tests.compiled.differential import BUILDS, check
from tests.compiled.machine import WAKEUPS, Build, TooLarge, Unjudged, available, compiled, modelled
from tests.strategies.c_programs import ConcurrentProgram, concurrent_programs

pytestmark = pytest.mark.skipif("gcc" not in available(), reason="no gcc whose code could be run")

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
    max_examples=6,
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


@pytest.mark.parametrize("name", CASES)
def test_functions_of_the_library(name: str, folder: Path) -> None:
    text = text_of(*CASES[name], SETUP.get(name, ""))
    for wakeups in WAKEUPS if "cond_" in text.partition("main")[2] else ("off",):
        assert both(folder, text, CELLS, wakeups)


def test_increments_are_two_steps(folder: Path) -> None:
    text = text_of("", "x++;", "x++;")
    assert both(folder, text, ("x",)) == {"complete x=1", "complete x=2"}


def test_atomic_increments_are_one_step(folder: Path) -> None:
    text = text_of("", "a++;", "a++;")
    assert both(folder, text, ("a",)) == {"complete a=2"}


def test_deadlocks_and_violations_are_outcomes(folder: Path) -> None:
    second = "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;"
    lock = "pthread_mutex_lock"
    text = text_of(
        second, f"{lock}(&m); x = 1; {lock}(&n);", f"assert(x == 0); {lock}(&n); {lock}(&m);"
    )
    assert both(folder, text, ("x",)) == {
        "deadlock x=0",
        "deadlock x=1",
        "violation assertion x == 0 fails",
    }


def test_threads_that_wait_wake_up_without_a_signal_if_that_is_asked_for(folder: Path) -> None:
    wait = "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
    text = text_of("", wait, "pthread_cond_signal(&c);")
    assert both(folder, text, (), "off") == {"complete", "deadlock"}
    assert both(folder, text, (), "on") == {"complete"}
    assert both(folder, text, (), "chosen") == {"complete", "deadlock"}


def test_a_difference_is_seen(folder: Path) -> None:
    file = folder / "torn.c"
    file.write_text(text_of("", "x = x + 1;", "x = x + 1;"))
    atomic = text_of("", "__sync_fetch_and_add(&x, 1);", "__sync_fetch_and_add(&x, 1);")
    assert modelled(ProgramOptions(file, data_model="LP64"), ("x",), 1000) > compiled(
        folder, atomic, ("x",), GCC, "on", 1000
    )


def test_what_is_not_judged(folder: Path) -> None:
    endless = text_of("", "for (;;) x++;", "")
    with pytest.raises(TooLarge):
        compiled(folder, endless, ("x",), GCC, "on", 100)
    unlocked = text_of("", "pthread_mutex_unlock(&m);", "")
    with pytest.raises(Unjudged):
        compiled(folder, unlocked, (), GCC, "on", 100)
