"""What a command line may leave out, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.cli.main import said_in_full
from tests.cli.conftest import Command

RACY = """
#include <pthread.h>
int x;
static void *work(void *a) { x++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
}
"""

TWO = """
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
}
"""


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("a.c --quiet", "verify a.c --quiet"),
        ("-DX=1 a.i", "verify -DX=1 a.i"),
        ("build/compile_commands.json", "verify build/compile_commands.json"),
        ("- --quiet", "verify - --quiet"),
        ("help show", "show --help"),
        ("help", "--help"),
        ("show a.c", "show a.c"),
        ("--version", "--version"),
        ("verfy a.c", "verfy a.c"),
        ("", ""),
    ],
)
def test_what_is_left_out(given: str, meant: str) -> None:
    assert said_in_full(given.split()) == meant.split()


def test_a_file_alone_is_verified(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    assert abpress("a.c", "--property", "unreach-call").verdict == "true"
    assert "usage: abpress show" in abpress("help", "show").out


def test_wrong_words_are_guessed(abpress: Command, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    run = abpress("verify", "a.c", "--propery", "no-deadlock")
    assert run.status == 3
    assert "there is no option --propery; did you mean --property?" in run.err
    run = abpress("verify", "a.c", "--property", "no-dead-lock")
    assert run.status == 3
    assert "did you mean no-deadlock?" in run.err
    assert "did you mean verify?" in abpress("verfy", "a.c").err
    assert "did you mean" not in abpress("verify", "a.c", "--xyzzy").err


@pytest.mark.parametrize(
    ("text", "property", "line"),
    [
        (RACY, "no-data-race", "error: data race on x [no-data-race]"),
        (TWO, "no-deadlock", "p.c:6:3: error: "),
        (
            "#include <assert.h>\nint main(void) {\n  assert(0);\n}\n",
            "unreach-call",
            "p.c:3:3: error: assertion 0 fails [unreach-call]",
        ),
    ],
)
def test_the_first_line_of_a_violation(
    text: str, property: str, line: str, abpress: Command, tmp_path: Path
) -> None:
    (tmp_path / "p.c").write_text(text)
    run = abpress("verify", "p.c", "--property", property)
    assert run.status == 1
    first = run.out.splitlines()[0]
    assert first.startswith("p.c:")
    assert line in first
