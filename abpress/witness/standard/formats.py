"""The table of formats in which witnesses are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from abpress.witness.standard.graphml_writer import write_graphml
from abpress.witness.standard.model import CorrectnessWitness, StandardWitness
from abpress.witness.standard.yaml_writer import YamlVersion, write_yaml

_VERSIONS = ("2.0", "2.1", "2.2")


def _yaml(version: YamlVersion, witness: StandardWitness, created: str) -> str:
    return write_yaml(witness, version, created)


FORMATS: Mapping[str, Callable[[StandardWitness, str], str]] = {
    **{f"yaml-{text}": partial(_yaml, YamlVersion(text)) for text in _VERSIONS},
    "graphml-1.0": write_graphml,
}
"""Name (the value of `--witness-format`) -> what makes the text of a witness and of the date and
time when it is made."""

GRAPHML = ".graphml"
"""How the names of files in GraphML end."""


def format_for(witness: StandardWitness, suffix: str) -> str:
    """The format of a file whose name ends so: the first version of YAML that has the words for
    what the witness says."""
    if suffix == GRAPHML:
        return "graphml-1.0"
    if isinstance(witness, CorrectnessWitness):
        return "yaml-2.1" if witness.ghosts else "yaml-2.0"
    waypoints = (w for segment in witness.segments for w in segment.follow)
    return "yaml-2.2" if any(w.thread for w in waypoints) else "yaml-2.0"
