"""The frontend's front door: a C file becomes a program."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from abpress.config import Bounds, ProgramOptions
from abpress.errors import UnsupportedError
from abpress.ir.program import Overflow, Program, allocates
from abpress_frontend.assumed import assumptions
from abpress_frontend.library import LIBRARY
from abpress_frontend.lower.features import SHOWS_ADDRESSES
from abpress_frontend.lower.program import ProgramLowering, ProgramTooLarge
from abpress_frontend.lower.thread_ids import NeedsFeature
from abpress_frontend.parse import ParsedSource, parse_file
from abpress_frontend.source_files import naming_headers


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program; the source texts that its positions name; what its meaning rests on."""

    program: Program
    sources: Mapping[str, str]
    digest: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


def read_program(options: ProgramOptions, line_markers: bool = True) -> ParsedSource:
    """The files in C, parsed, with what they need of the library left to the library.

    Raises as `parse_file`.
    """
    return parse_file(options, line_markers, LIBRARY.keys())


def load_program(
    options: ProgramOptions,
    recursion_bound: int = Bounds().recursion_bound,
    lifetimes: bool = False,
    source: ParsedSource | None = None,
) -> LoadedProgram:
    """Reads and lowers a C file, or lowers what was read from it with options that differ in what
    C leaves open at most. Spurious wake-ups are left out if they are `off`.

    With `lifetimes`, local variables that hold pointers are objects that live as long as C says, if
    the program allocates; else those are registers whose address is not taken, which live as long
    as they are read.

    Raises InputError for what is not C, UnsupportedError for what is not supported, both with the
    position of the construct.
    """
    source = source or read_program(options)
    with naming_headers(source.left_out):
        lowering, program = _lowered(source, options, recursion_bound, False)
        if lifetimes and allocates(program):
            lowering, program = _lowered(source, options, recursion_bound, True)
    return LoadedProgram(
        program,
        source.sources,
        source.digest,
        (
            *lowering.unit.assumptions,
            *assumptions(frozenset(lowering.unit.library_calls) | _in_models(lowering), options),
        ),
        (*source.warnings, *lowering.unit.warnings),
    )


def _in_models(lowering: ProgramLowering) -> frozenset[str]:
    """What the models do for this program that needs an assumption."""
    unit = lowering.unit
    shows = unit.features[SHOWS_ADDRESSES] and "vsnprintf" in unit.models
    return frozenset({SHOWS_ADDRESSES} if shows else ())


def _lowered(
    source: ParsedSource, options: ProgramOptions, recursion_bound: int, lifetimes: bool
) -> tuple[ProgramLowering, Program]:
    """The lowered program. Recursion that branches multiplies the code, so a program that becomes
    too large is lowered again with smaller bounds: reaching one is reported by the search. What the
    models must do is known before in most cases only; else the program is lowered again, too."""
    bounds = [recursion_bound, *(b for b in (4, 2, 1) if b < recursion_bound)]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        needed: set[str] = set()
        while bounds:
            lowering = ProgramLowering(source, options, bounds[0], needed, lifetimes)
            try:
                return lowering, lowering.lower(Overflow(options.signed_overflow))
            except NeedsFeature as missing:
                needed.add(missing.feature)
            except ProgramTooLarge:
                if len(bounds) == 1 or not lowering.unit.recursion_cut:
                    raise
                del bounds[0]
    except RecursionError:
        raise UnsupportedError("expressions or calls nested too deeply") from None
    finally:
        sys.setrecursionlimit(limit)
    raise AssertionError("unreachable")
