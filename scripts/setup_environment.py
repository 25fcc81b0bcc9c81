"""Makes .venv ready: `setup_environment.py ROOT base|dev STAMP` (called by environment.sh).

The packages are those of the lock, requirements/base.txt or dev.txt; pip compares them with the
hashes that stand there. The lock holds setuptools, too, so that the project itself is built with
what is installed and nothing else is fetched. Where the system has no C compiler one comes as a
package (requirements/compiler.txt), for the native core; everything works without it.

Two first runs at once wait for each other (a file lock, which ends with its process), and a set-up
that was interrupted starts again: the stamp is written last.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

_MISSING = """
from abpress.core.build import OF_CHECKOUT, find_compiler
print("" if find_compiler() else OF_CHECKOUT)
"""
"""Prints the name of the compiler that is needed."""


def main(root: Path, extra: str, wanted: str) -> int:
    """Creates or updates the environment; returns the exit status."""
    with (root / "pyproject.toml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _stamp(root, extra) == wanted and _works(root):
            return 0
        start = time.monotonic()
        print(f"abpress: setting up {root / '.venv'} (once) …", file=sys.stderr, flush=True)
        try:
            _set_up(root, extra, wanted)
        except subprocess.CalledProcessError as error:
            print(_explain(error), file=sys.stderr)
            return 4
        except OSError as error:
            print(f"abpress: set-up failed: {error}", file=sys.stderr)
            return 4
        except KeyboardInterrupt:
            print("abpress: set-up interrupted; the next run starts it again", file=sys.stderr)
            return 130
        print(f"abpress: ready after {time.monotonic() - start:.0f} s", file=sys.stderr)
        return 0


def _set_up(root: Path, extra: str, wanted: str) -> None:
    venv = root / ".venv"
    update = _works(root) and any(_stamp(root, kind) for kind in ("base", "dev"))
    for kind in ("base", "dev"):
        (venv / f"abpress-{kind}").unlink(missing_ok=True)
    if not update:
        shutil.rmtree(venv, ignore_errors=True)
        _run(sys.executable, "-m", "venv", str(venv))
    lock = root / "requirements" / f"{extra}.txt"
    _install(venv, "--require-hashes", "--requirement", str(lock))
    _install(venv, "--no-deps", "--no-build-isolation", "--editable", str(root))
    _get_compiler(root, venv)
    for kind in ("base", "dev") if extra == "dev" else ("base",):
        _write(venv / f"abpress-{kind}", wanted)


def _get_compiler(root: Path, venv: Path) -> None:
    """Makes a compiler beside Python where there is none, and none is named."""
    python = venv / "bin" / "python"
    asked = [str(python), "-c", _MISSING]
    missing = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    if not missing or os.environ.get("CC"):
        return
    try:
        lock = root / "requirements" / "compiler.txt"
        _install(venv, "--only-binary=:all:", "--require-hashes", "--requirement", str(lock))
    except subprocess.CalledProcessError:
        print("abpress: no C compiler, and none from pip: searches are in Python", file=sys.stderr)
        return
    script = python.with_name(missing)
    _write(script, f"#!/bin/sh\nexec '{python}' -m ziglang cc \"$@\"\n")
    script.chmod(0o755)


def _install(venv: Path, *what: str) -> None:
    python = str(venv / "bin" / "python")
    _run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _stamp(root: Path, extra: str) -> str | None:
    try:
        return (root / ".venv" / f"abpress-{extra}").read_text()
    except OSError:
        return None


def _works(root: Path) -> bool:
    python = root / ".venv" / "bin" / "python"
    return (
        python.exists()
        and subprocess.run(
            [str(python), "-m", "pip", "--version"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).returncode
        == 0
    )


def _write(path: Path, text: str) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(text)
    os.replace(draft, path)


def _explain(error: subprocess.CalledProcessError) -> str:
    output = str(error.output or "").strip()
    if "venv" in error.cmd:
        hint = "this Python cannot create environments; on Debian or Ubuntu install python3-venv"
    else:
        hint = "pip could not install the packages; is there a network (or a pip index)?"
    return f"abpress: set-up failed: {hint}\n{output}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
