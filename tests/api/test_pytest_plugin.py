"""The plugin of pytest, in runs of pytest."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from tests.cli.conftest import environment

PROGRAM = """\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
#ifdef LOCKED
#define LOCK(f) f(&m)
#else
#define LOCK(f)
#endif
// abpress: property=no-data-race expect=false
// abpress: property=no-data-race, define=LOCKED
/* abpress: property=no-deadlock,unreach-call define=LOCKED define=N=1 expect=true */
void *run(void *p) { LOCK(pthread_mutex_lock); x++; LOCK(pthread_mutex_unlock); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
}
"""

TESTS = """\
def test_it_is_proved(abpress):
    result = abpress.proves("x.c", "no-data-race", defines=["LOCKED"])
    assert result["no-data-race"].name == "no-data-race"

def test_it_is_violated(abpress):
    assert abpress.violates("x.c", "no-data-race").diagnosis

def test_it_is_not_proved(abpress):
    abpress.proves("x.c", "no-data-race")

def test_the_limit_is_that_of_the_settings(abpress):
    assert abpress.time_limit == 33
    assert abpress.verify("int main(void) { }", "unreach-call")
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    plugin = ("-p", "abpress.pytest_plugin", "-p", "no:cacheprovider")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-q", *arguments],
        cwd=folder,
        env={**environment(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_fixture_and_the_comments(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "x.c").write_text(PROGRAM)
    (tmp_path / "c" / "test_x.py").write_text(TESTS)
    (tmp_path / "c" / "other.c").write_text("// abpress: nonsense\n")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nabpress_files = c/x.c\nabpress_time_limit = 33\n"
    )
    run = run_pytest(tmp_path)
    assert "1 failed, 6 passed" in run.stdout, run.stdout + run.stderr
    assert "AbPress: true is expected, and the answer is false" in run.stdout
    assert "no-data-race: false: c/x.c" not in run.stdout  # paths are those of the test
    assert "writes x" in run.stdout
    assert "Traceback" not in run.stdout


def test_what_is_wrong_in_a_comment_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text(
        "int main(void) { }\n// abpress: property=no-deadlock expects=true\n"
    )
    (tmp_path / "y.c").write_text("// abpress: expect=maybe\n")
    (tmp_path / "z.c").write_text("// abpress: property=no-deadlock\nint main(void) {\n")
    run = run_pytest(tmp_path, "-o", "abpress_files=*.c")
    assert "x.c:2: 'expects=true' is none of property=, expect=, define=" in run.stdout
    assert "y.c:1: expect= is not one of true, false, unknown" in run.stdout
    assert "z.c:2:" in run_pytest(tmp_path, "-o", "abpress_files=z.c").stdout


def test_without_settings_no_file_of_c_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("// abpress: nonsense\n")
    run = run_pytest(tmp_path)
    assert "no tests ran" in run.stdout, run.stdout + run.stderr


def test_to_load_the_plugin_loads_nothing_of_the_verifier() -> None:
    code = "import sys, abpress.pytest_plugin; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True
    )
    assert sorted(name for name in run.stdout.split() if name.startswith("abpress")) == [
        "abpress",
        "abpress.pytest_plugin",
        "abpress.verify",
        "abpress.version",
    ]


def test_pytest_does_not_find_the_plugin_by_itself() -> None:
    assert not distribution("abpress").entry_points.select(group="pytest11")
