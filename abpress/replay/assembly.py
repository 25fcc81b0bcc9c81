"""The assembler text of a compiled program, with what the runtime has to know put into it.

Before each call stands a store of the number of its place, behind each variable a gap that nobody
may access, and at the end a table of the variables. All that needs nothing but what the compiler
writes into its text: `.loc` lines, and labels of objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path

OURS = "abp_"
"""How the names of the runtime's functions begin."""

ATOMIC = "__VERIFIER_atomic_"
"""How the names of functions begin that are one step."""

REACHED = ("reach_error", "__VERIFIER_error")
"""Functions whose call is an error, even where the program defines them."""

_CALL = re.compile(r"\s+call[ql]?\s+(\w+)(@PLT)?\s*$")
_PLACE = re.compile(r"\s+\.loc\s+(\d+)\s+(\d+)(?:\s+(\d+))?")
_FILE = re.compile(r'\s+\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
_LABEL = re.compile(r"^([A-Za-z_][\w.$]*):", re.MULTILINE)
_TYPE = re.compile(r"\s+\.type\s+([\w.$]+),\s*[@%](\w+)")
_SIZE = re.compile(r"\s+\.size\s+([\w.$]+),\s*(\d+)")
_COMMON = re.compile(r"\s+\.comm\s+([\w.$]+),\s*(\d+)")
_DATA = re.compile(
    r"\s+\.(zero|byte|value|short|word|long|quad|octa|string|ascii|asciz|float|double)\b"
)
_SECTION = re.compile(r'\s+\.section\s+([^,\s]+)(?:,\s*"(\w*)")?|\s+\.(?:text|data|bss)\b')
_OF_CONSTANTS = (".rodata", ".data.rel.ro")


@dataclass(frozen=True, slots=True)
class Site:
    """A call of a function: where in the source, and by which function."""

    file: str
    line: int
    column: int
    caller: str
    callee: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NO_SITE = Site("<unknown>", 0, 0, "", "")


@dataclass(slots=True)
class CodePlaces:
    """The calls and the variables of all files of a program, by their numbers. Mutable."""

    sites: list[Site] = field(default_factory=lambda: [NO_SITE])
    objects: list[str] = field(default_factory=lambda: [""])
    called: set[str] = field(default_factory=set)
    """Every function that is called, of the runtime or not."""
    constants: set[str] = field(default_factory=set)
    """The variables that never change: reads of them, by their names, are no stops."""


def prepared(text: str, folder: Path, places: CodePlaces, given: Set[str] = frozenset()) -> str:
    """The text of one file with stores and table; adds its sites and objects to the places.

    `folder` is where the compiler ran; `given` are functions that are called through `asking`.
    """
    return "\n".join((*_lines(text, folder, places, given), ""))


def asking(functions: Iterable[str]) -> str:
    """The text of a function for each of these, which does the same unless its result is given."""
    return "\n".join(_ASKING.replace("NAME", name) for name in functions)


_PASSED = ("rdi", "rsi", "rdx", "rcx", "r8", "r9", "rax")
"""The registers that pass arguments, and how many are in others, which are `xmm0` to `xmm7`."""

_ASKING = "\n".join(
    (
        *("\t.text", f"\t.globl\t{OURS}asking_NAME", f"{OURS}asking_NAME:"),
        *("\tpushq\t%rbp", "\tmovq\t%rsp, %rbp", "\tsubq\t$208, %rsp"),
        *(f"\tmovq\t%{name}, {8 * i}(%rsp)" for i, name in enumerate(_PASSED)),
        *(f"\tmovups\t%xmm{i}, {64 + 16 * i}(%rsp)" for i in range(8)),
        *("\tleaq\t192(%rsp), %rdi", f"\tcall\t{OURS}is_given", "\ttestl\t%eax, %eax"),
        *("\tjne\t1f",),
        *(f"\tmovq\t{8 * i}(%rsp), %{name}" for i, name in enumerate(_PASSED)),
        *(f"\tmovups\t{64 + 16 * i}(%rsp), %xmm{i}" for i in range(8)),
        *("\tleave", "\tjmp\tNAME", "1:", "\tmovq\t192(%rsp), %rax", "\tleave", "\tret", ""),
    )
)


_NOT_OURS = ("__tsan_", "__asan_", "__cyg_")
"""How names of the runtime begin that are not renamed: compilers say them."""

_GLOBAL = re.compile(r"^\s+\.globl\s+(\w+)", re.MULTILINE)
_TEXT = re.compile(r"\s+\.(string|ascii|asciz|file|loc)\b")


def is_of_clang(text: str) -> bool:
    """Whether clang has written a text."""
    return any("clang" in line for line in text.splitlines() if line.lstrip().startswith(".ident"))


def functions_of(text: str) -> tuple[str, ...]:
    """The functions of the runtime as its text names them, without those that compilers call."""
    labels = defined_in(text)
    names = (name for name in _GLOBAL.findall(text) if name in labels)
    return tuple(name for name in names if not name.startswith(_NOT_OURS))


def defined_in(text: str) -> frozenset[str]:
    """The labels in a text."""
    return frozenset(_LABEL.findall(text))


def renamed(text: str, names: Iterable[str]) -> str:
    """The text with these names as the runtime has them."""
    pattern = re.compile(rf"(?<![\w.$])({'|'.join(map(re.escape, names))})(?![\w.$])")
    return "\n".join(
        line if _TEXT.match(line) else pattern.sub(rf"{OURS}\1", line) for line in text.split("\n")
    )


def _lines(text: str, folder: Path, places: CodePlaces, given: Set[str]) -> Iterator[str]:
    files: dict[int, str] = {}
    types: dict[str, str] = {}
    sizes: dict[str, int] = {}
    apart: set[str] = set()  # variables that have a gap behind them
    local: set[str] = set()  # to threads
    at = ("<unknown>", 0, 0)
    function, variable, of_threads, constant = "", "", False, False
    for line in text.splitlines():
        if variable and not _DATA.match(line):
            apart.add(variable)
            variable = ""
            yield from (f"\t.zero\t{_GAP}", "\t.balign\t8")
        if call := _CALL.match(line):
            name = call[1]
            places.called.add(name)
            yield f"\tmovl\t${len(places.sites)}, abp_site(%rip)"
            places.sites.append(Site(*at, function, name))
            if function.startswith(ATOMIC):
                line = line.replace(name, _BOUNDS.get(name, name))
            if name in given:
                line = f"\tcall\t{OURS}asking_{name}"
            yield _CHECKED.sub(r"abp_\1", line)
            continue
        if common := _COMMON.match(line):
            name, bytes = common[1], int(common[2])
            types[name], sizes[name] = "object", bytes
            apart.add(name)
            line = line.replace(f",{bytes},", f",{bytes + _GAP},", 1)
        yield line
        if place := _PLACE.match(line):
            at = (files.get(int(place[1]), "<unknown>"), int(place[2]), int(place[3] or 0))
        elif label := _LABEL.match(line):
            name = label[1]
            if types.get(name) == "function":
                function = name
                if name in REACHED:
                    yield f"\tjmp\t{OURS}{name}"
            elif of_threads:
                local.add(name)
            elif types.get(name) == "object":
                variable = name
                if constant:
                    places.constants.add(name)
        elif file := _FILE.match(line):
            files[int(file[1])] = str(folder / file[2] / (file[3] or ""))
        elif kind := _TYPE.match(line):
            types[kind[1]] = kind[2]
        elif size := _SIZE.match(line):
            sizes[size[1]] = int(size[2])
        elif section := _SECTION.match(line):
            of_threads = "T" in (section[2] or "")
            constant = (section[1] or "").startswith(_OF_CONSTANTS)
    yield '\t.section\tabp_objects,"aw"'
    for name, bytes in sizes.items():
        if types.get(name) == "object" and name not in local:
            gap = _GAP if name in apart else 0
            yield f"\t.quad\t{name}, {bytes}, {len(places.objects)}, {gap}"
            places.objects.append(name)


_BOUNDS = {
    "__tsan_func_entry": "abp___VERIFIER_atomic_begin",
    "__tsan_func_exit": "abp___VERIFIER_atomic_end",
    "__cyg_profile_func_enter": "abp___VERIFIER_atomic_begin",
    "__cyg_profile_func_exit": "abp___VERIFIER_atomic_end",
}
"""What is called at the bounds of functions that are one step, instead of these."""

_CHECKED = re.compile(r"__asan_((?:load|store)(?:\d+|N))(?:_noabort)?")
"""What AddressSanitizer calls before accesses; ours does so, too."""

_GAP = 64
"""Bytes between variables."""
