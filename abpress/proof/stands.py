"""Certificates that say what a thread knows wherever it stands, as text (JSON): a head, and for
each template and location, on a line, what is known there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from abpress.proof.certificate import Rejected

S = TypeVar("S")

Stands = Mapping[tuple[str, int], tuple[S, ...]]
"""Template and location -> what may be known there, one or the other."""


def format_stands(head: Mapping[str, Any], stands: Stands[S], data_of: Callable[[S], Any]) -> str:
    """The certificate as JSON."""
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    listed = [
        "  " + json.dumps([template, location, [data_of(stand) for stand in its]])
        for (template, location), its in sorted(stands.items())
    ]
    lines.append(' "stands": [\n' + ",\n".join(listed) + "\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def parse_stands(data: Any, version: int, stand_of: Callable[[Any], S]) -> Stands[S]:
    """What is known at the locations, of a certificate of this version. Raises Rejected; what
    Python raises is for who reads the head."""
    stands = {
        (str(template), int(location)): tuple(stand_of(stand) for stand in its)
        for template, location, its in data["stands"]
    }
    if data["version"] != version or len(stands) != len(data["stands"]):
        raise Rejected("it is of another version, or names a location twice")
    return stands
