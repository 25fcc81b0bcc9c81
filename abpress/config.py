"""The options of one verification run, in one frozen value of four parts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

MACHINE = "LP64" if sys.maxsize > 2**32 else "ILP32"
"""The data model of the machine that this runs on."""

COMPETITION = "ILP32"
"""The data model of a task of the competition that does not say its own."""


STANDARD_INPUT = Path("-")
"""The file that means what is read from standard input."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """A file, and what a compiler is told of it."""

    file: Path
    defines: tuple[str, ...] = ()  # NAME or NAME=VALUE; !NAME takes one back
    include_dirs: tuple[Path, ...] = ()
    included: tuple[Path, ...] = ()  # files that are read before it
    text: str | None = None  # of the file, where it is not read


@dataclass(frozen=True, slots=True)
class InsertedCode:
    """C code that is put into a program, to observe its executions.

    `kind` is one of `abpress_frontend.insertions.KINDS`, which says what `code` is and what stands
    at the place: line and column of a file, as positions name it.
    """

    kind: str
    code: str
    file: str = ""
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class ProgramOptions:
    """Which program is meant: the text, and what C leaves open."""

    file: Path
    defines: tuple[str, ...] = ()  # as of a Compilation, and so are include_dirs and included
    include_dirs: tuple[Path, ...] = ()
    data_model: str = MACHINE  # ILP32 or LP64
    entry: str = "main"
    included: tuple[Path, ...] = ()
    text: str | None = None  # of the file, where it is not read
    others: tuple[Compilation, ...] = ()  # the other files of the program
    arguments: tuple[str, ...] | None = None  # of main, without the first; None: any
    argument_bounds: tuple[int, int] | None = None  # if any: how many, and of what length
    undefined_functions: str = "error"  # or havoc
    error_function: str = "any"  # or the only one whose call is an error; then asserts only end
    signed_overflow: str = "end"  # end, wrap
    spurious_wakeups: str = "auto"  # auto: as the property says; on; chosen; off
    spurious_failures: str = "on"  # on, off: of weak compare-exchange and mtx_trylock
    malloc_may_fail: bool = False
    creation_may_fail: bool = False  # of threads, and of mutexes and the like
    misuse: bool = False  # of the thread library is looked for where that costs states
    reads_text: bool = False  # to print it, counts as access
    every_access: bool = False  # also those that change nothing: then ids are stored early
    line_markers: bool = True  # of preprocessed text say where things stand; else the file itself
    insertions: tuple[InsertedCode, ...] = ()  # of code that observes executions

    @property
    def compilations(self) -> tuple[Compilation, ...]:
        """The files of the program."""
        first = Compilation(self.file, self.defines, self.include_dirs, self.included, self.text)
        return (first, *self.others)


AUTO, NATIVE, PYTHON = "auto", "native", "python"
CORES = (AUTO, NATIVE, PYTHON)
"""Who searches; `native` where that can be, `auto` where it pays."""

ON, OFF = "on", "off"
SYMMETRIES = (AUTO, ON, OFF)
"""Whether threads that are alike count as one; `auto` where it pays."""

EQUATIONS = "equations by models"
ORDERS_OF_ELEMENTS = "orders of elements by models"
GUESSES = EQUATIONS, ORDERS_OF_ELEMENTS
"""What engine `horn` may guess, as `abpress.verify.choice` says."""

Place = tuple[str, int, int]
"""An edge of a program: template, location, number there."""


@dataclass(frozen=True, slots=True)
class Alarms:
    """What facts leave open of a property, in the program that is searched: at no other edges it is
    violated, NOTE(alarms). `certificate` is the text of the one that the checker has accepted."""

    property: str
    places: frozenset[Place]
    certificate: str = ""


@dataclass(frozen=True, slots=True)
class Synchronised:
    """The edges of the program that is searched whose accesses meet none in conflict, so that they
    need no interleaving, NOTE(synchronised-accesses). `certificate` is the text of the one that the
    checker has accepted."""

    places: frozenset[Place]
    certificate: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided: each property by itself, in one run."""

    properties: tuple[str, ...] = ("unreach-call",)  # keys of abpress.properties.PROPERTIES
    leads: tuple[str, ...] = ()  # of these; a violation of one ends the search for the others
    alarms: tuple[Alarms, ...] = ()  # of these, where facts leave something open
    synchronised: Synchronised | None = None  # accesses that need no interleaving
    certificate: bool = False  # a verdict "true" comes with a certificate
    lean: bool = False  # the program is the one without what nobody reads

    @property
    def named(self) -> str:
        """The properties as text."""
        return ",".join(self.properties)

    def open_places(self, property: str) -> frozenset[Place] | None:
        """Where facts leave a property open; None if they say nothing of it."""
        return next((its.places for its in self.alarms if its.property == property), None)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the search may spend. Reaching a bound withholds the verdict "true"; `None` means no
    bound, but for threads."""

    max_threads: int | None = None  # alive or finished in one execution; None: the engine's own
    recursion_bound: int = 10
    input_domain: int = 256  # an input with at most so many values is enumerated
    unroll: int | None = None  # how often a thread comes back to a place (engine stateless)
    time_limit: float | None = None  # seconds of wall time
    memory_limit: float | None = None  # MiB of resident memory


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search."""

    engine: str = "auto"
    por: str = "auto"  # auto: what the engine prefers
    labels: str = "predicates"  # or impact: what nodes of the tree know (engine abpress)
    awaits: bool = True  # loops that only wait are no steps (engine stateless)
    keep_going: bool = False  # beyond the first violation (engines stateless, explicit)
    order: str = "sequential"  # or random, or names of threads: who is tried first (both)
    paranoid: bool = False  # interpolants are checked, too
    core: str = "auto"  # native: outside of Python where that can be; or python
    symmetry: str = "auto"  # or on, off: of equal threads one order is kept (explicit, abpress)
    encoding: str = "auto"  # of integers for the solver: auto, int, bv
    workers: int = 1  # processes: side by side (auto), or together (stateless, explicit)
    alone: float | None = None  # seconds that one searches before the others come (stateless)
    cluster: str = ""  # the address of one, whose machines have the workers
    checkpoint: Path | None = None  # a file that is kept up to date, to resume from (the same)
    checkpoint_every: int = 180  # seconds
    resume: Path | None = None  # such a file
    seed: int = 0
    hunt_steps: int = 5_000_000  # the budget of random executions (engine hunt)
    hunt_seconds: float | None = None  # of processor time, after which they end, too
    guesses: tuple[str, ...] = GUESSES  # of abpress.verify.choice (engine horn)


@dataclass(frozen=True, slots=True)
class Config:
    """What the user asked for. The name of an option is unique over the parts."""

    program: ProgramOptions
    question: Question = Question()
    bounds: Bounds = Bounds()
    search: SearchOptions = SearchOptions()

    @classmethod
    def of(cls, file: Path, **options: Any) -> Config:
        """The configuration for a file, with options of any part by their names.

        `property=p` is short for `properties=(p,)`. Raises TypeError for an option that there is
        not, or a value of another type.
        """
        return cls(ProgramOptions(file)).but(**options)

    def but(self, **options: Any) -> Config:
        """This configuration with other values for options of any part. Raises as `of`."""
        if "property" in options:
            options["properties"] = (options.pop("property"),)
        changes: dict[str, dict[str, Any]] = {}
        for name, value in options.items():
            if name not in PART_OF:
                raise TypeError(f"there is no option {name}")
            part, kind = PART_OF[name], _TYPES[name]
            if not _fits(value, kind):
                raise TypeError(f"option {name} is of type {kind}, not {value!r}")
            changes.setdefault(part, {})[name] = value
        parts = {part: replace(getattr(self, part), **its) for part, its in changes.items()}
        return replace(self, **parts)


PART_OF: Mapping[str, str] = {
    option: part
    for part, options in get_type_hints(Config).items()
    for option in get_type_hints(options)
}
"""Every option -> the field of `Config` that holds it."""

_TYPES: Mapping[str, Any] = {
    option: kind
    for options in get_type_hints(Config).values()
    for option, kind in get_type_hints(options).items()
}


def _fits(value: object, kind: Any) -> bool:
    """Whether the value is of a type that an option has; a whole number is a `float`, too."""
    if value is None:
        return type(None) in get_args(kind)
    if type(None) in get_args(kind):
        kind = next(k for k in get_args(kind) if k is not type(None))
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return isinstance(value, tuple) and all(isinstance(v, item) for v in value)
    return isinstance(value, float | int if kind is float else kind)
