"""The words that a compiler is given: what they mean for us, and which of them cannot matter."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abpress.config import Compilation
from abpress.errors import InputError, Position

_STANDARDS = {
    ("c89", "c90", "iso9899:1990", "gnu89", "gnu90"): "!__STDC_VERSION__",
    ("iso9899:199409",): "__STDC_VERSION__=199409L",
    ("c99", "c9x", "iso9899:1999", "gnu99", "gnu9x"): "__STDC_VERSION__=199901L",
    ("c11", "c1x", "iso9899:2011", "gnu11", "gnu1x"): "__STDC_VERSION__=201112L",
    ("c17", "c18", "iso9899:2017", "iso9899:2018", "gnu17", "gnu18"): "__STDC_VERSION__=201710L",
    ("c23", "c2x", "gnu23", "gnu2x"): "__STDC_VERSION__=202311L",
}
"""Names of a standard -> how its version is defined."""

_WITH_VALUE = frozenset(
    {"-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-arch", "-u"}
)
"""Words of no meaning for us, whose value follows."""

_MATTER = {
    "-funsigned-char": "char is signed",
    "-fshort-enums": "enumerations have the size of int",
    "-fshort-wchar": "wchar_t has 32 bits",
    "-fpack-struct": "structs are not packed",
    "-fopenmp": "OpenMP is not supported",
    "-fgnu89-inline": "inline is that of C99",
    "-mx32": "pointers and long have the same size",
    "-imacros": "say -include",
}
"""Words that would change what the program means -> why they are refused."""

_OF_NO_MEANING = re.compile(
    r"-(W.*|w|O.*|g.*|f.*|m.*|l.*|L.*|M.*|E|S|c|s|v|ansi|pthread|pthreads|pipe|pedantic.*|static.*"
    r"|shared.*|rdynamic|no-pie|pie|nostd.*|nodefaultlibs|p|pg|P|C|undef|save-temps.*|rtlib.*"
    r"|Qunused-arguments|fuse-ld.*|-param.*|-sysroot.*)"
)

_FOLDERS = ("-isystem", "-iquote", "-idirafter")


def options_of(arguments: Sequence[str]) -> list[str]:
    """The arguments with options of ours in the place of those that only compilers have.

    Raises InputError for what would change the meaning of the program and is not supported.
    """
    return [word for words in _translated(arguments) for word in words]


def _translated(arguments: Sequence[str]) -> Iterator[tuple[str, ...]]:
    rest = iter(arguments)
    for word in rest:
        refused = next((why for w, why in _MATTER.items() if re.match(rf"{w}(=|$)", word)), None)
        joined = next((w for w in _FOLDERS if word.startswith(w)), None)
        if refused is not None:
            raise InputError(f"{word} is not supported: {refused}")
        if word in _WITH_VALUE:
            next(rest, None)
        elif word == "-include":
            yield ("--include-file", next(rest, ""))
        elif joined is not None:
            yield ("-I", word.removeprefix(joined) or next(rest, ""))
        elif word in ("-m32", "-m64"):
            yield ("--data-model", "ILP32" if word == "-m32" else "LP64")
        elif word == "-fwrapv":
            yield ("--signed-overflow", "wrap")
        elif word == "-ansi" or word.startswith("-std="):
            yield ("-D", _version(word))
        elif word.startswith("--") or not _OF_NO_MEANING.fullmatch(word):
            yield (word,)


def _version(word: str) -> str:
    name = "c90" if word == "-ansi" else word.removeprefix("-std=")
    version = next((v for names, v in _STANDARDS.items() if name in names), None)
    if version is None:
        raise InputError(f"{word} is not supported: it is no standard of C that is known")
    return version


# -- compile_commands.json -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CompileCommand:
    """How one file is compiled: the file, the folder where that is done, the compiler's words."""

    file: Path
    folder: Path
    words: tuple[str, ...]

    def placed(self, path: Path) -> Path:
        """A path that is relative to the folder, seen from here."""
        whole = os.path.normpath(self.folder / path)
        here = os.path.relpath(whole)
        return Path(whole if here.startswith("..") else here)

    def compilation(self, options: Any) -> Compilation:
        """What is compiled, by the options that the words mean."""
        return Compilation(
            self.placed(self.file),
            tuple(options.defines),
            tuple(self.placed(folder) for folder in options.include_dirs),
            tuple(self.placed(file) for file in options.included),
        )


def commands_of(path: Path) -> list[CompileCommand]:
    """The commands of a file compile_commands.json that compile C, one for each file.

    Raises InputError.
    """
    where = Position(str(path), 1, 1)
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        commands = [_command(entry, path.parent) for entry in entries]
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror}", where) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"not a list of compile commands: {error!r}", where) from error
    found = {its.placed(its.file): its for its in commands if its.file.suffix in (".c", ".i")}
    if not found:
        raise InputError("no command compiles C", where)
    return list(found.values())


def _command(entry: Any, beside: Path) -> CompileCommand:
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    file = entry["file"]
    folder = beside / entry["directory"]
    return CompileCommand(Path(file), folder, tuple(word for word in words[1:] if word != file))
