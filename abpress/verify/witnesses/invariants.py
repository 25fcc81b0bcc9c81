"""The invariants that a witness of a proof states: what certificates say of lines, said in C, as
far as a search with checks of it in the program shows that it holds.

Certificates are about a program model in which steps are left out, variables that nothing reads
any more keep old values, and inputs have the range that lets a thread go on. So what they say of a
location need not hold where a line of the text begins. It is taken for a guess: checks of it are
put into the program, as `abpress validate` does. What has held when all states are enumerated is
stated; of a program with too many of them what one search proves, from which what fails is left
out before the rest is asked again.

NOTE(observing-code)
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from abpress.config import Config
from abpress.errors import InputError, UnsupportedError
from abpress.result import Result, Verdict
from abpress.search.limits import Limits
from abpress.verify.load import Programs
from abpress.verify.page.proofs import invariants_of, parts_of
from abpress.verify.page.sources import ShownFiles
from abpress.verify.run import Report, verify
from abpress.verify.witnesses.c_words import CWords
from abpress.verify.witnesses.invariant_checks import CHECKING, invariant_checks
from abpress.verify.witnesses.places import ProgramPlaces
from abpress.verify.witnesses.sieve import sieved
from abpress.verify.witnesses.tasks import LEAST_SECONDS
from abpress.witness.standard.model import (
    CorrectnessWitness,
    GhostUpdate,
    GhostVariable,
    StatedInvariant,
    WitnessLocation,
    WitnessTask,
)
from abpress_frontend.insertions import OBSERVER
from abpress_frontend.sites import Site

_MOST_STATED = 40
_MOST_AT_ONCE = 4
"""Of a line."""
_LONGEST = 120
"""Characters of an expression."""
_MOST_SEARCHES = 12

_HELD = "1"
_UPDATES = {"pthread_mutex_lock": _HELD, "pthread_mutex_unlock": "0"}
"""What becomes of the ghost variable of a mutex."""
_OTHERS = frozenset({"pthread_mutex_init", "pthread_mutex_destroy"})
"""Functions of a mutex that neither lock nor unlock it."""


@dataclass(frozen=True, slots=True)
class GuessedInvariants:
    """What may hold, with the variables that tell which locks are held."""

    invariants: tuple[StatedInvariant, ...]
    ghosts: Mapping[str, tuple[GhostUpdate, ...]] = field(default_factory=dict)

    def without(self, gone: Sequence[StatedInvariant]) -> GuessedInvariants:
        """All others."""
        return replace(self, invariants=tuple(i for i in self.invariants if i not in gone))

    def witness(self, task: WitnessTask) -> CorrectnessWitness:
        """The witness that states them, with the ghost variables that they name."""
        words = {word for its in self.invariants for word in re.findall(r"\w+", its.value)}
        used = [name for name in self.ghosts if name in words]
        return CorrectnessWitness(
            task,
            self.invariants,
            tuple(GhostVariable(name, "int", "0") for name in used),
            tuple(update for name in used for update in self.ghosts[name]),
        )


def with_invariants(
    task: WitnessTask,
    config: Config,
    places: ProgramPlaces,
    report: Report,
    seconds: float,
) -> CorrectnessWitness:
    """The witness of a report with the invariants that are proved within so many seconds. Raises
    InputError and UnsupportedError."""
    end = time.monotonic() + seconds
    guesses = guessed(config, places, report)
    if guesses.invariants:
        held = _enumerated(guesses.witness(task), config, places, seconds / 2)
        if held is not None:
            return replace(guesses, invariants=tuple(held)).witness(task)
    for _ in range(_MOST_SEARCHES):
        left = (end - time.monotonic()) / 2
        if left < LEAST_SECONDS or not guesses.invariants:
            break
        witness = guesses.witness(task)
        gone = _refuted(witness, config, places, left)
        if not gone:
            return witness
        guesses = guesses.without(gone)
    return CorrectnessWitness(task)


def _enumerated(
    witness: CorrectnessWitness, config: Config, places: ProgramPlaces, seconds: float
) -> Sequence[StatedInvariant] | None:
    """Those that an enumeration of all states shows to hold; None if it shows nothing."""
    limits = Limits(seconds, config.bounds.memory_limit, started=time.monotonic())
    try:
        return sieved(witness, config, places, limits)
    except (InputError, UnsupportedError):
        return None


def _refuted(
    witness: CorrectnessWitness, config: Config, places: ProgramPlaces, seconds: float
) -> Sequence[StatedInvariant]:
    """Invariants to be left out: one that is violated or means nothing, or, if there is no answer,
    the second half."""
    stated = witness.invariants
    try:
        checks = invariant_checks(witness, places, config.program.file)
        config = config.but(
            **CHECKING,
            engine="auto",
            por="auto",
            certificate=False,
            time_limit=seconds,
            insertions=checks.insertions,
        )
        result: Result = verify(config).result
    except (InputError, UnsupportedError) as error:
        at = error.position
        where = (at.line, at.column) if at is not None and at.file == OBSERVER else None
        return [i for i in stated if (i.location.line, i.location.column) == where] or stated
    if result.verdict is Verdict.TRUE:
        return ()
    if result.verdict is Verdict.FALSE:
        return (checks.failures[result.trace.message],)
    return stated[len(stated) // 2 :]


def guessed(config: Config, places: ProgramPlaces, report: Report) -> GuessedInvariants:
    """What certificates say of statements that begin a line, in C. Raises InputError and
    UnsupportedError."""
    files = ShownFiles(report.sources)
    files.line(places.file, 1)
    said: dict[int, list[str]] = {}
    locks: dict[str, str] = {}
    programs = report.programs or Programs(config)
    for part, words in parts_of(report.certificate, programs, files, CWords):
        assert isinstance(words, CWords)
        for line, texts in _of_part(part, words):
            its = said.setdefault(line, [])
            its += [text for text in texts if text not in its]
        locks |= words.locks
    ghosts = {
        name: updates
        for lock, name in locks.items()
        if (updates := tuple(_updates(lock, name, places)))
    }
    stated = [*_stated(said, places, set(ghosts)), *_protected(said, places, ghosts)]
    stated.sort(key=lambda its: not its.at_loop)
    return GuessedInvariants(tuple(stated[:_MOST_STATED]), ghosts)


def _of_part(part: object, words: CWords) -> Iterator[tuple[int, list[str]]]:
    """What is said of all threads that pass a line of the file."""
    said: dict[int, dict[str, list[str]]] = {}
    for line, thread, told in invariants_of(part, words):
        if line.place["file"] == 0:
            said.setdefault(line.place["line"], {}).setdefault(thread, []).extend(told)
    for number, by_thread in said.items():
        first, *others = by_thread.values()
        shared = {t for t in first if len(t) <= _LONGEST and all(t in its for its in others)}
        yield number, sorted(shared, key=lambda text: (len(text), text))


def _stated(
    said: Mapping[int, Sequence[str]], places: ProgramPlaces, ghosts: set[str]
) -> Iterator[StatedInvariant]:
    """What is said of lines, of those at which a statement or loop begins that may name it."""
    sites = {line: site for line in said if (site := _site(line, places)) is not None}
    visible = places.sites.names_before(site.node for site in sites.values())
    for line, site in sorted(sites.items()):
        known = visible.get(id(site.node), frozenset()) | ghosts
        may = [text for text in said[line] if _names(text) <= known]
        for text in may[:_MOST_AT_ONCE]:
            yield StatedInvariant(_location(site), text, site.is_loop)


def _protected(
    said: Mapping[int, Sequence[str]],
    places: ProgramPlaces,
    ghosts: Mapping[str, Sequence[GhostUpdate]],
) -> Iterator[StatedInvariant]:
    """That a mutex is held, or what is said of variables of the file behind each place that locks
    it holds: where it is about to be locked."""
    statements = places.sites.statements
    files = places.sites.names_of_files()
    for name, updates in ghosts.items():
        locked = [its.location for its in updates if its.value == _HELD]
        behind: list[Sequence[str]] = []
        for its in locked:
            at = (its.line, its.column)
            next_line = next(
                (s.position.line for s in statements if (s.position.line, s.position.column) > at),
                0,
            )
            behind.append(said.get(next_line, ()))
        first, *others = behind
        texts = [t for t in first if _names(t) <= files and all(t in its for its in others)]
        for text in texts[:_MOST_AT_ONCE]:
            for its in locked:
                yield StatedInvariant(its, f"{name} == {_HELD} || {_grouped(text)}", False)


def _grouped(text: str) -> str:
    return f"({text})" if "&&" in text or "||" in text else text


def _site(line: int, places: ProgramPlaces) -> Site | None:
    site = places.sites.statement(places.file, line)
    return None if site is None or site.is_label else site


def _location(site: Site) -> WitnessLocation:
    at = site.position
    return WitnessLocation(PurePath(at.file).name, at.line, at.column, at.function)


def _names(text: str) -> set[str]:
    """The variables that an expression names, without members and types."""
    words = re.findall(r"(?<![\w.])[A-Za-z_]\w*", text)
    return set(words) - {"unsigned", "signed", "char", "short", "int", "long"}


def _updates(lock: str, ghost: str, places: ProgramPlaces) -> Iterator[GhostUpdate]:
    """The updates of the ghost variable of a mutex; none unless each use of it is a statement that
    does nothing else."""
    sites = places.sites.statements_with(lock, {*_UPDATES, *_OTHERS})
    for site in sites:
        if site.name in _UPDATES:
            yield GhostUpdate(_location(site), ghost, _UPDATES[site.name])
