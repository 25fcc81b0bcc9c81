"""What a short run does not load: it would take longer than the run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import environment

CODE = """\
import sys
from abpress.cli.main import perform
status = perform(sys.argv[1:])
names = {*sys.modules, *(name.split(".")[0] for name in sys.modules)}
unwanted = {"abpress.bench.session", "abpress.clients", "abpress.art.tree", "lark", "networkx"}
unwanted |= {"yaml", "z3", "abpress.logic", "abpress.verify.portfolio", "abpress.witness.build"}
unwanted |= {f"abpress.reductions.{family}" for family in ("stateful", "stateless", "tree")}
print(sum(name.startswith("abpress") for name in sys.modules), *sorted(names & unwanted))
sys.exit(status)
"""

ASSERTIONS = ("verify", "--quiet", "--property", "unreach-call", "--engine")


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ((*ASSERTIONS, "explicit"), ""),
        (("verify", "--quiet", "--property", "no-data-race"), "abpress.logic"),
        (("explore",), "abpress.reductions.stateless abpress.witness.build"),
        ((*ASSERTIONS, "abpress"), "abpress.art.tree abpress.logic abpress.reductions.tree z3"),
    ],
)
def test_what_is_loaded(command: tuple[str, ...], loaded: str, tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text("int main(void) { return 0; }\n")
    asked = [sys.executable, "-c", CODE, *command, str(file)]
    run = subprocess.run(asked, capture_output=True, text=True, env=environment(), check=False)
    count, *words = run.stdout.splitlines()[-1].split()
    assert (run.returncode, " ".join(words)) == (0, loaded), run.stdout + run.stderr
    assert int(count) < (340 if not loaded else 400)


HELP = """\
import sys
from abpress.cli.main import perform
status = perform(sys.argv[1:])
own = [name for name in sys.modules if name.startswith("abpress")]
heavy = {"abpress_frontend", "abpress.engines", "abpress.properties", "pycparser", "rich"}
print(len(own), *sorted(heavy & {*sys.modules}))
"""


@pytest.mark.parametrize("words", [("--help",), (), ("--version",)])
def test_help_loads_next_to_nothing(words: tuple[str, ...]) -> None:
    asked = [sys.executable, "-c", HELP, *words]
    run = subprocess.run(asked, capture_output=True, text=True, env=environment(), check=False)
    count, *heavy = run.stdout.splitlines()[-1].split()
    assert heavy == [], run.stderr
    assert int(count) < 25, run.stdout
