"""Every algorithm with stored states gives the same answer to clients of our libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

from abpress.clients.check import Checker
from abpress.clients.client import parse_client
from abpress.clients.library import read_library
from abpress.config import Config
from abpress.engines.stored import explore_all
from abpress.engines.table import algorithms, engine_of
from abpress.properties import PROPERTIES
from abpress.search.limits import Limits
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.clients.test_clients_libraries import FINDS, LIBRARIES
from tests.sampling import sample

STORED = {n: e.name for n, e in algorithms().items() if engine_of(e).name == "explicit"}


def test_there_are_such_algorithms() -> None:
    assert {"stateful", "s-por", "dl-s-por"} <= set(STORED)


RIGHT = {name: (name, switch, False) for name, switch in FINDS}
WRONG = [(name, switch, True) for name, switch in FINDS]


@pytest.mark.parametrize(("name", "switch", "on"), [*RIGHT.values(), *sample(WRONG, 4)], ids=str)
def test_all_answer_the_same(name: str, switch: str, on: bool, tmp_path: Path) -> None:
    library = read_library(LIBRARIES / f"{name}.c")
    checker = Checker(library, library, Config.of(Path()), False, False, Limits(), None, tmp_path)
    written = checker.write(parse_client(FINDS[name, switch], library), "client")
    loaded = load(Config.of(written.file, defines=(switch,) if on else ()))
    states = {}
    for algorithm, por in STORED.items():
        system = Interpreter(loaded.program)
        outcome = explore_all(system, por, PROPERTIES["unreach-call"], keep_going=True)
        assert system.soundness.complete, algorithm
        assert outcome.exhausted, algorithm
        assert bool(outcome.found) is on, algorithm
        states[algorithm] = outcome.statistics.states
    assert max(states.values()) == states["stateful"]
