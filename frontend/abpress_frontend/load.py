"""The frontend's front door: a C file becomes a program."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from abpress.errors import UnsupportedError
from abpress.ir.program import Overflow, Program
from abpress_frontend.lower.program import ProgramLowering, ProgramTooLarge
from abpress_frontend.lower.unit import LowerOptions
from abpress_frontend.parse import ParsedSource, SourceOptions, parse_file


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """How a file is read and lowered."""

    defines: tuple[str, ...] = ()
    include_dirs: tuple[Path, ...] = ()
    data_model: str = "ILP32"
    entry: str = "main"
    signed_overflow: str = "end"
    spurious_wakeups: bool = True
    malloc_may_fail: bool = False
    undefined_functions: str = "error"
    recursion_bound: int = 10


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program; the source texts that its positions name; what its meaning rests on."""

    program: Program
    sources: Mapping[str, str]
    digest: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


def load_program(path: Path, options: FrontendOptions) -> LoadedProgram:
    """Reads and lowers a C file.

    Raises InputError for what is not C, UnsupportedError for what is not supported, both with the
    position of the construct.
    """
    source = parse_file(
        path,
        SourceOptions(options.defines, options.include_dirs, options.data_model, options.entry),
    )
    lowering, program = _lowered(source, options)
    return LoadedProgram(
        program,
        source.sources,
        source.digest,
        tuple(lowering.unit.assumptions),
        (*source.warnings, *lowering.unit.warnings),
    )


def _lowered(source: ParsedSource, options: FrontendOptions) -> tuple[ProgramLowering, Program]:
    """The lowered program. Recursion that branches multiplies the code, so a program that becomes
    too large is lowered again with smaller bounds: reaching one is reported by the search."""
    bounds = [options.recursion_bound, *(b for b in (4, 2, 1) if b < options.recursion_bound)]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        for bound in bounds:
            lowering = ProgramLowering(
                source,
                LowerOptions(
                    options.data_model,
                    options.entry,
                    options.spurious_wakeups,
                    options.malloc_may_fail,
                    options.undefined_functions,
                    bound,
                ),
            )
            try:
                return lowering, lowering.lower(Overflow(options.signed_overflow))
            except ProgramTooLarge:
                if bound == bounds[-1] or not lowering.unit.recursion_cut:
                    raise
    except RecursionError:
        raise UnsupportedError("expressions or calls nested too deeply") from None
    finally:
        sys.setrecursionlimit(limit)
    raise AssertionError("unreachable")
