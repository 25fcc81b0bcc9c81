"""The command in a process that has begun with its modules loaded, which takes most of a short run.

What is loaded by which command, and how it starts, is tested in `test_start`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import abpress.cli.explore
import abpress.cli.verify
import abpress.engines.explicit
import abpress.engines.static  # noqa: F401
from abpress.cli.main import main
from tests.forkserver import SERVER, load_first

load_first(__name__, "tests.cli.usual")


def run_forked(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Runs the command in the folder; raises TimeoutExpired as `subprocess.run`."""
    out, err = folder / ".out", folder / ".err"
    process = SERVER.Process(target=_become, args=(arguments, folder, dict(environment), out, err))
    process.start()
    process.join(timeout)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise subprocess.TimeoutExpired(list(arguments), timeout, out.read_bytes())
    done = subprocess.CompletedProcess(
        list(arguments),
        process.exitcode,
        out.read_text(encoding="utf-8"),
        err.read_text(encoding="utf-8"),
    )
    out.unlink()
    err.unlink()
    return done


def _become(
    arguments: Sequence[str], folder: Path, environment: dict[str, str], out: Path, err: Path
) -> None:
    """Makes this process one of the command."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for number, name, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, err, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        file = os.open(name, flags)
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = ["abpress", *arguments]
    main()
