"""Pages about classic errors of concurrency, each made by running the tool.

The programs of docs/gallery have a comment at their begin: a title, what is wrong, the repair, the
property, and the cause that is to be found. Of each pair the page shows the error, as it is found
and explained, the difference to the repaired program, and its proof, which the checker accepts.

Exit status: 0; 1 if an error is not found, or has another cause, or a repair is not proved.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

import abpress
from abpress.errors import InputError, Position
from experiments.settings import HERE

GALLERY = HERE.parent / "docs" / "gallery"

REPAIRED = ".repaired.c"

REPORTS = "reports"
"""The folder of what `--report` writes, beside the pages."""

_WIDTH = 84
"""Columns of an execution: as many as the site shows at once."""

_HEAD = re.compile(
    r"// (?P<title>[^\n]+)\n//\n(?P<text>(?:// [^\n]+\n)+)//\n// repair: (?P<repair>[^\n]+)\n"
    r"// property: (?P<property>[^\n]+)\n// cause: (?P<cause>[^\n]+)\n"
)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A pair of programs; `begin` is the first line of the wrong one behind its comment."""

    file: Path
    title: str
    text: str
    repair: str
    asked: str
    cause: str
    begin: int

    @property
    def repaired(self) -> Path:
        """The repaired program."""
        return self.file.with_name(self.file.stem + REPAIRED)

    @property
    def page(self) -> str:
        """The name of the page."""
        return f"{self.file.stem}.md"

    def code(self) -> list[str]:
        """The lines of the wrong program behind the comment."""
        return self.file.read_text(encoding="utf-8").splitlines()[self.begin - 1 :]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the tool says of a pair: `wrong` tells what is not as it should be, if anything."""

    found: abpress.Result
    proved: abpress.Result
    checked: abpress.ProofCheck | None
    wrong: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where pages go, and how long a run may take."""
    parser.add_argument("output", metavar="DIR", type=Path, help="where the pages are written")
    parser.add_argument(
        "--limit", metavar="SECONDS", type=float, default=120.0, help="per run (default: 120)"
    )


def run(options: argparse.Namespace) -> int:
    """Writes the pages, and a line for each program."""
    options.output.mkdir(parents=True, exist_ok=True)
    exhibits = [read(file) for file in files()]
    wrong = 0
    for exhibit in exhibits:
        shown = shown_by_tool(exhibit, options.limit)
        said = shown.wrong or "found, explained, repaired, proved"
        print(f"{exhibit.title:<24} {said}", flush=True)
        wrong += bool(shown.wrong)
        for result, file in ((shown.found, exhibit.file), (shown.proved, exhibit.repaired)):
            result.write_report(options.output / REPORTS / file.stem)
        text = "\n".join(page(exhibit, shown)) + "\n"
        (options.output / exhibit.page).write_text(text, encoding="utf-8")
    index = "\n".join(index_page(exhibits)) + "\n"
    (options.output / "index.md").write_text(index, encoding="utf-8")
    if wrong:
        print(f"gallery: {wrong} of {len(exhibits)} are not as they should be", file=sys.stderr)
    return int(wrong > 0)


def files() -> list[Path]:
    """The wrong programs."""
    return [f for f in sorted(GALLERY.glob("*.c")) if not f.name.endswith(REPAIRED)]


def read(file: Path) -> Exhibit:
    """The program with what its comment says. Raises InputError."""
    text = file.read_text(encoding="utf-8")
    head = _HEAD.match(text)
    if head is None:
        raise InputError("the comment of the gallery is not there", Position(str(file), 1, 1))
    told = " ".join(line.removeprefix("//").strip() for line in head["text"].splitlines())
    begin = head[0].count("\n") + 1
    return Exhibit(
        file, head["title"], told, head["repair"], head["property"], head["cause"], begin
    )


def shown_by_tool(exhibit: Exhibit, limit: float) -> Shown:
    """Runs the tool on both programs, and the checker on the proof."""
    found = abpress.verify(exhibit.file, exhibit.asked, time_limit=limit)
    proved = abpress.verify(exhibit.repaired, exhibit.asked, time_limit=limit, certificate=True)
    proof = proved.certificate
    checked = None if proof is None else abpress.check_proof(proof, exhibit.repaired)
    return Shown(found, proved, checked, _wrong(exhibit, found, proved, checked))


def _wrong(
    exhibit: Exhibit,
    found: abpress.Result,
    proved: abpress.Result,
    checked: abpress.ProofCheck | None,
) -> str:
    if found.verdict is not abpress.Verdict.FALSE:
        return f"not found: {found}"
    cause = found.diagnosis.cause if found.diagnosis else "none"
    if cause != exhibit.cause:
        return f"another cause: {cause}"
    if not proved:
        return f"the repair is not proved: {proved}"
    return "" if checked else "the proof is not accepted"


def page(exhibit: Exhibit, shown: Shown) -> Iterator[str]:
    """The page of a pair, in Markdown."""
    name, repaired = f"docs/gallery/{exhibit.file.name}", f"docs/gallery/{exhibit.repaired.name}"
    yield from (f"# {exhibit.title}", "", exhibit.text, "")
    yield from (f'```c linenums="{exhibit.begin}"', *exhibit.code(), "```", "")
    yield from ("## Found", "", "```")
    yield f"$ abpress verify --property {exhibit.asked} {name}"
    yield from _lines(shown.found)
    yield from ("```", "")
    violated = shown.found.violated
    if violated is not None and violated.diagnosis is not None:
        cause = violated.diagnosis
        yield from ("## Explained", "", f"**{cause.cause.capitalize()}.** {_prose(cause.text)}.")
        execution = violated.shown_trace(_WIDTH).partition("\n\n")[2]  # the cause stands before it
        yield from ("", "```", execution, "```", "")
        step_by_step = _report_of(exhibit.file)
        yield from (f"[Step by step]({step_by_step}), with the values and locks at each step.", "")
    yield from ("## Repaired", "", exhibit.repair, "", "```diff", *_difference(exhibit), "```", "")
    yield from ("## Proved", "", "```")
    yield f"$ abpress verify --property {exhibit.asked} --certificate proof.json {repaired}"
    yield from _lines(shown.proved)
    yield f"$ abpress check-proof proof.json {repaired}"
    accepted = shown.checked is not None and bool(shown.checked)
    yield f"abpress proof: {'accepted' if accepted else 'not accepted'} ({exhibit.asked})"
    yield from ("```", "", f"[What was proved where]({_report_of(exhibit.repaired)}).")


def _report_of(file: Path) -> str:
    return f"{REPORTS}/{file.stem}/index.html"


def _lines(result: abpress.Result) -> Iterator[str]:
    """The lines of an answer, with names of files as in the folder of the checkout."""
    for its in result:
        said = f"({its.name})" if its.verdict is abpress.Verdict.FALSE else ""
        if its.reason and said:
            yield _local(its.reason)
        yield f"abpress verdict: {its.verdict.value}{said}"
        yield from (f"assuming: {_local(assumption)}" for assumption in its.assumptions)


def _difference(exhibit: Exhibit) -> Iterator[str]:
    after = exhibit.repaired.read_text(encoding="utf-8").splitlines()
    for line in unified_diff(exhibit.code(), after, n=2, lineterm=""):
        if not line.startswith(("---", "+++", "@@")):
            yield line


def _local(text: str) -> str:
    return text.replace(f"{HERE.parent}/", "")


def _prose(text: str) -> str:
    """The text, with nothing that Markdown takes for a mark."""
    return re.sub(r"([*_\[\]<>`])", r"\\\1", _local(text))


def index_page(exhibits: list[Exhibit]) -> Iterator[str]:
    """The page that leads to the others."""
    yield from ("# Gallery", "")
    yield (
        f"{len(exhibits)} classic errors of concurrent programs: each found, explained, repaired"
        " and proved. These pages are what `scripts/experiment gallery DIR` writes by running"
        " AbPress on the programs of `docs/gallery`."
    )
    yield from ("", "| error | cause, as it is told | property |", "| --- | --- | --- |")
    for its in exhibits:
        yield f"| [{its.title}]({its.page}) | {its.cause} | `{its.asked}` |"
