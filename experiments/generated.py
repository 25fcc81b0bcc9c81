"""Generated programs, run to their ends: do we compute what gcc and clang compute?

Csmith and YARPGen make them, or (features) this project. Program k has seed --seed + k; the data
models take turns, and so do the forms of a program (as lowered, as simplified). One compiler is
asked first; if we say something else, gcc and clang have to agree at -O0 and -O2. A program with
a wrong answer is kept in --keep.

Exit status: 0; 1 if an answer is wrong or the front end crashes.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from experiments.compilers import WAYS, WIDTHS, Differ, expected, missing
from experiments.contained import contained
from experiments.csmith_header import header
from experiments.feature_programs import feature_program
from experiments.observed import FORMS, Answer, answer
from experiments.suites import Count

_TURNS = (FORMS, FORMS[:1], FORMS[:1], FORMS[1:])  # simplifying takes most of the time


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which programs, and limits."""
    parser.add_argument("--generator", choices=GENERATORS, required=True)
    parser.add_argument("--command", help="the generator's program; default: its name")
    parser.add_argument("--count", type=int, default=100, help="programs; default: 100")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no program after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0, help="per program; default: 10")
    parser.add_argument("--reasons", type=int, default=20, metavar="N", help="how many are listed")
    parser.add_argument("--keep", type=Path, help="folder for programs with a wrong answer")
    parser.add_argument("--verbose", action="store_true", help="a line per program")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if an answer is wrong."""
    if missing():
        print(f"not installed: {', '.join(missing())}")
        return 2
    count, models, began = Count(), tuple(WIDTHS), time.monotonic()
    for seed in range(options.seed, options.seed + options.count):
        if time.monotonic() - began > 60 * options.minutes:
            break
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            file = folder / "generated.c"
            make = GENERATORS[options.generator]
            text = make(seed, options.command or options.generator, folder)
            file.write_text(text)
            its = judged(file, text, models[seed % 2], options.seconds, _TURNS[seed // 2 % 4])
        count.add(its)
        failed = its.kind in ("wrong", "crash")
        if options.verbose or failed:
            print(f"{its.kind:<10} {models[seed % 2]} seed {seed} {its.reason}", flush=True)
        if failed and options.keep is not None:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{options.generator}-{seed}.c").write_text(text)
    count.report(f"{options.generator}, {time.monotonic() - began:.0f} s", options.reasons)
    return 1 if count.failed else 0


def judged(
    file: Path, text: str, data_model: str, seconds: float, forms: tuple[str, ...] = FORMS
) -> Answer:
    """What our execution of a generated program says. One compiler is asked first; what it says
    is questioned only if we say something else."""
    wanted = expected(file, data_model, ways=WAYS[:1], seconds=2.0)
    if isinstance(wanted, Differ):
        return Answer("not judged", wanted.reason)
    its = contained(lambda: answer(text, wanted, data_model, file, seconds, (), forms), seconds + 5)
    if its.kind == "wrong":
        file.write_text(text)
        all_say = expected(file, data_model, seconds=2.0)
        if isinstance(all_say, Differ):
            return Answer("not judged", all_say.reason)
    return its


def _csmith(seed: int, command: str, folder: Path) -> str:
    """A program of Csmith, of a size that is drawn, too."""
    drawn = random.Random(seed)
    sizes = {
        "max-funcs": drawn.randint(1, 4), "max-block-depth": drawn.randint(1, 3),
        "max-block-size": drawn.randint(2, 4), "max-expr-complexity": drawn.randint(2, 8),
        "max-array-dim": drawn.randint(1, 2), "max-array-len-per-dim": drawn.randint(2, 5),
        "max-struct-fields": drawn.randint(2, 8), "max-union-fields": drawn.randint(2, 5),
    }  # fmt: skip
    options = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    options += ["--no-float", "--no-argc", "--concise", "--seed", str(seed)]
    options += drawn.choice(([], ["--no-volatiles"]))
    options += drawn.choice(([], ["--no-packed-struct"]))
    run = subprocess.run(
        [command, *options], cwd=folder, capture_output=True, text=True, timeout=60, check=True
    )
    return run.stdout.replace('#include "csmith.h"', header(run.stdout))


def _yarpgen(seed: int, command: str, folder: Path) -> str:
    """A program of YARPGen: its three files in one."""
    subprocess.run(
        [command, "--std=c", f"--seed={seed}", "-o", str(folder)],
        capture_output=True, timeout=60, check=True,
    )  # fmt: skip
    driver, function, declared = (
        (folder / name).read_text() for name in ("driver.c", "func.c", "init.h")
    )
    return driver + re.sub(r'#include "init.h"', lambda _: declared, function)


GENERATORS: dict[str, Callable[[int, str, Path], str]] = {
    "csmith": _csmith,
    "yarpgen": _yarpgen,
    "features": lambda seed, command, folder: feature_program(seed, 1 + seed // 8 % 3 // 2),
}
