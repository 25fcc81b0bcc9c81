"""The table of formats in which witnesses are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from abpress.later import later

if TYPE_CHECKING:
    from abpress.witness.standard.model import StandardWitness

_VERSIONS = ("2.0", "2.1", "2.2")
_write_yaml = later("abpress.witness.standard.yaml_writer", "write_yaml")

FORMATS: Mapping[str, Callable[[StandardWitness, str], str]] = {
    **{f"yaml-{text}": partial(_write_yaml, text) for text in _VERSIONS},
    "graphml-1.0": later("abpress.witness.standard.graphml_writer", "write_graphml"),
}
"""Name (the value of `--witness-format`) -> what makes the text of a witness and of the date and
time when it is made."""

GRAPHML = ".graphml"
"""How the names of files in GraphML end."""
