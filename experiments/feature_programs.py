"""Random programs of features of C, without undefined behaviour; compilers say what they compute.

A program is a row of parts. A part adds what it computes to a hash, `h(value)`, and prints nothing.
Neither the order of evaluation nor padding shows.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from experiments import feature_objects as objects
from experiments import feature_parts as features
from experiments.feature_parts import MakePart

PARTS: tuple[MakePart, ...] = (
    features.constants, features.characters, features.conversions, features.bit_fields,
   features.unions,
    features.macros, features.switches, features.jumps, objects.arrays, objects.pointers,
    objects.structs, objects.initialisers, objects.functions, objects.library,
)  # fmt: skip
"""All kinds of parts."""

_BEGIN = """
#include <stddef.h>
#include <limits.h>
#include <string.h>
#include <stdlib.h>
int printf(const char *, ...);
static unsigned long long hash;
static void h(unsigned long long value) { hash = hash * 1000003 + value; }
static void hs(const char *s) { while (*s) h(*s++); h(0); }
"""


@dataclass(slots=True)
class _Text:
    """The text so far. Mutable."""

    lines: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)


def feature_program(seed: int, parts: int = 4, kinds: tuple[MakePart, ...] = PARTS) -> str:
    """The text of a program with some parts, each drawn among the kinds."""
    drawn = random.Random(seed)
    text = _Text()
    for k in range(parts):
        part = drawn.choice(kinds)(drawn, f"p{k}")
        text.lines += [*part.outside, f"static void part{k}(void) {{", *part.inside, "}"]
        text.calls.append(f"  part{k}();")
    end = [
        "int main(void) {",
        *text.calls,
        '  printf("%llu\\n", hash);',
        "  return hash & 63;",
        "}",
    ]
    return "\n".join((_BEGIN.strip(), *text.lines, *end, ""))
