"""What a short run does not load: it would take longer than the run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import environment

CODE = """\
import sys
from abpress.cli.main import perform
status = perform(sys.argv[1:])
names = {*sys.modules, *(name.split(".")[0] for name in sys.modules)}
print(*sorted(names & {"abpress.bench.session", "abpress.clients", "lark", "yaml"}))
sys.exit(status)
"""


def test_what_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text("int main(void) { return 0; }\n")
    command = [sys.executable, "-c", CODE, "verify", "--quiet", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert (run.returncode, run.stdout.splitlines()[-1]) == (0, ""), run.stdout + run.stderr
