"""Writing the files of a benchmark."""

from __future__ import annotations

import os
from pathlib import Path

from abpress.errors import InputError


def write_whole(path: Path, text: str) -> None:
    """Writes the file in one go: it is never seen half-written. Raises InputError.

    What UTF-8 cannot say (file names that are not UTF-8) is written as an escape.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(f"cannot write {path}: {error.strerror}") from error
