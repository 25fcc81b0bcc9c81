"""Runs a build of the core, given by its path, in several threads at once, on one program: each
has a search of its own, or (`shared`) another one looks at it while it is at work, which is wrong.
`tests/core/test_sanitized.py` runs it, in a process of its own.
"""

from __future__ import annotations

import sys
from array import array
from pathlib import Path
from random import Random
from threading import Thread

from abpress.config import Config
from abpress.core.hunt import hunt_words
from abpress.core.library import Algorithm, NativeCore
from abpress.core.lower import lower
from abpress.core.random_core import RandomCore
from abpress.core.told import Ran
from abpress.properties import PROPERTIES
from abpress.search.hunt.outlook import Outlook
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load

STEPS = 4_000


def begun(words: array[int], algorithm: Algorithm, library: Path) -> NativeCore:
    return NativeCore(words, algorithm, lambda event, one, other: 0, library, most_steps=100)


def search(core: NativeCore, ends: list[Ran]) -> None:
    if isinstance(core, RandomCore):
        for number in range(40):
            assert core.draw((0, number % 4, 0, 0, 0, number % 6, 0), 0.5, 50.0, 300.0)
            core.play(STEPS)
            core.shows()
    ends.append(core.run(STEPS, STEPS))


def main(library: str, file: str, mode: str) -> None:
    """Searches by every algorithm twice, all at once; or by one, whose counts are read."""
    system = Interpreter(load(Config.of(Path(file))).program)
    words = lower(system, foresees=True).words
    algorithms = [Algorithm.STATES] if mode == "shared" else [*Algorithm, *Algorithm]
    cores: list[NativeCore] = [begun(array("q", words), its, Path(library)) for its in algorithms]
    if mode != "shared":
        ahead = [Outlook(system.context, PROPERTIES["unreach-call"])]
        given = hunt_words(system, lower(system), Random(1), (1, 2), ahead, [False])
        cores += [RandomCore(array("q", words), given, lambda *_: 0, Path(library)) for _ in "ab"]
    ends: list[Ran] = []
    threads = [Thread(target=search, args=(core, ends)) for core in cores]
    for thread in threads:
        thread.start()
    while mode == "shared" and threads[0].is_alive():
        assert cores[0].counts.steps >= 0
    for thread in threads:
        thread.join()
    assert len(ends) == len(cores) and not {Ran.STOPPED, Ran.REFUSED} & {*ends}, ends
    print(*(core.counts.steps for core in cores[: len(algorithms)]))
    for core in cores:
        core.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
