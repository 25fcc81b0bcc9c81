"""`--core`: who searches stored states, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.config import Config
from abpress.core.build import find_compiler
from abpress.engines import explicit
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import load

PROGRAM = """
#include <pthread.h>
#include <assert.h>
int x, y;
void *worker(void *given) { x++; y++; return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(x + y <= MOST);
    return 0;
}
"""

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def searched(folder: Path, **options: object) -> Result:
    """What engine `explicit` answers."""
    file = folder / "program.c"
    file.write_text(PROGRAM)
    given = {"defines": ("MOST=4",), "por": "s-por", "core": "native", **options}
    config = Config.of(file, engine="explicit", **given)
    return explicit.search(load(config).program, config, Limits(time=60.0))


@needs_compiler
@pytest.mark.parametrize(("most", "verdict"), [(4, Verdict.TRUE), (3, Verdict.FALSE)])
@pytest.mark.parametrize("por", ["none", "s-por"])
def test_both_answer_the_same(por: str, most: int, verdict: Verdict, tmp_path: Path) -> None:
    answers = {
        core: searched(tmp_path, core=core, por=por, defines=(f"MOST={most}",))
        for core in ("native", "python")
    }
    told = [
        (
            its.verdict,
            its.reason,
            its.assumptions,
            {name: n for name, n in its.statistics.items() if name != "core"},
            its.trace and its.trace.to_json(),
        )
        for its in answers.values()
    ]
    assert told[0] == told[1]
    assert told[0][0] is verdict
    assert {core: its.statistics["core"] for core, its in answers.items()} == {
        "native": "native",
        "python": "python",
    }


def test_what_the_core_cannot_do_python_does(tmp_path: Path) -> None:
    found = searched(tmp_path, properties=("no-data-race",))
    assert found.verdict is Verdict.FALSE
    assert found.statistics["core"] == "python (property no-data-race)"


def test_a_reduction_that_python_alone_has_says_nothing_of_it(tmp_path: Path) -> None:
    assert "core" not in searched(tmp_path, por="de-s-por").statistics


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
    from abpress.core import search
    from abpress.properties.ends import End

    monkeypatch.setattr(search, "classify", lambda system, state: End.BLOCKED)
    found = searched(tmp_path)
    assert found.verdict is Verdict.TRUE
    assert str(found.statistics["core"]).startswith("python (the reference sees something else")
    assert "warning" in capsys.readouterr().err


@needs_compiler
def test_limits_end_it(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(PROGRAM)
    config = Config.of(file, engine="explicit", por="none", core="native", defines=("MOST=4",))
    program = load(config).program
    found = explicit.search(program, config, Limits(time=0.0))
    assert (found.verdict, found.reason) == (Verdict.TRUE, "") or "time limit" in found.reason
    found = explicit.search(program, config, Limits(states=1))
    assert found.reason == "its share of states is used up"
