"""The set-up shared by the scripts (without a network: what pip does is replaced)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT

TOOLS = ("sh", "readlink", "dirname", "cksum", "cat")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of the scripts alone, in a folder with a space in its name."""
    folder = tmp_path / "check out"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "requirements").mkdir()
    (folder / "requirements" / "base.txt").write_text("lark==1.3.1\n")
    return folder


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH without any Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        path = shutil.which(tool)
        assert path is not None
        (folder / tool).symlink_to(path)
    return folder


def _script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _run(checkout: Path, tools: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "scripts" / "abpress", *arguments],
        env={"PATH": str(tools), "HOME": os.environ.get("HOME", "/")},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_no_python(checkout: Path, tools: Path) -> None:
    run = _run(checkout, tools)
    assert run.returncode == 4
    assert run.stderr == "abpress: needs Python 3.11 or newer, and there is no python3 here\n"


def test_old_python(checkout: Path, tools: Path) -> None:
    _script(tools / "python3", '[ "$1" = --version ] && echo Python 3.8.1 && exit\nexit 1')
    run = _run(checkout, tools)
    assert run.returncode == 4
    assert "needs Python 3.11 or newer, and this is Python 3.8.1" in run.stderr


def test_set_up_when_project_or_lock_change_and_only_then(checkout: Path, tools: Path) -> None:
    """The Python of PATH only records how it is called; set-up makes a Python that echoes."""
    log = checkout / "log"
    made = checkout / ".venv" / "bin" / "python"
    _script(checkout / "echo", 'echo "$@"')
    _script(
        tools / "python3",
        f'[ "$1" = -c ] && exit 0\necho "$3" >>"{log}"\n'
        f'mkdir -p "{made.parent}"\ncp "{checkout}/echo" "{made}"\n'
        f'printf "%s\\n" "$4" >"{checkout}/.venv/abpress-base"',
    )
    for tool in ("mkdir", "cp"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    for _ in range(2):
        run = _run(checkout, tools, "verify", "a b.c")
        assert (run.returncode, run.stdout) == (0, "-m abpress verify a b.c\n"), run.stderr
    assert log.read_text() == "base\n"
    (checkout / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    _run(checkout, tools)
    assert log.read_text() == "base\nbase\n"
    (checkout / "requirements" / "base.txt").write_text("lark==1.3.2\n")
    _run(checkout, tools)
    assert log.read_text() == "base\nbase\nbase\n"
