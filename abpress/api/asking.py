"""Questions of users of the package: from sources and options to a `Config`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from abpress.config import COMPETITION, MACHINE, Compilation, Config
from abpress.errors import InputError
from abpress.properties import by_file, question_of

File = str | os.PathLike[str]

Source = File | Sequence[File]
"""A program: the path of its file, or the paths of its files; or its text in C, which is a `str`
with a line break or a brace."""

TEXT = "source.c"
"""The name that positions have for a program that was given as text."""


class RunOptions(TypedDict, total=False):
    """The options of a run, by the names that the command has for them (`--help-all` says more).

    Times are in seconds, memory is in MiB. What is left out is as of the command, but for
    `memory_limit`, which is none.
    """

    # the program
    defines: Sequence[str]  # NAME or NAME=VALUE; !NAME takes one back
    include_dirs: Sequence[File]
    included: Sequence[File]  # files that are read before it
    data_model: str  # ILP32 or LP64
    entry: str
    arguments: Sequence[str] | None  # of main, without the first
    argument_bounds: tuple[int, int] | None  # if any: how many, and of what length
    undefined_functions: str  # error, havoc
    error_function: str  # any, or the only one whose call is an error
    signed_overflow: str  # end, wrap
    spurious_wakeups: str  # auto, on, chosen, off
    spurious_failures: str  # on, off
    malloc_may_fail: bool
    creation_may_fail: bool
    # bounds and limits
    max_threads: int | None
    recursion_bound: int
    input_domain: int
    time_limit: float | None
    memory_limit: float | None
    # the search
    engine: str
    por: str
    workers: int
    seed: int
    # the answer
    certificate: bool  # engines without certificates stay out


def is_text(source: Source) -> bool:
    """Whether it is a program itself, not where it is found."""
    return isinstance(source, str) and not {"\n", "{"}.isdisjoint(source)


def paths_of(source: Source) -> list[Path]:
    """The files of a program that is not given as text. Raises InputError if there is none."""
    files = [source] if isinstance(source, str | os.PathLike) else source
    if not files:
        raise InputError("there is no file")
    return [Path(file) for file in files]


def config_for(
    source: Source, properties: str | Iterable[str] | None, options: Mapping[str, Any]
) -> Config:
    """The configuration that asks for these properties (as `--property` has them; None: a question
    that needs none) of a program, with `RunOptions`.

    Raises InputError, UnsupportedError, and TypeError for an option that there is not, or a value
    of another type.
    """
    unknown = sorted(set(options) - set(RunOptions.__annotations__))
    if unknown:
        raise TypeError(f"there is no option {unknown[0]}")
    given = {name: _value(name, value) for name, value in options.items()}
    if is_text(source):
        given |= {"file": Path(TEXT), "text": source}
    else:
        first, *others = paths_of(source)
        told = (given.get(name, ()) for name in ("defines", "include_dirs", "included"))
        own = tuple(told)
        given |= {"file": first, "others": tuple(Compilation(file, *own) for file in others)}
    asked = [properties] if isinstance(properties, str) else properties
    return asked_config(given, None if asked is None else list(asked))


def asked_config(given: Mapping[str, Any], asked: Sequence[str] | None) -> Config:
    """The configuration with these options, of which `file` is one, and with the question that the
    texts ask (None: as it is).

    The data model is that of the competition where a property file asks. Raises as `question_of`,
    and TypeError.
    """
    options = dict(given)
    if asked is not None:
        question = question_of(asked)
        options["properties"] = question.properties
        if question.error_function is not None:
            options["error_function"] = question.error_function
    if options.get("data_model") is None:
        options["data_model"] = COMPETITION if by_file(asked or ()) else MACHINE
    return Config.of(**options)


def _value(name: str, value: Any) -> Any:
    if name in ("include_dirs", "included"):
        return tuple(map(Path, value))
    if name in ("defines", "arguments") and value is not None:
        if isinstance(value, str):
            raise TypeError(f"option {name} is a sequence of texts, not {value!r}")
        return tuple(value)
    return value
