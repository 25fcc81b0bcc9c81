"""The pages of the documentation as a site: what `scripts/docs` builds with MkDocs.

The pages are those of docs/, README.md, ARCHITECTURE.md, CONTRIBUTING.md and CHANGELOG.md, with
links to other files of the repository as text, and the gallery, which is made by running the tool.

Exit status: 0; 1 if the gallery is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
from pathlib import Path
from typing import Any

import yaml

from abpress.errors import InputError
from experiments import gallery
from experiments.settings import HERE

ROOT = HERE.parent

TOP = {
    "index.md": "README.md",
    "architecture.md": "ARCHITECTURE.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
"""Page of the site -> file at the top of the checkout."""

SECTIONS = {
    "Using": (
        *(
            "first.md",
            "transcript.md",
            "using.md",
            "report.md",
            "replay.md",
            "python.md",
            "algorithms.md",
            "scaling.md",
        ),
        *("core.md", "c.md", "library.md", "svcomp.md", "witnesses.md"),
    ),
    "Why it is right": (
        "theory.md",
        "conformance.md",
        "evaluation.md",
        "diagnoses.md",
        "projects.md",
        "references.md",
    ),
    "Changing it": (
        *(
            "architecture.md",
            "where.md",
            "layers.md",
            "extending.md",
            "contributing.md",
            "glossary.md",
            "changelog.md",
        ),
    ),
}
"""Section -> its pages; those of the gallery are a section of their own, and come second."""

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pages go."""
    parser.add_argument("output", metavar="DIR", type=Path, help="where the pages are written")
    parser.add_argument("--no-gallery", action="store_true", help="leave the gallery out")


def run(options: argparse.Namespace) -> int:
    """Writes the pages, and beside their folder the settings of MkDocs."""
    output: Path = options.output
    output.mkdir(parents=True, exist_ok=True)
    for file, name in pages().items():
        text = linked(file.read_text(encoding="utf-8"), file)
        (output / name).write_text(text, encoding="utf-8")
    assets = output / "assets"
    assets.mkdir(exist_ok=True)
    for file in (ROOT / "docs" / "site").iterdir():
        shutil.copy(file, assets)
    status = 0
    if not options.no_gallery:
        status = gallery.run(argparse.Namespace(output=output / "gallery", limit=120.0))
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    nav = yaml.safe_dump({"nav": navigation(not options.no_gallery)}, sort_keys=False)
    (output.parent / f"{output.name}.yml").write_text(settings + nav, encoding="utf-8")
    return status


def navigation(with_gallery: bool) -> list[Any]:
    """The pages by their sections, as MkDocs has them. Raises InputError if one is in none."""
    listed = {page for its in SECTIONS.values() for page in its} | {"index.md"}
    missing = sorted(set(pages().values()) ^ listed)
    if missing:
        raise InputError(f"{missing[0]}: it is a page, or in a section of the site, but not both")
    first, *others = ({name: list(its)} for name, its in SECTIONS.items())
    shown = [f"gallery/{gallery.read(file).page}" for file in gallery.files()]
    second = [{"Gallery": ["gallery/index.md", *shown]}] if with_gallery else []
    return ["index.md", first, *second, *others]


def pages() -> dict[Path, str]:
    """File of the checkout -> page of the site."""
    found = {file: file.name for file in sorted((ROOT / "docs").glob("*.md"))}
    return found | {ROOT / file: page for page, file in TOP.items()}


def linked(text: str, file: Path) -> str:
    """The text of a page, with links to other pages as the site has them; of a link to what is no
    page the text stays."""
    known = pages()

    def replaced(match: re.Match[str]) -> str:
        target, anchor = match["target"], match["anchor"] or ""
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = Path(os.path.normpath(file.parent / target))
        return f"[{match['text']}]({known[path]}{anchor})" if path in known else match["text"]

    blocks = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(
        block if block.startswith("```") else _LINK.sub(replaced, block) for block in blocks
    )
