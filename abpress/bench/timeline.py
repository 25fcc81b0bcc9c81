"""What workers that share a search did when, as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from abpress.bench.files import write_whole
from abpress.page.frame import composed
from abpress.version import __version__

_SCRIPTS = ("shapes.js", "timeline.js")
_ELSEWHERE = "written by --json"


def write_timeline(load: Sequence[Mapping[str, Any]], about: str, path: Path) -> None:
    """Writes the page of a load as `Result.load` has it, `about` a search. Raises InputError."""
    title = f"AbPress {__version__}: workers"
    data = {"about": about, "load": list(load)}
    write_whole(path, composed("timeline.html", title, _ELSEWHERE, data, _SCRIPTS))
