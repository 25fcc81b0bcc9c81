"""What `abpress explore` can do: algorithms by name, each with the engine that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from abpress.reductions.stateful import ALGORITHMS as STATEFUL
from abpress.reductions.stateless import ALGORITHMS as STATELESS
from abpress.reductions.static import REDUCTIONS


@dataclass(frozen=True, slots=True)
class Exploration:
    """An algorithm: the value of `--por` that the engine knows it by."""

    name: str
    description: str
    engine: str
    por: str


def _stateful(name: str, por: str, description: str) -> Exploration:
    return Exploration(name, f"with stored states, {description}", "explicit", por)


EXPLORATIONS: Mapping[str, Exploration] = {
    e.name: e
    for e in (
        *(Exploration(i.name, i.description, "stateless", i.name) for i in STATELESS.values()),
        *(
            _stateful("stateful" if i.name == "none" else i.name, i.name, i.description)
            for i in REDUCTIONS.values()
        ),
        *(_stateful(i.name, i.name, i.description) for i in STATEFUL.values()),
    )
}
"""Name (the value of `--algorithm`) -> algorithm."""
