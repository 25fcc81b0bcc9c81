"""Runs a build of the core, given by its path, on programs and on words that are none; prints how
many it has taken for programs. `tests/core/test_sanitized.py` runs it, in a process of its own.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Collection, Iterable
from pathlib import Path

from abpress.config import Config
from abpress.core import leaves, wakeup
from abpress.core import library as native
from abpress.core.hunt import hunt_words
from abpress.core.library import NO_LIMIT, Algorithm, MalformedCode, NativeCore
from abpress.core.lower import lower
from abpress.core.random_core import RandomCore
from abpress.core.reference import CoreRefused
from abpress.core.told import QUESTIONS, CoreEvent, Ran
from abpress.core.wakeup import SharedWakeupTree
from abpress.engines.order import InOrder
from abpress.ir.reader import parse_program
from abpress.properties import PROPERTIES, Aspect
from abpress.result import Soundness
from abpress.search.hunt.outlook import Outlook
from abpress.search.symmetric import SymmetricStates
from abpress.semantics.interpreter import Interpreter
from abpress.verify.load import load
from tests.parallel import dealing
from tests.parallel.dealing import Dealing, resumed
from tests.search.test_symmetric import APART, with_two_kinds

ROOT = Path(__file__).parents[2]
WORDS = (-(1 << 63), -2, -1, 0, 1, 2, 3, 62, 63, 64, 255, 1 << 20, 1 << 33, (1 << 63) - 1)


def searched(
    words: array[int],
    algorithm: Algorithm,
    library: Path,
    slices: int = 3,
    unroll: int = NO_LIMIT,
) -> bool:
    """Whether the words are a program; it is searched for some slices."""
    core = None

    def listen(event: CoreEvent, one: int, other: int) -> int:
        assert core is not None
        if event is CoreEvent.JOINS:
            core.joins((2, 1 + core.counts.steps % 63))
        if event in QUESTIONS:
            return (one + other) % 3
        for k in range(min(core.depth, 3)):
            core.step(k)
        return bool(core.taken) and core.counts.steps % 7 == 3

    try:
        core = NativeCore(words, algorithm, listen, library, most_steps=100, unroll=unroll)
    except MalformedCode:
        return False
    for _ in range(slices):
        if core.run(256, 5_000) is not Ran.MORE:
            break
    core.close()
    return True


def hunted(words: array[int], given: Collection[int], library: Path, chance: random.Random) -> bool:
    """Whether the words are a program, and those given a hunt in it; some executions are drawn."""

    def asked(event: CoreEvent, one: int, other: int) -> int:
        return (one + other) % 3

    try:
        core = RandomCore(words, [*given], asked, library)
    except MalformedCode:
        return False
    last = -1
    for number in range(24):
        numbers = (
            0,
            number % 4,
            number % 3 == 0,
            number % 5 == 0,
            number % 7 == 0,
            number % 6,
            number % 2,
        )
        if not core.draw(numbers, 0.5, 50.0, 300.0):
            assert core.refusal[0]
            break
        if last >= 0 and number % 2:
            core.repeat(last)
        _, told = core.play(chance.choice((1, 200, 2_000)))
        last = told[2]
        core.shows()
        for k in range(min(told[0], 3)):
            core.played(k)
    core.draw((9, 9, 0, 0, 0, 9, 0), 0.5, 50.0, 300.0)
    core.close()
    return True


def mutants(words: array[int], count: int, chance: random.Random) -> Iterable[array[int]]:
    """Words that differ from those of a program here and there."""
    for _ in range(count):
        other = array("q", words)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(other))
            near = max(min(other[at] + chance.choice((-1, 1)), (1 << 63) - 1), -(1 << 63))
            other[at] = chance.choice((*WORDS, near, chance.choice(other)))
        cut = chance.random() < 0.05
        yield other[: chance.randrange(len(other))] if cut else other


def garbled(its: bytes, chance: random.Random) -> bytes:
    """Numbers that differ here and there."""
    numbers = array("i", its) or array("i", [1])
    for _ in range(chance.choice((0, 1, 2))):
        near = numbers[chance.randrange(len(numbers))] + chance.choice((-1, 0, 1))
        other = chance.choice((-1, 0, 1, 2, 99, 1 << 30, max(min(near, 1 << 30), -1)))
        numbers[chance.randrange(len(numbers))] = other
    return numbers[: len(numbers) - chance.choice((0, 0, 0, 1))].tobytes()


class _Garbled(SharedWakeupTree):
    """Nobody understands it, or is understood by it, well."""

    chance = random.Random(2)

    def insert(self, sequences: bytes, accesses: array[int]) -> None:
        super().insert(garbled(sequences, self.chance) if sequences else b"", accesses)

    def explored(self, leaves: Collection[int], rest: bytes, accesses: array[int]) -> None:
        super().explored(leaves, garbled(rest, self.chance) if rest else b"", accesses)

    def divided(self, leaf: int, rest: bytes, accesses: array[int]) -> None:
        super().divided(leaf, garbled(rest, self.chance), accesses)

    def give(self, most: int) -> bytes:
        return garbled(super().give(most), self.chance)

    def copy(self, news: bytes) -> None:
        its = array("i", garbled(news, self.chance) if news else b"")
        super().copy(array("i", (min(number, 1 << 16) for number in its)).tobytes())

    def load(self, kept: bytes) -> None:
        super().load(garbled(kept, self.chance))


def shared(file: Path, rounds: int) -> int:
    """Explores a program by workers that share leaves, and then by some who misunderstand one
    another; returns how many of these see that."""
    program = load(Config.of(file, defines=("N=3",))).program
    for seed in range(3):
        run = Dealing(program, "optimal", 3, seed, PROPERTIES["no-deadlock"], death=0.02).run()
        assert run.done.complete == 12
        run, _ = resumed(program, "optimal", seed, PROPERTIES["no-deadlock"], 0.03, pace=3)
        assert run.done.complete == 12
    dealing.SharedWakeupTree = leaves.SharedWakeupTree = _Garbled  # type: ignore[misc]
    seen = 0
    for seed in range(rounds):
        try:
            resumed(program, "optimal", seed, PROPERTIES["no-deadlock"], 0.01, pace=3)
        except (AssertionError, CoreRefused, IndexError):
            seen += 1
    return seen


def main(library: str, count: str, *files: str) -> None:
    """Searches the programs of the files, and `count` mutants of each."""
    chance, taken = random.Random(1), 0
    assert not searched(array("q", [0]), Algorithm.STATES, Path(library))
    for file in files:
        config = Config.of(Path(file), properties=("valid-memtrack", "valid-memcleanup"))
        system = InOrder(load(config).program, config, Soundness())
        words = lower(system, (Aspect.CIRCLE, Aspect.RACE), foresees=True).words
        for algorithm in Algorithm:
            assert searched(words, algorithm, Path(library), slices=30)
            assert searched(words, algorithm, Path(library), slices=3, unroll=1)
        for number, other in enumerate(mutants(words, int(count), chance)):
            unroll = NO_LIMIT if number % 4 else 1
            algorithm = Algorithm(number % len(Algorithm))
            taken += searched(other, algorithm, Path(library), unroll=unroll)
        plain = lower(system, (Aspect.CIRCLE, Aspect.RACE))
        ahead = Outlook(system.context, PROPERTIES["unreach-call"])
        of_hunt = array("q", hunt_words(system, plain, chance, (1, 1 << 64), [ahead], [True]))
        assert hunted(plain.words, of_hunt, Path(library), chance)
        for other in mutants(plain.words, int(count) // 3, chance):
            hunted(other, of_hunt, Path(library), chance)
        for other in mutants(of_hunt, int(count) // 3, chance):
            hunted(plain.words, other, Path(library), chance)
    for text in (with_two_kinds(), APART["one of them is joined"][0]):
        alike = Interpreter(parse_program(text))
        words = lower(alike, (Aspect.RACE,), symmetric=SymmetricStates(alike)).words
        for number, other in enumerate((words, words, *mutants(words, int(count), chance))):
            taken += searched(other, Algorithm(number % 2), Path(library))
    print(f"{taken} programs")
    made = native.load(Path(library))
    native.load = wakeup.load = lambda path=None: made  # type: ignore[assignment]
    rounds = int(count) // 5
    assert rounds // 2 < shared(ROOT / "benchmarks" / "executions" / "lastzero.c", rounds)


if __name__ == "__main__":
    main(*sys.argv[1:])
