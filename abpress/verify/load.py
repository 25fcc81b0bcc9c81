"""Loads a file: it becomes the program that the engines run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from abpress.analysis.literals import compared_literals
from abpress.analysis.past_ends import compared_ends
from abpress.analysis.stale import stale_pointers
from abpress.config import Config
from abpress.errors import InputError, Position
from abpress.interpreter import without_cycle_collection
from abpress.ir.check import IllFormed, check
from abpress.ir.passes.exits import without_exits
from abpress.ir.passes.pipeline import simplify, without_memory
from abpress.ir.program import Program, allocates, edges
from abpress.properties import PROPERTIES, Variant
from abpress.verify.closed import has_wide_input
from abpress_frontend.load import load_program, read_program
from abpress_frontend.parse import ParsedSource

TEXTUAL = ".abp"
"""How the names of files with the textual form of a program end."""


_FEW_VALUES = 256
"""Where no input has more, states can be enumerated as they are: the lean program is the whole."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A program, the source texts that its positions name, and what its meaning rests on. A `lean`
    one is not the whole one."""

    program: Program
    sources: Mapping[str, str]
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    lean: bool = False


def load(
    config: Config, simplified: bool = True, every_access: bool = False, lean: bool = False
) -> Loaded:
    """The program of `config.program.file`: textual IR (`.abp`), or C for any other name.

    It is the variant that the properties of `config.question` are asked of. With `every_access` it
    is simplified, but keeps the accesses that nothing observes; for `lean` see `Programs.of`.

    Raises InputError and UnsupportedError.
    """
    programs = Programs(config, every_access)
    names = config.question.properties
    return programs.of(names, lean=lean) if simplified else programs.lowered(names)


class Programs:
    """The program of a configuration, in the variants that properties are asked of. Mutable: the
    file is read once, and each variant made once."""

    def __init__(self, config: Config, every_access: bool = False) -> None:
        self._config = config
        self._every_access = every_access
        self._source: ParsedSource | None = None
        self._lowered: dict[Variant, Loaded] = {}
        self._simplified: list[tuple[Loaded, Variant, Loaded]] = []
        self._smaller: dict[int, tuple[Program, Program]] = {}

    def variant(self, names: Sequence[str]) -> Variant:
        """The variant that shows what these properties look at, as far as the options leave it
        open."""
        variant = Variant.join(PROPERTIES[name].variant for name in names)
        wakeups = self._config.program.spurious_wakeups
        if wakeups != "auto":
            variant = replace(variant, spurious_wakeups=wakeups)
        if variant.lifetimes:
            plain = replace(variant, lifetimes=False)
            variant = replace(variant, lifetimes=allocates(self._plain(plain).program))
        return variant

    def together(self, a: str, b: str) -> bool:
        """Whether two properties may be asked of one program: where overflow wraps around, it is
        no error for others."""
        wraps = self._config.program.signed_overflow == "wrap"
        return (
            not wraps
            or PROPERTIES[a].variant.signed_overflow == PROPERTIES[b].variant.signed_overflow
        )

    @without_cycle_collection()
    def of(self, names: Sequence[str], *, lean: bool = False) -> Loaded:
        """The simplified program of which these properties are asked. A `lean` one has the same
        errors and less in its memory, where inputs have many values and properties look at nothing
        else: it is for proofs, and the whole one for whatever is shown. Raises as `load`."""
        loaded, variant = self._whole(names), self.variant(names)
        program = loaded.program
        every_access = variant.every_access or self._every_access
        if not lean or variant.exits or variant.lifetimes or every_access:
            return loaded
        if not any(has_wide_input(t, _FEW_VALUES) for t in program.templates.values()):
            return loaded
        if id(program) not in self._smaller:
            self._smaller[id(program)] = program, without_memory(program)
        _, smaller = self._smaller[id(program)]
        if smaller == program:
            return loaded
        its = _assumptions(self.lowered(names), smaller, variant)
        return replace(loaded, program=smaller, assumptions=its, lean=True)

    def _whole(self, names: Sequence[str]) -> Loaded:
        variant = self.variant(names)
        lowered = self.lowered(names)
        for before, its, loaded in self._simplified:
            alike = replace(
                its,
                spurious_wakeups=variant.spurious_wakeups,
                misuse=variant.misuse,
                reads_text=variant.reads_text,
            )
            as_much = alike == variant
            if as_much and before.program == lowered.program:
                return replace(loaded, assumptions=_assumptions(lowered, loaded.program, variant))
        every_access = variant.every_access or self._every_access
        plain = lowered.program if variant.exits or every_access else without_exits(lowered.program)
        program = simplify(plain, every_access, variant.lifetimes)
        loaded = replace(
            lowered, program=program, assumptions=_assumptions(lowered, program, variant)
        )
        self._simplified.append((lowered, variant, loaded))
        return loaded

    @without_cycle_collection()
    def lowered(self, names: Sequence[str]) -> Loaded:
        """The program as lowered. Raises as `load`."""
        return self._plain(replace(self.variant(names), exits=True))

    def _plain(self, variant: Variant) -> Loaded:
        if variant not in self._lowered:
            text = self._config.program.file.suffix == TEXTUAL
            self._lowered[variant] = self._text(variant) if text else self._c(variant)
        return self._lowered[variant]

    def source(self) -> ParsedSource:
        """The file in C, as it was read. Raises as `load`."""
        if self._source is None:
            self._source = read_program(self._config.program)
        return self._source

    def _text(self, variant: Variant) -> Loaded:
        loaded = _load_text(self._config)
        if variant.signed_overflow is None:
            return loaded
        program = replace(loaded.program, signed_overflow=variant.signed_overflow)
        return replace(loaded, program=program)

    def _c(self, variant: Variant) -> Loaded:
        given, overflow = self._config.program, variant.signed_overflow
        options = replace(
            given,
            signed_overflow=given.signed_overflow if overflow is None else overflow.value,
            spurious_wakeups=variant.spurious_wakeups,
            every_access=variant.every_access,
            misuse=variant.misuse,
            reads_text=variant.reads_text,
        )
        bound = self._config.bounds.recursion_bound
        its = load_program(options, bound, variant.lifetimes, self.source())
        return Loaded(its.program, its.sources, its.assumptions, its.warnings)


_JOINABLE = "__abp_joinable"
"""The object of the models that is there where threads are detached."""

_NO_LAST_POINTER = "no last pointer to allocated memory in what a detached thread returns"


def _assumptions(lowered: Loaded, program: Program, variant: Variant) -> tuple[str, ...]:
    """What the meaning of the simplified program rests on."""
    stale = (
        f"no use of a pointer to {name} of an earlier round ({position.described})"
        for name, position in stale_pointers(program)
    )
    ends = [
        f"no object begins where another one ends that it is compared with ({position.described})"
        for position in compared_ends(program)
    ]
    literals = [
        f"no string literal is the end of one that it is compared with ({position.described})"
        for position in compared_literals(program)
    ]
    results = [_NO_LAST_POINTER] if variant.lifetimes and _JOINABLE in program.objects else []
    return tuple(dict.fromkeys((*lowered.assumptions, *stale, *ends, *literals, *results)))


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
