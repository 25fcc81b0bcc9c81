"""The options of one verification run, in one frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Config:
    """What the user asked for. `None` means "no limit" or "choose for me"."""

    # the program
    file: Path
    defines: tuple[str, ...] = ()  # NAME or NAME=VALUE
    include_dirs: tuple[Path, ...] = ()
    data_model: str = "ILP32"  # or LP64
    entry: str = "main"
    # the question
    property: str = "unreach-call"  # a key of abpress.properties.PROPERTIES
    signed_overflow: str = "end"  # end, wrap
    spurious_wakeups: str = "auto"  # auto: on except for no-deadlock; on; off
    malloc_may_fail: bool = False
    undefined_functions: str = "error"  # or havoc
    # bounds: reaching one withholds the verdict "true"
    max_threads: int = 64  # threads alive or finished in one execution
    recursion_bound: int = 10
    input_domain: int = 256  # an input with at most so many values is enumerated
    unroll: int | None = None  # how often a thread comes back to a place (engine stateless)
    # the search
    engine: str = "auto"
    por: str = "auto"  # auto: what the engine prefers
    labels: str = "predicates"  # or impact: what nodes of the tree know (engine abpress)
    awaits: bool = True  # loops that only wait are no steps (engine stateless)
    keep_going: bool = False  # beyond the first violation (engines stateless, explicit)
    order: str = "sequential"  # or random, or names of threads: who is tried first (both)
    paranoid: bool = False  # interpolants are checked, too
    encoding: str = "auto"  # of integers for the solver: auto, int, bv
    certificate: bool = False  # a verdict "true" comes with a certificate
    seed: int = 0
    time_limit: float | None = None  # seconds of wall time
    memory_limit: float | None = None  # MiB of resident memory
