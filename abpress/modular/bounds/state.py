"""What a thread knows where it stands: differences of numbers, pointers, and flags."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from abpress.modular.bounds.members import register_of, site_of
from abpress.modular.bounds.number_members import Written
from abpress.modular.bounds.places import (
    ANYWHERE,
    Pointees,
    all_places,
    carried,
    carrier,
    index_of,
    indexed_by,
    minus,
    plain,
)
from abpress.modular.bounds.values import ANY, Rest, either, follows, least, most
from abpress.modular.bounds.zone import ZERO, Zone

MOST_POINTEES = 16
"""Places that a pointer may point to."""

Flags = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class State:
    """Mutable. `pointers` says where registers and cells point, `flags` what registers hold that
    only ever hold numbers of the text, `rests` what is known of numbers but for differences. Of the
    places in `fresh` the thread may have an object that only it knows; of what is in that of
    another place, anything is true. Registers hold the `same` as what is behind where others point,
    NOTE(members), and numbers without a sign that others with a sum have `wrapped` to. At addresses
    in `written` there is a number that was written, NOTE(written-numbers)."""

    zone: Zone = field(default_factory=Zone)
    pointers: dict[str, Pointees] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    rests: dict[str, Rest] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    wrapped: dict[str, tuple[str, int]] = field(default_factory=dict)
    written: Written = frozenset()

    def copy(self) -> State:
        """Another one that says the same."""
        return State(
            self.zone.copy(),
            dict(self.pointers),
            dict(self.flags),
            dict(self.rests),
            set(self.fresh),
            dict(self.same),
            dict(self.wrapped),
            self.written,
        )

    def names(self) -> set[str]:
        """The registers and cells of which something is known."""
        others = (name for name, _ in self.wrapped.values())
        named = self.pointers.keys() | self.flags.keys() | self.rests.keys() | self.wrapped.keys()
        return self.zone.names().union(named, others)

    def rest(self, name: str) -> Rest:
        """The rest of a number."""
        low, high = self.zone.low(name), self.zone.high(name)
        return (0, low) if low is not None and low == high else self.rests.get(name, ANY)

    def tighten(self, name: str) -> bool:
        """Notes the bounds of a number that follow from its rest; returns whether there are
        numbers between them."""
        its = self.rests.get(name, ANY)
        low, high = self.zone.low(name), self.zone.high(name)
        return (high is None or self.zone.add(name, ZERO, most(high, its))) and (
            low is None or self.zone.add(ZERO, name, -least(low, its))
        )

    def key(self) -> Flags:
        """What tells states of one location apart."""
        return tuple(sorted(self.flags.items()))

    def forget(self, names: set[str]) -> None:
        """Forgets what these registers and cells hold."""
        steps = {index_of(name) for name in names & self.pointers.keys()}
        steps.update(map(carried, names))
        self.zone.forget(names.union(steps, map(minus, names)))
        for name in steps:
            self.rests.pop(name, None)
        for name in names:
            self.pointers.pop(name, None)
            self.flags.pop(name, None)
            self.rests.pop(name, None)
            self.same.pop(name, None)
        if self.wrapped:
            kept = self.wrapped.items()
            self.wrapped = {n: its for n, its in kept if n not in names and its[0] not in names}
        self.forget_behind({n for n in self.pointers if n in names or register_of(n) in names})

    def forget_behind(self, names: set[str]) -> None:
        """Forgets what is behind where registers point."""
        for name in names:
            self.pointers.pop(name, None)
        for register in [r for r, name in self.same.items() if name in names]:
            del self.same[register]

    def joined(self, other: State) -> State:
        """What holds in either."""
        return self._either(other, self.zone.joined(other.zone), None)

    def widened(
        self,
        other: State,
        greatest: Iterable[int] = (),
        kept: frozenset[str] = frozenset(),
    ) -> State:
        """What holds in either, where what grows is widened, to the `greatest` numbers first, but
        for what is known of `kept` registers."""
        its = {x for x in self.zone.names() if _register_of(x) in kept}
        return self._either(other, self.zone.widened(other.zone, greatest, its), kept)

    def _either(self, other: State, zone: Zone, kept: frozenset[str] | None) -> State:
        """What holds in either, but for differences; `kept` registers are not widened."""
        pointers = {}
        for name, places in self.pointers.items():
            its = other.pointers.get(name, frozenset())
            both = places if places == its else all_places(places | its)
            if name not in other.pointers or len(both) > MOST_POINTEES:
                continue
            steps = index_of(name)
            known = zone.low(steps) is not None or zone.high(steps) is not None
            if known and len(both) > 1:
                both = _alike(both)
            if kept is None or name in kept or _is_part(both, places):
                pointers[name] = both
            elif known:
                pointers[name] = frozenset((o, *ANYWHERE) for o, *_ in both)
        lost = {index_of(name) for name in self.pointers.keys() - pointers.keys()}
        zone.forget(lost)
        for one, another in ((self, other), (other, self)):
            pointers |= {
                name: places
                for name, places in one.pointers.items()
                if (site := site_of(name)) is not None and site not in another.fresh
            }
        flags = {n: v for n, v in self.flags.items() if other.flags.get(n) == v}
        same = {r: n for r, n in self.same.items() if other.same.get(r) == n and n in pointers}
        rests = {n: its for n, its in self._rests_of_either(other).items() if n not in lost}
        wrapped = {n: its for n, its in self.wrapped.items() if other.wrapped.get(n) == its}
        fresh, written = self.fresh | other.fresh, self.written & other.written
        return State(zone, pointers, flags, rests, fresh, same, wrapped, written)

    def _rests_of_either(self, other: State) -> dict[str, Rest]:
        fixed = {x for x, y in self.zone.most if not y and self.rest(x)[0] == 0}
        found = {x: either(self.rest(x), other.rest(x)) for x in sorted(fixed | self.rests.keys())}
        return {x: its for x, its in found.items() if its[0] > 1}

    def and_also(self, other: State) -> bool:
        """Notes what another state says, which holds as well; returns whether that is possible."""
        for name, places in other.pointers.items():
            self.pointers.setdefault(name, places)
        return all(self.zone.add(x, y, c) for (x, y), c in sorted(other.zone))

    def implies(self, other: State) -> bool:
        """Whether all that another state says is said here."""
        return (
            all(self.flags.get(n) == v for n, v in other.flags.items())
            and all(
                n in self.pointers and _is_part(self.pointers[n], p)
                for n, p in other.pointers.items()
                if (site := site_of(n)) is None or site in self.fresh
            )
            and self.fresh <= other.fresh
            and all(self.same.get(r) == n for r, n in other.same.items())
            and other.written <= self.written
            and all(self.wrapped.get(r) == its for r, its in other.wrapped.items())
            and all(follows(self.rest(n), its) for n, its in other.rests.items())
            and self.zone.implies(other.zone)
        )


def _register_of(name: str) -> str:
    """The register of which a number is, by its name."""
    return indexed_by(name) or carrier(name) or plain(name)


def _alike(places: Pointees) -> Pointees:
    """The places, with the same offsets in whichever object."""
    low, high = min(k for _, k, _ in places), max(k for *_, k in places)
    return frozenset((o, low, high) for o, *_ in places)


def _is_part(inner: Pointees, outer: Pointees) -> bool:
    """Whether places are among others."""
    return all_places(inner | outer) == outer
