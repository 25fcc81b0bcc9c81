"""Loads a file: it becomes the program that the engines run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.analysis.stale import stale_pointers
from abpress.config import Config
from abpress.errors import InputError, Position
from abpress.ir.check import IllFormed, check
from abpress.ir.passes.pipeline import simplify
from abpress.ir.program import Program, edges
from abpress.properties import PROPERTIES
from abpress_frontend.load import load_program


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program, the source texts that its positions name, and what its meaning rests on."""

    program: Program
    sources: Mapping[str, str]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def load(config: Config, simplified: bool = True, every_access: bool = False) -> Loaded:
    """The program of `config.program.file`: textual IR (`.abp`), or C for any other name.

    With `every_access` it is simplified, but keeps the accesses that nothing observes.

    Raises InputError and UnsupportedError.
    """
    lifetimes = PROPERTIES[config.question.property].lifetimes
    text = config.program.file.suffix == ".abp"
    loaded = _load_text(config) if text else _load_c(config, lifetimes)
    overflow = PROPERTIES[config.question.property].signed_overflow
    if overflow is not None:
        program = replace(loaded.program, signed_overflow=overflow)
        loaded = replace(loaded, program=program)
    if not simplified:
        return loaded
    program = simplify(loaded.program, every_access, lifetimes)
    stale = (
        f"no use of a pointer to {name} of an earlier round ({position.described})"
        for name, position in stale_pointers(program)
    )
    assumptions = tuple(dict.fromkeys((*loaded.assumptions, *stale)))
    return replace(loaded, program=program, assumptions=assumptions)


def spurious_wakeups(config: Config) -> str:
    """How waiting on a condition variable may end without a signal: `on`, `chosen` or `off`.

    `auto` leaves that to the property.
    """
    if config.program.spurious_wakeups == "auto":
        return PROPERTIES[config.question.property].spurious_wakeups
    return config.program.spurious_wakeups


def _load_c(config: Config, lifetimes: bool = False) -> Loaded:
    overflow = PROPERTIES[config.question.property].signed_overflow
    options = replace(
        config.program,
        signed_overflow=config.program.signed_overflow if overflow is None else overflow.value,
        spurious_wakeups=spurious_wakeups(config),
        every_access=PROPERTIES[config.question.property].every_access,
    )
    loaded = load_program(options, config.bounds.recursion_bound, lifetimes)
    return Loaded(loaded.program, loaded.sources, loaded.assumptions, loaded.warnings)


def _load_text(config: Config) -> Loaded:
    from abpress.ir.reader import parse_program  # with the parser generator, which takes time

    name = str(config.program.file)
    try:
        text = config.program.file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", Position(name, 1, 1)) from error
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8 text", Position(name, 1, 1)) from error
    program = parse_program(text, name)
    try:
        check(program)
    except IllFormed as error:
        raise InputError(
            f"the program is not well-formed: {error}", Position(name, 1, 1)
        ) from error
    return Loaded(program, dict(_named_sources(program)))


def _named_sources(program: Program) -> Iterator[tuple[str, str]]:
    """The C files that a program names, as far as they are still there."""
    positions = (edge.position for t in program.templates.values() for _, edge in edges(t))
    for name in dict.fromkeys(p.file for at in positions for p in (at, *at.stack)):
        with suppress(OSError):
            yield name, Path(name).read_text(encoding="utf-8", errors="replace")
