"""Files of assertions: many tests in one file, a line for each, as chibicc has them.

Such a file includes "test.h", which defines `ASSERT`, and is linked with functions of the file
"common" beside it; the three become one text. A piece of it is an assertion or a definition. Pieces
that compilers do not accept, or we refuse, are left out one by one. A few assertions are judged
together, and in halves if that does not go well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from experiments.observed import Answer

_INCLUDED = re.compile(r'^#include "test\.h"\n', re.M)
_HEADER = re.compile(r"^#include <(stdio|stdlib)\.h>$", re.M)  # test.h declares its functions
_ASSERTION = re.compile(r"\s+ASSERT\(.*\);\s*")
_DEFINITION, _ENDS = re.compile(r"[A-Za-z_]"), re.compile(r"\S.*;\s*|}.*|[A-Za-z_].*}\s*")

_TOGETHER = 8

Judge = Callable[[str], Answer]
"""What is said of a text; `Answer.lines` are those to blame, if it is accepted by nobody."""


def with_assertions(file: Path, text: str) -> str | None:
    """The text with what it includes and is linked with; None if the file is of another kind."""
    header, common = file.with_name("test.h"), file.with_name("common")
    if not (_INCLUDED.search(text) and header.exists() and common.exists()):
        return None
    declared = header.read_text().replace("#y", '""')  # the text of an assertion is not printed
    linked = common.read_text().replace("exit(1);", ";")  # all are looked at
    return _HEADER.sub("", _INCLUDED.sub(lambda _: declared, text) + linked)


def each_assertion(text: str, judge: Judge) -> Iterator[Answer]:
    """An answer for each assertion; those that are left out are "refused" or "not judged"."""
    lines = text.splitlines()
    pieces = _pieces(lines)
    every = [n for n in pieces if _ASSERTION.fullmatch(lines[n])]
    todo = [frozenset(every[at : at + _TOGETHER]) for at in range(0, len(every), _TOGETHER)]
    left_out: frozenset[int] = frozenset()  # definitions
    while todo:
        asked = todo.pop()
        kept = [
            "" if n in left_out or (_ASSERTION.fullmatch(line) and n not in asked) else line
            for n, line in enumerate(lines)
        ]
        its = judge("\n".join(kept) + "\n")
        if its.kind == "right":
            yield from [its] * len(asked)
            continue
        blamed = {pieces[n - 1] for n in its.lines if n - 1 in pieces}
        assertions = {n for piece in blamed for n in piece} & asked
        others = {n for piece in blamed for n in piece} - asked - left_out
        yield from [its] * len(assertions)
        if assertions or others:
            left_out |= others
            todo.append(asked - assertions)
        elif len(asked) > 1:
            order = sorted(asked)
            half = len(order) // 2
            todo += [frozenset(order[half:]), frozenset(order[:half])]
        elif asked:
            yield its


def _pieces(lines: list[str]) -> dict[int, range]:
    """Line -> the lines of the assertion or definition that it belongs to."""
    found: dict[int, range] = {}
    begin = None
    for n, line in enumerate(lines):
        if _ASSERTION.fullmatch(line) or line.startswith("#"):
            found[n] = range(n, n + 1)
        elif begin is None and _DEFINITION.match(line):
            begin = n
        if begin is not None and _ENDS.fullmatch(line):
            if not any(_ASSERTION.fullmatch(one) for one in lines[begin:n]):
                found.update(dict.fromkeys(range(begin, n + 1), range(begin, n + 1)))
            begin = None
    return found
