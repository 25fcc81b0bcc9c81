"""What is written where it cannot be, and where it must not be taken for commands."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from abpress.cli.output import plain
from tests.cli.conftest import COMMAND, environment

FALSE = "#include <assert.h>\nint main(void) { assert(0); return 0; }\n"


def shell(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a line of shell in which `"$@"` is the command with these arguments."""
    run = subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND, *map(str, arguments)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Traceback" not in run.stderr
    return run


@pytest.mark.parametrize("command", ["verify", "explore", "show", "check-proof", "linearize"])
def test_a_full_disk_is_no_verdict(command: str, tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(
        "//@ operation\nint f(void) { return 1; }\n" if command == "linearize" else FALSE
    )
    arguments = [file, file] if command == "check-proof" else [file]
    assert shell('exec "$@" >/dev/full', command, *arguments).returncode == 4


def test_streams_that_are_full_or_closed(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(FALSE)
    for redirect in ("2>/dev/full", ">&-", "2>&-", "<&- >&- 2>&-"):
        assert shell(f'exec "$@" {redirect}', "verify", file).returncode == 1, redirect
    missing = tmp_path / "none.c"
    assert shell('exec "$@" 2>/dev/full', "verify", missing).returncode == 3
    assert shell('exec "$@" 2>/dev/full', "verify", "--no-such-option").returncode == 3


@pytest.mark.parametrize("command", ["verify", "check-proof", "explore"])
def test_a_reader_that_goes_does_not_change_the_answer(command: str, tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(FALSE)
    arguments = [file, file] if command == "check-proof" else [file]
    run = shell('"$@" | true; exit ${PIPESTATUS[0]}', command, *arguments)
    assert run.returncode == 1, run.stderr


def test_no_escapes_of_the_source(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b]0;title\x07\x9b.c"
    file.write_text(
        '#include <assert.h>\nint main(void) { assert(!"\x1b[2J \u202e"); return 0; }\n'
    )
    for command in ("verify", "explore", "show"):
        run = shell('exec "$@" 2>&1', command, file)
        assert run.stdout
        assert run.stdout.replace("\n", "").replace("\t", "").isprintable(), command
    missing = shell('exec "$@"', "verify", tmp_path / "\x1b[31m.c")
    assert missing.returncode == 3
    assert "␛[31m.c" in missing.stderr


def test_plain() -> None:
    assert plain("a\tb ▶\n") == "a\tb ▶\n"
    assert plain("\x1b[0m\x9b\u202e\udcff\r") == "\\u001b[0m\\u009b\\u202e\\udcff\\r"
