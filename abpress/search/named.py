"""Accesses, sequences and wakeup trees in names, for another process.

All is of frozen dataclasses, tuples, strings and numbers, and can be pickled. The names are those
of `semantics.names`. Of accesses the keys are sent: those of later steps, and of sleepers whose
step lies behind, cannot be looked up.
"""

from __future__ import annotations

import hashlib
from ast import literal_eval
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from abpress.reductions.stateless.sequences import Item, Items
from abpress.reductions.stateless.sleepers import Sleeper
from abpress.reductions.stateless.wakeup import WakeupTree
from abpress.relations.footprint import Footprint, InternedFootprints
from abpress.search.rest import Plain
from abpress.semantics.names import CanonicalNames, Key
from abpress.semantics.outcome import ConcreteStep, State

NamedFootprint = str
"""What `InternedFootprints.of` makes an access of, as the text of a tuple: thread, reads, writes,
ends, certain. There are few, which are sent often: a text is cheap to send and to look up."""

NamedTree: TypeAlias = "tuple[bool, tuple[tuple[NamedFootprint, NamedTree], ...]]"
"""A `WakeupTree`: whether it is certain, and its branches: the first item, and what is below."""


@dataclass(frozen=True, slots=True)
class NamedSequences:
    """Sequences of events, `sequences.Items`: as numbers of accesses."""

    accesses: tuple[NamedFootprint, ...]
    sequences: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class NamedSleeper:
    """A `Sleeper`."""

    access: NamedFootprint
    overwritten: tuple[Key, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A step of a thread. What choices mean may depend on numbers (whom a signal wakes): of a step
    with choices, `leads_to` is a hash of the canonical state after it, by which it is found."""

    choices: tuple[int, ...]
    leads_to: str


@dataclass(frozen=True, slots=True)
class Met:
    """What a search has met, and all who go on with it must know. `certain` is as of `SearchPath`.
    `blind` are keys of cells that are written blindly, each with a thread that does so, and
    `waited` those that threads wait for, as of `InternedFootprints`."""

    certain: bool = True
    blind: tuple[tuple[Key, str], ...] = ()
    waited: tuple[Key, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether a cell that is waited for was written blindly: all has to begin again."""
        return not set(self.waited).isdisjoint(key for key, _ in self.blind)

    def joined(self, other: Met) -> Met:
        """What both have met."""
        blind, waited = dict(self.blind + other.blind), dict.fromkeys(self.waited + other.waited)
        return Met(self.certain and other.certain, tuple(blind.items()), tuple(waited))

    def renewed(self) -> Met:
        """What is known at the beginning of a search after one that was stale."""
        return replace(self, blind=())


NOTHING_MET = Met()


def state_hash(names: CanonicalNames, state: State) -> str:
    return hashlib.sha256(repr(names.state(state)).encode()).hexdigest()


def step_hash(names: CanonicalNames, step: ConcreteStep) -> str:
    """A hash of where the step leads; empty if it has no choices."""
    if not step.choices:
        return ""
    if step.violation is not None:
        return f"{step.violation.property}: {step.violation.message}"
    return state_hash(names, step.successor)


class Sender:
    """From numbers to names."""

    def __init__(self, names: CanonicalNames, accesses: InternedFootprints, plain: Plain) -> None:
        self._names = names
        self._made = accesses.made()
        self._named: dict[Footprint, NamedFootprint] = {}
        self._accesses = accesses
        self._plain = plain
        self._met = NOTHING_MET

    def met(self, certain: bool) -> Met:
        """What the search has met."""
        last, accesses = self._met, self._accesses
        sizes = len(accesses.written_blindly), len(accesses.waited_for)
        if (certain, *sizes) != (last.certain, len(last.blind), len(last.waited)):
            self._met = Met(certain, self.blind(), self.keys(sorted(accesses.waited_for)))
        return self._met

    def blind(self) -> tuple[tuple[Key, str], ...]:
        """The cells that are written blindly, each with a thread that does so."""
        written = self._accesses.written_blindly
        return tuple((self.key(k), self.thread(t)) for k, t in written.items())

    def key(self, key: int) -> Key:
        return self._names.key(key)

    def thread(self, thread: int) -> str:
        return self._names.thread(thread)

    def keys(self, keys: Iterable[int]) -> tuple[Key, ...]:
        return tuple(self._names.key(key) for key in keys)

    def threads(self, threads: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._names.thread(thread) for thread in threads)

    def access(self, access: Footprint) -> NamedFootprint:
        found = self._named.get(access)
        if found is None:
            if access not in self._made:
                self._made = self._accesses.made()
            thread, reads, writes, ends, certain = self._made[access]
            named = self.thread(thread), self.keys(reads), self.keys(writes), ends, certain
            found = self._named[access] = repr(named)
        return found

    def sleeper(self, sleeper: Sleeper) -> NamedSleeper:
        overwritten = self.keys(self._accesses.members(sleeper.overwritten))
        return NamedSleeper(self.access(sleeper.access), overwritten, sleeper.over)

    def tree(self, tree: WakeupTree) -> NamedTree:
        branches = [(self.access(item.access), self.tree(below)) for item, below in tree.branches]
        return tree.certain, tuple(branches)

    def step(self, step: ConcreteStep) -> NamedStep:
        plain = step._replace(successor=self._plain(step.successor))
        return NamedStep(step.choices, step_hash(self._names, plain))

    def sequences(self, these: Iterable[Items]) -> NamedSequences:
        numbers: dict[Footprint, int] = {}
        number = numbers.setdefault
        sent = tuple([tuple([number(its, len(numbers)) for _, its in v]) for v in these])
        return NamedSequences(tuple(map(self.access, numbers)), sent)

    def state(self, state: State) -> str:
        """A hash of the canonical state."""
        return state_hash(self._names, self._plain(state))


class Receiver:
    """From names to numbers."""

    def __init__(self, names: CanonicalNames, accesses: InternedFootprints) -> None:
        self._names = names
        self._accesses = accesses
        self._known: dict[NamedFootprint, Item] = {}
        self._met = NOTHING_MET

    def meet(self, met: Met) -> None:
        """Takes in what another search has met, but for `certain`."""
        if met != self._met:
            self._met = met
            self.learn(met.blind, met.waited, ())

    def learn(
        self,
        blind: Iterable[tuple[Key, str]],
        waited: Iterable[Key],
        contested: Iterable[Key],
    ) -> None:
        """Takes in what another search has met, as `InternedFootprints.learn`."""
        names = self._names
        written = {names.key_number(key): names.thread_number(thread) for key, thread in blind}
        self._accesses.learn(written, self.keys(waited), self.keys(contested))

    def among(self, sent: tuple[NamedStep, ...]) -> Callable[[ConcreteStep], bool]:
        """Whether a step of the thread is one of these."""
        wanted = {step.leads_to for step in sent}
        return lambda step: bool(wanted) and step_hash(self._names, step) in wanted

    def keys(self, keys: Iterable[Key]) -> tuple[int, ...]:
        return tuple(self._names.key_number(key) for key in keys)

    def thread(self, name: str) -> int:
        return self._names.thread_number(name)

    def threads(self, names: Iterable[str]) -> list[int]:
        return [self._names.thread_number(name) for name in names]

    def access(self, sent: NamedFootprint) -> Item:
        found = self._known.get(sent)
        if found is None:
            name, reads, writes, ends, certain = literal_eval(sent)
            thread, keys = self.thread(name), (self.keys(reads), self.keys(writes))
            access = self._accesses.of(thread, *keys, ends, certain)
            found = self._known[sent] = Item(thread, access)
        return found

    def sequences(self, sent: NamedSequences) -> list[Items]:
        item = [self.access(access) for access in sent.accesses].__getitem__
        return [tuple(map(item, numbers)) for numbers in sent.sequences]

    def sleeper(self, sent: NamedSleeper) -> Sleeper:
        overwritten = self._accesses.bits(self.keys(sent.overwritten))
        return Sleeper(*self.access(sent.access), overwritten, sent.over)

    def tree(self, sent: NamedTree) -> WakeupTree:
        certain, branches = sent
        return WakeupTree(certain, [(self.access(item), self.tree(its)) for item, its in branches])

    def state(self, state: State) -> str:
        """A hash of the canonical state of the interpreter."""
        return state_hash(self._names, state)
