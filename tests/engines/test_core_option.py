"""`--core`: who searches stored states, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from abpress.config import OFF, Config
from abpress.core.build import find_compiler
from abpress.core.search import ALGORITHMS
from abpress.engines import core as cores
from abpress.engines import explicit, stored
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load

PROGRAM = """
#include <pthread.h>
#include <assert.h>
#ifndef N
#define N 2
#endif
int x, y;
void *worker(void *given) { x++; y++; return 0; }
int main(void) {
    pthread_t t[N];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < N; i++) pthread_join(t[i], 0);
    assert(x + y <= MOST);
    return 0;
}
"""

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def searched(folder: Path, **options: object) -> Result:
    """What engine `explicit` answers, which stores all states."""
    file = folder / "program.c"
    file.write_text(PROGRAM)
    given = {"defines": ("MOST=4",), "por": "s-por", "core": "native", "symmetry": OFF, **options}
    config = Config.of(file, engine="explicit", **given)
    return explicit.search(load(config).program, config, Limits(time=60.0))


def told(result: Result) -> tuple[object, ...]:
    """What an answer tells, but who has searched."""
    return (
        result.verdict,
        result.reason,
        result.assumptions,
        {name: n for name, n in result.statistics.items() if name != "core"},
        result.trace and result.trace.to_json(),
    )


@needs_compiler
@pytest.mark.parametrize(("most", "verdict"), [(4, Verdict.TRUE), (3, Verdict.FALSE)])
@pytest.mark.parametrize("por", ["none", "s-por"])
def test_both_answer_the_same(por: str, most: int, verdict: Verdict, tmp_path: Path) -> None:
    answers = {
        core: searched(tmp_path, core=core, por=por, defines=(f"MOST={most}",))
        for core in ("native", "python")
    }
    assert told(answers["native"]) == told(answers["python"])
    assert answers["native"].verdict is verdict
    assert {core: its.statistics["core"] for core, its in answers.items()} == {
        "native": "native",
        "python": "python",
    }


@needs_compiler
@pytest.mark.parametrize("keep_going", [False, True])
@pytest.mark.parametrize("most", [4, 3])
def test_the_core_takes_over_what_is_long(
    most: int, keep_going: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"defines": (f"MOST={most}",), "por": "none", "keep_going": keep_going}
    alone = searched(tmp_path, core="python", **given)
    assert searched(tmp_path, core="auto", **given).statistics["core"] == "python"
    monkeypatch.setattr(stored, "HAND_OVER", 256)
    taken_over = searched(tmp_path, core="auto", **given)
    assert taken_over.statistics["core"] == ("native" if most == 4 or keep_going else "python")
    assert told(taken_over) == told(alone)


@needs_compiler
def test_what_has_to_be_built_is_built_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "HAND_OVER", 256)
    monkeypatch.setattr(cores, "is_built", lambda: False)
    for build, core in ((1 << 18, "python"), (512, "native")):
        monkeypatch.setattr(stored, "BUILD", build)
        found = searched(tmp_path, core="auto", por="none", defines=("N=3", "MOST=6"))
        assert found.statistics["core"] == core


def test_a_search_goes_on_where_the_core_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("abpress.core.library.library", _broken)
    monkeypatch.setattr("abpress.core.library.load", _uncached())
    monkeypatch.setattr(stored, "HAND_OVER", 256)
    monkeypatch.setattr(cores, "is_built", lambda: True)
    found = searched(tmp_path, core="auto", por="none")
    assert found.statistics["core"] == "python (it does not build)"
    assert told(found) == told(searched(tmp_path, core="python", por="none"))
    assert not capsys.readouterr().err


def test_what_the_core_cannot_do_python_does(tmp_path: Path) -> None:
    found = searched(tmp_path, order="main.2,main.1")
    assert found.verdict is Verdict.TRUE
    assert found.statistics["core"] == "python (order main.2,main.1)"


@needs_compiler
def test_the_core_looks_for_lost_memory(tmp_path: Path) -> None:
    found = searched(tmp_path, properties=("valid-memtrack",))
    assert found.verdict is Verdict.TRUE
    assert found.statistics["core"] == "native"


@needs_compiler
def test_what_has_to_be_looked_at_often_python_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"properties": ("no-data-race",), "keep_going": True}
    assert searched(tmp_path, **given).statistics["core"] == "native"
    monkeypatch.setattr("abpress.core.looking.FEW_VISITS", 2)
    found = searched(tmp_path, **given)
    assert found.verdict is Verdict.FALSE
    assert found.statistics["core"] == "python (properties that look at many states)"


def test_a_reduction_that_python_alone_has_says_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(ALGORITHMS, "hybrid")  # as one that is not of this repository
    assert "core" not in searched(tmp_path, por="hybrid").statistics


def test_without_a_compiler_python_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("abpress.core.library.library", _broken)
    monkeypatch.setattr("abpress.core.library.load", _uncached())
    found = searched(tmp_path)
    assert found.verdict is Verdict.TRUE
    assert found.statistics["core"] == "python (it does not build)"
    assert "warning: no native core: it does not build" in capsys.readouterr().err


def _uncached() -> object:
    from abpress.core.library import load as its

    return its.__wrapped__


def _broken() -> Path:
    from abpress.core.build import NotBuilt

    raise NotBuilt("it does not build", is_news=True)


@needs_compiler
def test_a_difference_is_told_and_python_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from abpress.core import reference
    from abpress.properties.ends import End

    monkeypatch.setattr(reference, "classify", lambda system, state: End.BLOCKED)
    found = searched(tmp_path)
    assert found.verdict is Verdict.TRUE
    assert str(found.statistics["core"]).startswith("python (the reference sees something else")
    assert "warning" in capsys.readouterr().err


@needs_compiler
def test_limits_end_it(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM)
    given = {"por": "none", "core": "native", "symmetry": OFF, "defines": ("MOST=4",)}
    config = Config.of(file, engine="explicit", **given)
    program = load(config).program
    found = explicit.search(program, config, Limits(time=0.0))
    assert (found.verdict, found.reason) == (Verdict.TRUE, "") or "time limit" in found.reason
    found = explicit.search(program, config, Limits(states=1))
    assert found.reason == "its share of states is used up"
