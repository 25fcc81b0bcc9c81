"""The recipes of docs/scaling.md, as far as they can be read without the machines."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click import Command
from distributed.cli import dask_scheduler, dask_worker

from abpress.cli.main import build_parser

TEXT = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text(encoding="utf-8")

SHELL = re.findall(r"^```sh\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)

(CLUSTER,) = map(yaml.safe_load, re.findall(r"^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE))

DASK: dict[str, Command] = {"worker": dask_worker.main, "scheduler": dask_scheduler.main}


def options(command: str) -> set[str]:
    """Those that a command of dask has."""
    return {o for its in DASK[command].params for o in (*its.opts, *its.secondary_opts)}


def test_options_of_dask_are_there() -> None:
    said = [line for text in SHELL for line in text.splitlines()]
    pods = [CLUSTER["spec"][kind]["spec"]["containers"][0] for kind in DASK]
    said += [" ".join(pod["args"]) for pod in pods]
    seen = set()
    for line in said:
        if found := re.search(r"\bdask (worker|scheduler)\b(.*)", line):
            seen.add(found[1])
            assert set(re.findall(r"--[a-z-]+", found[2])) <= options(found[1]), line
    assert seen == DASK.keys()


@pytest.mark.parametrize("text", SHELL, ids=range(len(SHELL)))
def test_scripts_are_read(text: str) -> None:
    shell = shutil.which("sh")
    assert shell is not None
    assert not subprocess.run((shell, "-n"), input=text, text=True, check=True).returncode
    for line in re.findall(r"^abpress (.*)$", text, re.MULTILINE):
        words = [word.strip('"') for word in line.split()]
        build_parser(words[0]).parse_args(words)


def test_ports_of_the_service_are_those_of_the_container() -> None:
    """A port that is named has to be that of a container."""
    its = CLUSTER["spec"]["scheduler"]
    (container,) = its["spec"]["containers"]
    names = {port["name"]: port["containerPort"] for port in container["ports"]}
    for port in its["service"]["ports"]:
        assert names[port["targetPort"]] == port["port"]
    labels = its["service"]["selector"]
    assert labels == {
        "dask.org/cluster-name": CLUSTER["metadata"]["name"],
        "dask.org/component": "scheduler",
    }
