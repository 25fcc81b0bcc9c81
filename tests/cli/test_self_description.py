"""What describes the command to others: manual page, completion, hook of pre-commit, action."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from abpress.cli.completion import actions_below, completion
from abpress.cli.main import COMMANDS, build_parser
from abpress.cli.manual import manual
from abpress.cli.self_description import SHELLS
from tests.cli.conftest import COMMAND, ROOT, Command


def test_the_manual_has_every_command_and_option() -> None:
    text = manual(build_parser()).replace("\\-", "-")
    for name in COMMANDS:
        assert f"\n\\fB{name}\\fR\n" in text
        assert f'\n.SH "ABPRESS {name.upper()}"\n' in text
    options = {o for a in actions_below(build_parser()) for o in a.option_strings}
    assert len(options) > 80
    for option in options:
        assert f"\\fB{option}\\fR" in text
    assert re.search(r"^[.'](?!\w|SH|SS|TP|TH)", text, re.M) is None
    assert "0  accepted: no execution violates" in text  # its own statuses


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_the_manual_can_be_set(abpress: Command) -> None:
    run = abpress("--man")
    assert run.status == 0
    groff = ["groff", "-man", "-ww", "-Tutf8"]
    page = subprocess.run(groff, input=run.out, capture_output=True, text=True, check=True)
    assert page.stderr == ""
    shown = re.sub(r".\x08|\x1b\[[\d;]*m", "", page.stdout)
    assert "--time-limit TIME" in shown
    assert "--creation-may-fail" in shown


def completed(text: str, words: list[str], folder: Path) -> list[str]:
    """What bash offers for the last word."""
    script = (
        f"{text}\nCOMP_WORDS=({' '.join(words)} ); COMP_CWORD={len(words) - 1}\n"
        '_shtab_abpress; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    bash = ["bash", "--norc", "-c", script]
    run = subprocess.run(bash, cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "queue.c").touch()
    text = completion(build_parser(), "bash")
    assert completed(text, ["abpress", "ver"], tmp_path) == ["verify"]
    offered = completed(text, ["abpress", "verify", "--cre"], tmp_path)
    assert offered == ["--creation-may-fail"]
    assert "horn" in completed(text, ["abpress", "verify", "--engine", "h"], tmp_path)
    assert completed(text, ["abpress", "verify", "que"], tmp_path) == ["queue.c"]
    assert completed(text, ["abpress", "verify", "--certificate", "q"], tmp_path) == ["queue.c"]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_its_completion(shell: str, abpress: Command) -> None:
    run = abpress("--completion", shell)
    assert run.status == 0
    assert "check-proof" in run.out
    assert "creation-may-fail" in run.out


def test_without_shtab_a_message_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "shtab.py").write_text("raise ModuleNotFoundError('shtab')")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    asked = [*COMMAND, "--completion", "bash"]
    run = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 3
    assert "pip install 'abpress[completion]'" in run.stderr


def test_the_hook_runs_the_command() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    name, command, *options = hook["entry"].split()
    assert (hook["id"], name) == ("abpress", "abpress")
    parsed = build_parser().parse_args([command, *options, "x.c"])
    assert (parsed.quiet, parsed.time_limit) == (False, 60)  # where and how is shown
    assert hook["pass_filenames"] is False  # several names are one program


def action_step(id: str) -> dict[str, Any]:
    """A step of the action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = (step for step in action["runs"]["steps"] if step.get("id") == id)
    inputs = action["inputs"]
    used = {re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", v)[1] for v in step["env"].values()}  # type: ignore[index]
    assert used <= set(inputs)
    return {**step, "defaults": {name: inputs[name].get("default", "") for name in used}}


HUNT = "-D LOCKED --engine hunt --hunt-steps 10"


@pytest.mark.parametrize(
    ("values", "status", "annotated"),
    [
        ({}, 1, True),
        ({"OPTIONS": "-D LOCKED -D 'TEXT=\"a b\"'"}, 0, False),
        ({"OPTIONS": HUNT}, 2, False),
        ({"OPTIONS": HUNT, "UNKNOWN": "pass"}, 2, False),
        ({"FILES": "missing.c"}, 3, False),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_action_verifies(
    values: dict[str, str], status: int, annotated: bool, tmp_path: Path
) -> None:
    step = action_step("verify")
    names = {
        key: value.removeprefix("${{ inputs.").removesuffix(" }}")
        for key, value in step["env"].items()
    }
    shutil.copy(ROOT / "docs" / "examples" / "account.c", tmp_path / "account.c")
    given = {key: str(step["defaults"][name]) for key, name in names.items()}
    given |= {"FILES": "account.c", "PROPERTY": "unreach-call", **values}
    tool = tmp_path / "abpress"
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m abpress "$@"\n')
    tool.chmod(0o755)
    output = tmp_path / "output"
    run = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env={
            **os.environ,
            **given,
            "PYTHONPATH": str(ROOT),
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "GITHUB_OUTPUT": str(output),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert output.read_text() == f"status={status}\n", run.stdout + run.stderr
    assert run.returncode == (0 if given["UNKNOWN"] == "pass" and status == 2 else status)
    assert ("::error file=account.c,line=32" in run.stdout) is annotated
    assert (tmp_path / "abpress.sarif").exists()
