"""Writing files in one go."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from abpress.errors import InputError


def write_whole(path: Path, text: str) -> None:
    """Writes the file in one go: it is never seen half-written. Raises InputError.

    What UTF-8 cannot say (a lone byte of a program or of a file name) is written as an escape.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if path.exists() and not path.is_file():  # a pipe, a terminal, /dev/null
            path.write_bytes(data)
            return
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            os.chmod(draft, 0o666 & ~_umask())
            os.replace(draft, path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
