"""What validation inserts into a program, to see whether an execution is one that a violation
witness describes.

The variable `PASSED` counts the segments that an execution has passed, and there is one with the id
of each thread that the witness numbers. A waypoint becomes a block that no thread interrupts, and
changes nothing else. So each execution of the result is one of the program, with some left out:
those that pass what is to be avoided, and, if the search is *strict*, those that reach the waypoint
that comes next otherwise than it says. What a search finds that is not strict is all that there is.

Where a waypoint may be passed at several times and it matters which one (a thread gets its number
there, or something is avoided before), a search that is not strict leaves that open.

NOTE(observing-code)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from abpress.config import InsertedCode
from abpress.errors import Position, UnsupportedError
from abpress.ir.program import UNREACH_CALL
from abpress.verify.witnesses.expressions import reading
from abpress.verify.witnesses.places import ProgramPlaces
from abpress.witness.rows import CREATES
from abpress.witness.standard.model import (
    Segment,
    ViolationWitness,
    Waypoint,
    WaypointType,
)
from abpress.witness.trace import Trace
from abpress_frontend.insertions import (
    ARGUMENT,
    CALL,
    CASES,
    CONDITION,
    FILE,
    OPERANDS,
    STATEMENT,
    TESTS,
    THIS,
)
from abpress_frontend.lower.builtins.verifier import CALLS_FAIL, CALLS_TEST, INPUTS
from abpress_frontend.sites import Site

PASSED = "__abp_passed"
"""The variable that counts the segments that are passed."""

_ID = "__abp_thread_"
_RESULT, _OTHERWISE = "__abp_result", "__abp_otherwise"
_MAIN = 1
"""The id of the first thread."""

_INPUT = re.compile(rf"(__VERIFIER_)?nondet_({'|'.join(INPUTS)})")
_NUMBER = re.compile(r"[-+]?\s*\d\w*|'[^'\\]'")
_EQUALS = re.compile(r"\s*\\result\s*==\s*(-?\s*\w+)\s*")

Place = tuple[int, int]
"""Line and column."""

Standing = Iterable[tuple[str, Position]]
"""Threads by their names, and where they stand in the user's text."""

_Sides = tuple[str, str]
"""What is done where a condition is true, and where it is false."""


@dataclass(frozen=True, slots=True)
class _Observer:
    """A waypoint of the segment of this number. `created` is the number of the thread that the call
    creates, 0 if it creates none."""

    waypoint: Waypoint
    number: int
    avoid: bool
    created: int = 0

    @property
    def here(self) -> str:
        """The condition that this is what comes next, and the right thread."""
        thread = self.waypoint.thread
        if thread is None:
            return f"{PASSED} == {self.number}"
        return f"{PASSED} == {self.number} && __abp_self() == {_self(thread)}"


@dataclass(slots=True)
class Observation:
    """The insertions for a violation witness. Mutable: it collects them by their places.

    `threads` is how many threads waypoints create, `segments` how many there are before the last.
    `targets` are the statements at one of which the property is to be violated, with the numbers of
    the threads. `target_fails`: reaching the target is an error of the program with the insertions,
    and there is no other. `gated`: only threads that are told come to a target, and only when all
    else is passed, which leaves out executions that do what the witness says.
    """

    places: ProgramPlaces
    strict: bool
    gated: bool
    choosing: bool
    lenient: bool
    targets: list[tuple[tuple[Position, ...], int | None]] = field(default_factory=list)
    target_fails: bool = False
    threads: int = 0
    segments: int = 0
    _before: dict[Place, list[str]] = field(default_factory=dict)
    _behind: dict[Place, list[str]] = field(default_factory=dict)
    _branches: dict[Place, list[_Sides]] = field(default_factory=dict)
    _values: dict[Place, list[_Sides]] = field(default_factory=dict)
    _switches: dict[Place, list[str]] = field(default_factory=dict)
    _tests: dict[int, list[_Sides]] = field(default_factory=dict)
    _calls: dict[Place, list[_Observer]] = field(default_factory=dict)
    _errors: dict[Place, str] = field(default_factory=dict)
    _gates: dict[Place, list[_Observer]] = field(default_factory=dict)

    def add(self, observer: _Observer) -> None:
        """Adds a waypoint that is no target. Raises InputError and UnsupportedError."""
        waypoint = observer.waypoint
        match waypoint.type:
            case WaypointType.ASSUMPTION | WaypointType.AFTERWARDS:
                site = self.places.statement(waypoint.location, self.lenient)
                after = waypoint.type is WaypointType.AFTERWARDS
                if after and (site.jumps or site.is_branch):
                    what = "an assumption behind a statement that branches or jumps"
                    raise UnsupportedError(what, waypoint.location.place)
                blocks = self._behind if after else self._before
                value = reading(waypoint.value, waypoint.location.place)
                # What comes next stands first, so that nobody passes two at once.
                blocks.setdefault(_key(site), []).insert(0, self._seen(observer, value))
            case WaypointType.BRANCHING:
                self._add_branching(observer)
            case _:
                site = self.places.call(waypoint.location)
                enters = waypoint.type is WaypointType.FUNCTION_ENTER
                if enters and self.places.creates(site) and not observer.avoid:
                    self.threads += 1
                    observer = _Observer(waypoint, observer.number, False, self.threads)
                # As above: the first to be asked is what comes last.
                self._calls.setdefault(_key(site), []).insert(0, observer)

    def _add_branching(self, observer: _Observer) -> None:
        """Adds a waypoint at a branching, or, if lines are all that is known, at all tests of its
        line: which of them the witness means is open."""
        location, value = observer.waypoint.location, observer.waypoint.value
        if self.lenient:
            tests = self._tests.setdefault(self.places.require_tests(location), [])
            tests.insert(0, self._sides(observer))
            return
        site = self.places.branching(location)
        if not site.is_switch:
            its = self._values if site.is_elvis else self._branches
            its.setdefault(_key(site), []).insert(0, self._sides(observer))
        elif value == "default" or _NUMBER.fullmatch(value):
            holds = _OTHERWISE if value == "default" else f"{_RESULT} == ({value})"
            self._switches.setdefault(_key(site), []).insert(0, self._seen(observer, holds))
        else:
            raise UnsupportedError(f"{value} at a switch", location.place)

    def _sides(self, observer: _Observer) -> tuple[str, str]:
        """The blocks of a waypoint at a condition where that is true, and where it is false."""
        waypoint = observer.waypoint
        if waypoint.value not in ("true", "false"):
            raise UnsupportedError(f"a branching with {waypoint.value}", waypoint.location.place)
        right, wrong = self._seen(observer, "1"), self._seen(observer, "0")
        return (right, wrong) if waypoint.value == "true" else (wrong, right)

    def aim(self, segment: Segment, number: int, properties: Sequence[str], error: str) -> None:
        """Adds the targets, of the last segment, which has this number. `error` is the only
        function whose call is an error, or `any`. Raises InputError and UnsupportedError."""
        self.segments = number
        for waypoint in segment.avoid:
            self.add(_Observer(waypoint, number, avoid=True))
        if len(segment.follow) > 1 and UNREACH_CALL in properties:
            place = segment.follow[1].location.place
            raise UnsupportedError("several targets of one error", place)
        for waypoint in segment.follow:
            observer = _Observer(waypoint, number, avoid=False)
            its = self.places.targets(waypoint.location)
            self.targets.append((tuple(site.position for site in its), waypoint.thread))
            if UNREACH_CALL in properties:
                self.target_fails = True
                self._aim_at_calls(its, observer, error)
            elif self.gated and len(its) == 1:
                self._gates.setdefault(_key(its[0]), []).append(observer)

    def _aim_at_calls(self, its: Sequence[Site], observer: _Observer, error: str) -> None:
        """The calls of statements that are errors become one where this is the target."""
        sites = self.places.sites
        inside = [call for call in sites.calls if sites.around(call.position) in its]
        error_here = f'__abp_fail("{UNREACH_CALL}", "the target is reached");'
        for call in inside:
            name = call.name
            if name in CALLS_FAIL and error in ("any", name):
                code = f"({{ if ({observer.here}) {{ {error_here} }} {THIS}; }})"
            elif name in CALLS_TEST and name not in self.places.defined and error == "any":
                ends = '__abp_exit("abort");'
                failing = f"if ({observer.here}) {{ {error_here} }} {ends}"
                code = f"({{ if (!({ARGUMENT})) {{ {failing} }} }})"
            else:
                continue
            self._errors[_key(call)] = code
        fails = any(_key(call) in self._errors for call in inside)
        if not fails and not self.places.defined.isdisjoint(call.name for call in inside):
            what = "a target at the call of a function that may fail inside"
            raise UnsupportedError(what, observer.waypoint.location.place)

    def _seen(self, observer: _Observer, constraint: str) -> str:
        """The block of a waypoint, of which the constraint is an expression of C."""
        here, passes = observer.here, f"{PASSED} = {observer.number + 1};"
        if observer.avoid:
            return _block(f"__abp_assume(!({here} && ({constraint})));")
        if self.strict:
            return _block(f"if ({here}) {{ __abp_assume({constraint}); {passes} }}")
        may = " && __abp_nondet_bool()" if self.choosing else ""
        return _block(f"if ({here} && ({constraint}){may}) {passes}")

    def missed(self, ends: Standing, names: Mapping[int, str]) -> Position | None:
        """A target at which no thread stands that the witness means there, with the names of those
        that have numbers; None if an execution that ends so is at all of them."""
        numbers = {name: number for number, name in names.items()}
        standing: set[tuple[Position, int | None]] = set()
        for thread, at in ends:
            if (found := self.places.statement_around(at)) is not None:
                standing |= {(found[0], numbers.get(thread)), (found[0], None)}
        for places, number in self.targets:
            if standing.isdisjoint((at, number) for at in places):
                return places[0]
        return None

    def insertions(self) -> Iterator[InsertedCode]:
        """All that is inserted."""
        file = self.places.file
        ids = "".join(f" unsigned long {_id(k)};" for k in range(1, self.threads + 1))
        yield InsertedCode(FILE, f"int {PASSED};{ids}")
        for place in dict.fromkeys((*self._calls, *self._errors)):
            code = self._call(place, self._calls.get(place, ()))
            yield InsertedCode(CALL, code, file, *place)
        for place, sides in self._branches.items():
            yield InsertedCode(CONDITION, _truth(sides), file, *place)
        for line, sides in self._tests.items():
            yield InsertedCode(OPERANDS if self.strict else TESTS, _truth(sides), file, line)
        for place, sides in self._values.items():
            true, false = _joined(sides)
            code = f"if ({_RESULT}) {{ {true} }} else {{ {false} }}"
            code = f"({{ auto {_RESULT} = {THIS}; {code} {_RESULT}; }})"
            yield InsertedCode(CONDITION, code, file, *place)
        for place, blocks in self._switches.items():
            cases = f"switch ({_RESULT}) {{ case {CASES}: {_OTHERWISE} = 0; }}"
            code = f"int {_OTHERWISE} = 1; {cases} {' '.join(blocks)} {_RESULT};"
            code = f"({{ auto {_RESULT} = {THIS}; {code} }})"
            yield InsertedCode(CONDITION, code, file, *place)
        for place in dict.fromkeys((*self._before, *self._behind, *self._gates)):
            before, behind = (" ".join(its.get(place, ())) for its in (self._before, self._behind))
            if place in self._gates:
                early, late = _gates(self._gates[place])
                before = f"{early} {before} {late}"
            yield InsertedCode(STATEMENT, f"{before} {THIS}; {behind}", file, *place)

    def _call(self, place: Place, observers: Sequence[_Observer]) -> str:
        """The code in the place of a call."""
        this = self._errors.get(place, THIS)
        before, behind, creating = "", "", ""
        for observer in observers:
            waypoint = observer.waypoint
            if observer.created:
                may = " && __abp_nondet_bool()" if self.choosing and not self.strict else ""
                number = f"{_id(observer.created)} = __abp_identity(*({ARGUMENT}));"
                passes = f"{PASSED} = {observer.number + 1};"
                creating += f"if ({observer.here}{may}) {{ {number} {passes} }} else "
            elif waypoint.type is WaypointType.FUNCTION_ENTER:
                before += self._seen(observer, "1")
            else:
                behind += self._returned(observer, place)
        if not behind and not creating:
            return f"({{ {before} {this}; }})"
        if creating:
            creating = f"{creating} {{}}"
            return (
                f"({{ {before} __abp_atomic_begin(); auto {_RESULT} = {this}; {creating}"
                f" __abp_atomic_end(); {behind} {_RESULT}; }})"
            )
        return f"({{ {before} auto {_RESULT} = {this}; {behind} {_RESULT}; }})"

    def _returned(self, observer: _Observer, place: Place) -> str:
        """The block behind a call that returns something. In a strict search an input that has to
        be a number is that number: what is assigned is one of its values, or it is cut."""
        waypoint = observer.waypoint
        constraint = waypoint.value.replace("\\result", _RESULT) or "1"
        if "\\" in constraint:
            raise UnsupportedError(f"the constraint {waypoint.value}", waypoint.location.place)
        reading(constraint, waypoint.location.place, own=_RESULT)
        equals = _EQUALS.fullmatch(waypoint.value)
        calls = (s for s in self.places.sites.calls if _key(s) == place)
        called = (call.name for call in calls if call.name not in self.places.defined)
        is_input = any(_INPUT.fullmatch(name) for name in called)
        if not (self.strict and is_input and equals and not observer.avoid):
            return self._seen(observer, constraint)
        chosen = f"{_RESULT} = {equals[1]}; __abp_assume({constraint});"
        return _block(f"if ({observer.here}) {{ {chosen} {PASSED} = {observer.number + 1}; }}")


def observation(
    witness: ViolationWitness,
    places: ProgramPlaces,
    properties: Sequence[str],
    error: str,
    strict: bool,
    gated: bool,
    lenient: bool,
) -> Observation:
    """The insertions for a witness; with `lenient` a location may be in the middle of a statement,
    as lines of GraphML are. Raises InputError and UnsupportedError, with places in the witness."""
    *inner, last = witness.segments
    waypoints = [w for segment in inner for w in (*segment.follow, *segment.avoid)]
    avoids = any(segment.avoid for segment in witness.segments)
    creates = any(w.type is WaypointType.FUNCTION_ENTER for w in waypoints)
    found = Observation(places, strict, gated, avoids or creates, lenient)
    for number, segment in enumerate(inner):
        if len(segment.follow) > 1:
            place = segment.follow[1].location.place
            raise UnsupportedError("several waypoints in one segment before the last", place)
        found.add(_Observer(segment.follow[0], number, avoid=False))
        for waypoint in segment.avoid:  # these are asked first
            found.add(_Observer(waypoint, number, avoid=True))
    found.aim(last, len(inner), properties, error)
    _require_threads(witness, found)
    return found


def thread_names(trace: Trace) -> dict[int, str]:
    """The names of the threads of an execution by the numbers that the witness gives them."""
    names = {0: trace.threads[0]}
    created: dict[str, str] = {}
    for step in trace.steps:
        if step.note.startswith(CREATES):
            created[step.thread] = step.note.removeprefix(CREATES)
        for cell, _ in step.writes:
            if cell.startswith(_ID):
                names[int(cell.removeprefix(_ID))] = created[step.thread]
    return names


def names_in(cells: Mapping[str, int | None], name_of: Callable[[int], str]) -> Mapping[int, str]:
    """As `thread_names`, of a state with these cells."""
    names = {0: name_of(_MAIN)}
    for cell, value in cells.items():
        if cell.startswith(_ID) and value:
            names[int(cell.removeprefix(_ID))] = name_of(value)
    return names


def _require_threads(witness: ViolationWitness, found: Observation) -> None:
    """Raises UnsupportedError for a thread that no waypoint creates."""
    for segment in witness.segments:
        for waypoint in (*segment.avoid, *segment.follow):
            if (waypoint.thread or 0) > found.threads:
                what = f"thread {waypoint.thread}, which no waypoint creates"
                raise UnsupportedError(what, waypoint.location.place)


def _key(site: Site) -> Place:
    return site.position.line, site.position.column


def _id(number: int) -> str:
    return f"{_ID}{number}"


def _gates(targets: Sequence[_Observer]) -> tuple[str, str]:
    """The blocks before the waypoints of a target's statement, and behind them: when all others are
    passed nobody comes there but the threads that are told, and before that these do not go on."""
    threads = [observer.waypoint.thread for observer in targets]
    told = " || ".join("1" if k is None else f"__abp_self() == {_self(k)}" for k in threads)
    last = f"{PASSED} == {targets[0].number}"
    early = _block(f"__abp_assume(!({last}) || {told});")
    return early, _block(f"__abp_assume({last} || !({told}));")


def _self(number: int) -> str:
    return f"{_MAIN}" if number == 0 else _id(number)


def _joined(sides: Sequence[_Sides]) -> _Sides:
    true, false = (" ".join(side) for side in zip(*sides, strict=True))
    return true, false


def _truth(sides: Sequence[_Sides]) -> str:
    """The expression in the place of one that is tested."""
    true, false = _joined(sides)
    return f"({THIS}) ? ({{ {true} 1; }}) : ({{ {false} 0; }})"


def _block(code: str) -> str:
    return f"{{ __abp_atomic_begin(); {code} __abp_atomic_end(); }}"
