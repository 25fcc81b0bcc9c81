"""A machine of a cluster is cut off in the middle of a search, and comes back: NOTE(epochs)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engines.test_shared_trees import config_of
from tests.sampling import sample

APART = ("unshare", "--user", "--map-root-user", "--net", "--mount", "--fork", "--kill-child")


def partitioned(folder: Path, algorithm: str, workers: int, core: str) -> Any:
    """What `partitioned` says; skips the test where it cannot have network namespaces."""
    for tool in ("ip", "unshare"):
        if shutil.which(tool) is None:
            pytest.skip(f"there is no {tool} (Debian: iproute2, util-linux)")
    config_of(folder, "0")
    asked = str(folder / "program.c"), algorithm, str(workers), core
    command = (*APART, sys.executable, "-m", "tests.engines.partitioned", *asked)
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if ran.returncode and ran.stderr.startswith("unshare:"):
        pytest.skip(f"network namespaces are not permitted: {ran.stderr.strip()}")
    assert not ran.returncode, ran.stderr
    said = json.loads(ran.stdout.splitlines()[-1])
    if "skip" in said:
        pytest.skip(f"network namespaces are not permitted: {said['skip']}")
    return said


KINDS = [
    ("source", 2, "python"),
    ("source", 2, "native"),
    ("optimal", 3, "native"),
    ("optimal", 3, "python"),
]


@pytest.mark.parametrize(("algorithm", "workers", "core"), sample(KINDS, 2))
def test_a_machine_is_cut_off_and_comes_back(
    algorithm: str, workers: int, core: str, tmp_path: Path
) -> None:
    """Of three machines: its worker begins again on the one that is free; or the others do its
    part, and it comes back."""
    said = partitioned(tmp_path, algorithm, workers, core)
    assert said["shared"] == said["alone"]
    assert said["lost"] >= 0
    assert len(said["lives"]) == 2 or workers == 3
    assert said["noticed"]
