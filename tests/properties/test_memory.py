"""valid-memtrack and valid-memcleanup: what is lost, what is left, and which searches find it.

NOTE(lost-is-stable): the traps below take its rules away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from abpress.config import Config
from abpress.engines.abpress.engine import prove
from abpress.engines.order import InOrder, asked_options
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES
from abpress.errors import UnsupportedError
from abpress.proof.certificate import Rejected
from abpress.proof.check import check
from abpress.proof.write import certificate
from abpress.properties import PROPERTIES
from abpress.reductions.table import STATELESS
from abpress.result import Soundness, Verdict
from abpress.search.limits import Limits
from abpress.search.stateless import explore_executions
from abpress.semantics.interpreter import Interpreter
from abpress.semantics.outcome import Options
from abpress.verify.load import load
from abpress.verify.run import verify
from tests.sampling import in_turn
from tests.test_programs import HERE, expectation

MEMORY = sorted((HERE / "programs" / "memory").glob("*.c"))
TRACKED = [file for file in MEMORY if "valid-memtrack" in expectation(file).args]

REDUCED = tuple(por for por in ENGINES["explicit"].reductions if por != "none")

LAST_WRITE = """
#include <pthread.h>
#include <stdlib.h>
int x, *g;
void *one(void *a) { g = &x; return 0; }
void *two(void *a) { g = malloc(sizeof *g); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""
"""Nobody reads `g`, but whether an address is left in it depends on who writes last."""


def name_of(value: Path | str) -> str:
    return value.stem if isinstance(value, Path) else value


def config_of(tmp_path: Path, text: str, property: str = "valid-memtrack", **options) -> Config:
    file = tmp_path / "program.c"
    file.write_text(text, encoding="utf-8")
    return Config.of(file, property=property, **options)


@pytest.mark.parametrize(
    ("file", "por"), in_turn(TRACKED, ["none", "s-por", "dl-s-por", "o-dpor"]), ids=name_of
)
def test_stateful_reductions_agree(file: Path, por: str) -> None:
    config = Config.of(file, property="valid-memtrack", engine="explicit", por=por)
    assert verify(config).result.verdict.value == expectation(file).answer.partition("(")[0]


@pytest.mark.parametrize("file", TRACKED, ids=lambda file: file.stem)
@pytest.mark.parametrize("engine", ["stateless", "hunt"])
def test_searches_without_states_agree(file: Path, engine: str) -> None:
    config = Config.of(file, property="valid-memtrack", engine=engine, hunt_steps=20_000)
    expected = Verdict(expectation(file).answer.partition("(")[0])
    if engine == "hunt" and expected is Verdict.TRUE:
        expected = Verdict.UNKNOWN
    assert verify(config).result.verdict is expected


HARD = {"kept_list"}
"""A list of three, made in a loop: each length is a place of its own."""


@pytest.mark.parametrize(
    ("file", "por"),
    in_turn(
        [f for f in TRACKED if f.stem not in HARD],
        ["none", "source+summaries", "source+abstraction"],
    ),
    ids=name_of,
)
def test_the_tree_agrees(file: Path, por: str) -> None:
    """A verdict "true" is one of a certificate that the checker has accepted."""
    config = Config.of(file, property="valid-memtrack", engine="abpress", por=por)
    report = verify(config)
    assert report.result.verdict.value == expectation(file).answer.partition("(")[0]
    assert (report.certificate is not None) is (report.result.verdict is Verdict.TRUE)


def test_the_checker_looks_for_losses_itself() -> None:
    """A certificate of another question of the same tree is none of this one."""
    file = HERE / "programs" / "memory" / "lost_overwritten.c"
    config = Config.of(file, property="valid-memtrack")
    program = load(config).program
    result, tree = prove(program, config.but(property="unreach-call", por="none"), Limits())
    assert result.verdict is Verdict.TRUE
    assert tree is not None
    made = certificate(program, "unreach-call", Options(), tree)
    check(program, made)
    with pytest.raises(Rejected, match="is not excluded: violates valid-memtrack"):
        check(program, replace(made, property="valid-memtrack"))


def found_with(algorithm: str, config: Config) -> bool:
    system = InOrder(load(config).program, config, Soundness())
    property = PROPERTIES["valid-memtrack"]
    return bool(explore_executions(system, STATELESS[algorithm].make(), property).found)


def test_the_order_of_writes_that_nobody_reads_counts(tmp_path: Path) -> None:
    config = config_of(tmp_path, LAST_WRITE)
    assert found_with("optimal", config)
    assert not found_with("observers", config)
    with pytest.raises(UnsupportedError, match="does not check valid-memtrack"):
        verify(config.but(engine="stateless", por="observers"))


def test_registers_forget_what_variables_hold(tmp_path: Path) -> None:
    """With the program of other questions, a dead variable is no pointer any more."""
    config = config_of(
        tmp_path, "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; exit(0); }"
    )
    assert verify(config).result.verdict is Verdict.TRUE
    program = load(config.but(property="unreach-call")).program
    config = config.but(por="none")
    system = InOrder(program, config, Soundness())
    assert asked_options(config).losses
    property = PROPERTIES["valid-memtrack"]
    assert explore_executions(system, STATELESS["none"].make(), property).found


def test_programs_that_allocate_nothing_need_no_search(tmp_path: Path) -> None:
    for property in ("valid-memtrack", "valid-memcleanup"):
        config = config_of(tmp_path, "int main(void) { while (1) ; }", property)
        report = verify(config)
        assert report.result.verdict is Verdict.TRUE
        assert report.certificate is not None
        assert "allocates no memory" in str(report.result.statistics)


ENDED_BY_OTHERS = """
#include <pthread.h>
#include <stdlib.h>
void *f(void *a) { char *p = malloc(1); free(p); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); exit(0); }
"""


@pytest.mark.parametrize("por", ["none", *REDUCED])
def test_what_is_left_when_another_thread_ends_the_program(tmp_path: Path, por: str) -> None:
    """NOTE(left-at-the-end): a thread that goes alone with what only it can reach has freed it."""
    config = config_of(tmp_path, ENDED_BY_OTHERS, "valid-memcleanup")
    system = InOrder(load(config).program, config, Soundness())
    outcome = explore_all(system, por, PROPERTIES["valid-memcleanup"])
    assert outcome.exhausted or outcome.found
    alone = por in ("heap-reach", "heap-reach+fields", "hybrid")
    assert bool(outcome.found) is not alone
    assert ENGINES["explicit"].answers("valid-memcleanup", por) is not alone


def test_allocations_that_are_not_visible_are_passed_by(tmp_path: Path) -> None:
    """NOTE(left-at-the-end)."""
    config = config_of(tmp_path, ENDED_BY_OTHERS, "valid-memcleanup")
    program, asked = load(config).program, PROPERTIES["valid-memcleanup"]
    system = Interpreter(program, asked_options(config))
    for por in ("none", "s-por"):
        assert not explore_all(system, por, asked).found
    assert not explore_executions(system, STATELESS["optimal"].make(), asked).found


def history(name: str, property: str) -> list[str]:
    file = HERE / "programs" / "memory" / f"{name}.c"
    trace = verify(Config.of(file, property=property)).result.trace
    return [f"{e.object} {e.what} by {e.thread} at {e.position.line}" for e in trace.history]


def test_findings_tell_what_has_happened_to_their_object() -> None:
    assert history("deref_wrong_freed", "valid-deref") == [
        "int@11 allocated by main at 11",
        "int@11 freed by main.1 at 6",
    ]
    assert "main.1:x ended by main.1 at 4" in history("deref_wrong_thread", "valid-deref")
    assert history("free_wrong_double", "valid-free") == [
        "int@4 allocated by main at 4",
        "int@4 freed by main at 5",
    ]
    assert history("lost_overwritten", "valid-memtrack") == ["int@4 allocated by main at 4"]
