"""The documentation names what exists, and shows what the tool prints."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from abpress.cli.main import build_parser

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
UNCHECKED = ("CHANGELOG.md", "transcript.md")
"""Of other versions; with words that are misspelt by intent."""

FOLDERS = "abpress|benchmarks|docs|experiments|frontend|requirements|scripts|tests"
"""Folders of the repository: a code span that begins with one of them is a path, or a pattern."""


def commands() -> dict[str, set[str]]:
    """Sub-command -> its options."""
    (choices,) = (
        action.choices
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return {
        name: {option for action in parser._actions for option in action.option_strings}
        for name, parser in choices.items()
    }


def anchors(text: str) -> set[str]:
    """The fragments by which headings and explicit anchors of a page are linked."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    slugs = {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}
    return slugs | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def code(text: str) -> Iterator[str]:
    """The code spans, and the lines of code blocks (continued lines are joined)."""
    block = re.compile(r"^```[^\n]*\n(.*?)^```", re.M | re.S)
    for match in block.finditer(text):
        yield from match[1].replace("\\\n", " ").splitlines()
    for span in re.findall(r"`([^`]+)`", block.sub("", text)):
        yield " ".join(span.split())


def dead_links(page: Path, text: str) -> list[str]:
    """The relative links that lead nowhere."""
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists():
            dead.append(link)
            continue
        known = anchors(target.read_text(encoding="utf-8")) if target.suffix == ".md" else set()
        if anchor and anchor not in known:
            dead.append(link)
    return dead


def unknown_names(text: str, known: dict[str, set[str]]) -> list[str]:
    """Commands, options of commands, and paths that do not exist."""
    unknown = []
    for piece in code(text):
        for call in re.findall(r"(?:^|[\s/$])abpress ([a-z][^|;&]*)", piece):
            name, *rest = re.sub(r"'[^']*'", "TEXT", call).split()
            if name in known:
                options = {word.split("=")[0] for word in rest if word.startswith("--")}
                unknown += [f"abpress {name} {o}" for o in sorted(options - known[name])]
            elif "--" in call:
                unknown.append(f"abpress {name}")
        if re.fullmatch(rf"(?:{FOLDERS})/[\w./*-]*", piece) and not (
            any(ROOT.glob(piece)) or (ROOT / f"{piece}.py").exists()
        ):
            unknown.append(piece)
    return unknown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.name not in UNCHECKED], ids=lambda page: page.name
)
def test_commands_options_and_paths_exist(page: Path) -> None:
    assert unknown_names(page.read_text(encoding="utf-8"), commands()) == []


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "using.md"])
def test_options_named_alone_belong_to_some_command(page: Path) -> None:
    known = set().union(build_parser()._option_string_actions, *commands().values())
    text = page.read_text(encoding="utf-8")
    named = {word for piece in code(text) for word in piece.split() if word.startswith("--")}
    assert len(named) > 3
    assert {word.split("=")[0] for word in named} <= known


def examples() -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The code blocks that show runs: the commands, each with the lines that it prints."""
    for page in (ROOT / "README.md", ROOT / "docs" / "using.md"):
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^```\n(\$ scripts/abpress .*?)^```", text, re.M | re.S):
            runs: list[tuple[str, list[str]]] = []
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("$ scripts/abpress "):
                    runs.append((line.removeprefix("$ scripts/abpress "), []))
                elif line.strip():
                    runs[-1][1].append(line.rstrip())
            yield f"{page.name}: {runs[0][0][:40]}", runs


@pytest.mark.parametrize("runs", [pytest.param(runs, id=name) for name, runs in examples()])
def test_an_example_prints_what_the_page_shows(
    runs: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    """A page may leave out lines; those that it shows are printed in this order."""
    for folder in ("docs", "benchmarks"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for command, shown in runs:
        run = subprocess.run(
            [sys.executable, "-m", "abpress", *shlex.split(command)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'frontend'}", "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        printed = iter([line.rstrip() for line in run.stdout.splitlines()])
        missing = [line for line in shown if line not in printed]
        assert missing == [], f"{command} prints\n{run.stdout}{run.stderr}"


def test_the_glossary_defines_each_term_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^- \*\*(.+?)\*\*: .*\.$", text, re.M)
    assert len(terms) >= 40
    assert len(set(terms)) == len(terms)


def test_there_are_examples() -> None:
    assert len(list(examples())) >= 3


def test_what_is_wrong_is_named() -> None:
    page = ROOT / "README.md"
    text = "# A b\n[x](LICENSE) [a](#a-b) [y](nowhere.md) [z](README.md#nowhere) [w](https://x)"
    assert dead_links(page, text) == ["#a-b", "nowhere.md", "README.md#nowhere"]
    text = (
        "`abpress verify --quiet a.c`, `abpress verify --loud a.c`, `abpress dance --fast`\n"
        "`scripts/check` `scripts/dance` `tests/**/*.c` `tests/**/*.cobol`\n"
        "```\n$ scripts/abpress show \\\n  --colour file.c\n```\n"
    )
    assert unknown_names(text, commands()) == [
        "abpress show --colour",
        "abpress verify --loud",
        "abpress dance",
        "scripts/dance",
        "tests/**/*.cobol",
    ]
