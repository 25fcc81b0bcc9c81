"""What witnesses say of the task: which program, and what was asked; and how long they may take."""

from __future__ import annotations

import hashlib
from pathlib import Path

ASSERTION = "__assert_fail"
"""The function that specifications name where assertions count as errors."""

LEAST_SECONDS = 0.2
"""In less time no invariants are looked for."""


def file_hash(file: Path) -> str:
    """The SHA-256 of the content of a file, in hexadecimal digits."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
