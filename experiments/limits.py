"""How far commands overrun their limits of time and memory on inputs made to be long and large.

Each command is given inputs of each kind that it reads: queries of nonlinear arithmetic, large
arrays, bombs of macros, giant sources, certificates with much to check. The time is measured from
the start of the command to its end, and the memory is that of all its processes together.

Exit status: 0; 1 if a run is over: more than --seconds past its time, --factor times its memory, or
an exit status that is no answer's (an internal error, a signal).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from abpress.bench.processes import snapshot

COMMAND = (sys.executable, "-m", "abpress")
_LOOK_S = 0.02

ANSWERS = (0, 1, 2, 3)
"""Exit statuses of commands that have answered: 1 is a violation, or a proof that is rejected."""

_EXTERN = """\
extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
"""


def _products() -> str:
    return f"""{_EXTERN}
int main(void) {{
  unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
  unsigned long long c = __VERIFIER_nondet_ulonglong();
  if (a > 1 && b > 1 && a < 4294967296ULL && b < 4294967296ULL && a * b == 18446744073709551557ULL)
    reach_error();
  if (a > 1 && b > 1 && c > 1 && a < 2000000 && b < 2000000 && c < 2000000
      && a * a * a + b * b * b == c * c * c)
    reach_error();
}}
"""


def _quotients() -> str:
    return f"""{_EXTERN}
int main(void) {{
  unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
  unsigned long long c = __VERIFIER_nondet_ulonglong();
  if (b && c && b < 4294967296ULL && c < 4294967296ULL) {{
    if ((a / b) / c != a / (b * c)) reach_error();
    if ((a % b) * (a % c) == 18446744073709551557ULL) reach_error();
  }}
}}
"""


def _array() -> str:
    return f"""{_EXTERN}
int a[1000000];
int main(void) {{
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || j < 0 || i >= 1000000 || j >= 1000000) return 0;
  for (int k = 0; k < 1000; k++) {{ a[(unsigned)(i + k * j) % 1000000] = k * i; i = a[j] & 65535; }}
  if (a[i] == a[j] + 77) reach_error();
}}
"""


def _states() -> str:
    return """#include <pthread.h>
int x, y, z[4096];
void *f(void *p) { for (;;) { x++; z[x & 4095] = y; } return p; }
void *g(void *p) { for (;;) y++; return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); }
"""


def _macros() -> str:
    lines = ["int x;", "#define M0 x = x + 1;"]
    lines += [f"#define M{n} M{n - 1} M{n - 1} M{n - 1} M{n - 1}" for n in range(1, 10)]
    return "\n".join([*lines, "int main(void) { M9 }\n"])


def _statements() -> str:
    return "int x;\nint main(void) {\n" + "x = x + 1;\n" * 300_000 + "}\n"


def _cases() -> str:
    cases = "".join(f"case {n}: x = x * {n}; break;\n" for n in range(20_000))
    return f"{_EXTERN}int x;\nint main(void) {{ switch (__VERIFIER_nondet_int()) {{\n{cases}}} }}\n"


def _initialiser() -> str:
    return f"int x[] = {{{', '.join(['1 + 2 * 3'] * 400_000)}}};\nint main(void) {{}}\n"


def _library() -> str:
    return """//@ operation n: 1..3
int product(int n) { static int x; for (int i = 0; i < 100000; i++) x = x * n + i; return x; }
"""


def _safe() -> str:
    body = "int x = __VERIFIER_nondet_int(); if (x != x) reach_error();"
    return f"{_EXTERN}int main(void) {{ {body} }}\n"


SOURCES: Mapping[str, Callable[[], str]] = {
    "products": _products,
    "quotients": _quotients,
    "array": _array,
    "states": _states,
    "macros": _macros,
    "statements": _statements,
    "cases": _cases,
    "initialiser": _initialiser,
}

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "verify": ("verify", "--property", "unreach-call"),
    "verify by the tree": ("verify", "--property", "unreach-call", "--engine", "abpress"),
    "explore": ("explore",),
    "explore, compared": ("explore", "--compare", "source,optimal,s-por"),
    "show": ("show",),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: seconds past its limit, megabytes (10**6 bytes) at the peak, status."""

    over_s: float
    peak_mb: float
    status: int


def arguments(parser: argparse.ArgumentParser) -> None:
    """The limits, and how far they may be overrun."""
    parser.add_argument("--time", type=float, default=5.0, help="seconds (default: 5)")
    parser.add_argument("--memory", type=float, default=300.0, help="megabytes (default: 300)")
    parser.add_argument("--seconds", type=float, default=2.0, help="of overrun (default: 2)")
    parser.add_argument("--factor", type=float, default=1.2, help="of memory (default: 1.2)")
    parser.add_argument("--only", action="append", help="only this command (repeatable)")


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if a run is over."""
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, command in _commands(Path(folder)):
            if options.only and what.partition(":")[0] not in options.only:
                continue
            outcome = measured(command, options.time, options.memory)
            over = is_over(outcome, options)
            worst |= over
            print(
                f"{'OVER' if over else 'ok':4}  {what:32} {outcome.over_s:+6.2f} s"
                f"  {outcome.peak_mb:6.0f} MB  status {outcome.status}",
                flush=True,
            )
    return int(worst)


def is_over(outcome: Outcome, options: argparse.Namespace) -> bool:
    """Whether a run has overrun its limits, or ended without an answer."""
    too_long = outcome.over_s > options.seconds
    too_large = outcome.peak_mb > options.memory * options.factor
    return too_long or too_large or outcome.status not in ANSWERS


def _commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    files: dict[str, Path] = {}
    for kind, source in SOURCES.items():
        files[kind] = folder / f"{kind}.c"
        files[kind].write_text(source())
    for name, command in COMMANDS.items():
        for kind, file in files.items():
            yield f"{name}: {kind}", [*COMMAND, *command, str(file)]
    library = folder / "library.c"
    library.write_text(_library())
    yield "linearize: long calls", [*COMMAND, "linearize", str(library)]
    program, proof = folder / "safe.c", folder / "proof.json"
    program.write_text(_safe())
    made = [
        "verify",
        "--property",
        "unreach-call",
        "--engine",
        "abpress",
        "--certificate",
        str(proof),
        str(program),
    ]
    subprocess.run([*COMMAND, *made], check=True, stdout=subprocess.DEVNULL)
    for kind, text in _certificates(json.loads(proof.read_text())):
        large = folder / f"{kind}.json"
        large.write_text(text)
        yield f"check-proof: {kind}", [*COMMAND, "check-proof", str(large), str(program)]
    for kind, file in files.items():
        yield f"check-proof: of {kind}", [*COMMAND, "check-proof", str(proof), str(file)]


def _certificates(proof: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Certificates that take long to be read."""
    formula = " + ".join(f"x{n}:int" for n in range(200))
    yield "formulas", json.dumps({**proof, "formulas": [f"{formula} == 0"] * 20_000})
    nodes = [{"place": 0, "label": list(range(100)), "covered_by": 0}] * 100_000
    yield "nodes", json.dumps({**proof, "nodes": nodes})
    yield "depth", "[" * 5_000_000


def measured(command: list[str], seconds: float, megabytes: float) -> Outcome:
    """Runs a command within limits, and measures it."""
    limits = ["--time-limit", f"{seconds:g}s", "--memory-limit", f"{megabytes:g}MB"]
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, *limits], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0.0
    try:
        while process.poll() is None:
            every = snapshot().values()
            its = [p.memory_mb for p in every if process.pid in (p.pid, p.parent)]
            peak = max(peak, sum(its) * 2**20 / 10**6)
            time.sleep(_LOOK_S)
    finally:
        process.kill()
    return Outcome(time.monotonic() - started - seconds, peak, process.returncode)
