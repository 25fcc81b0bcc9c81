"""What verdicts about a small program assume."""

from __future__ import annotations

from pathlib import Path

from abpress.config import ProgramOptions
from abpress_frontend.load import load_program


def assumed(folder: Path, headers: tuple[str, ...], before: str, body: str) -> str:
    """The assumptions of a program whose last function is begun and has this body, each a line."""
    file = folder / "program.c"
    includes = "".join(f"#include <{header}>\n" for header in headers)
    file.write_text(f"{includes}{before} {body} return 0; }}\n")
    return "\n".join(load_program(ProgramOptions(file)).assumptions)
