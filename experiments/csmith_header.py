"""A header for programs of Csmith: its safe arithmetic, and a checksum that is cheap to compute.

Csmith calls functions like `safe_add_func_int8_t_s_s`: the operation where it is defined, the
first operand where it is not.
"""

from __future__ import annotations

import re

_SHIFT_COUNTS = ("s", "u")

_BEGIN = """
#include <stdint.h>
int printf(const char *, ...);
int strcmp(const char *, const char *);
static uint64_t checksum;
static uint32_t crc32_context;
#define transparent_crc(value, name, flag) \\
  (checksum = checksum * 31 + (uint64_t)(value))
#define transparent_crc_bytes(pointer, count, name, flag) \\
  checksum_of_bytes((const unsigned char *)(pointer), count)
#define crc32_gentab()
#define platform_main_begin()
#define platform_main_end(value, flag) \\
  (printf("%llu\\n", (unsigned long long)checksum))
static inline void checksum_of_bytes(const unsigned char *bytes, int count) {
  for (int i = 0; i < count; i++) checksum = checksum * 31 + bytes[i];
}
"""


def header(program: str) -> str:
    """The text of `csmith.h`, as far as the program needs it."""
    functions = {
        name: text
        for bits in (8, 16, 32, 64)
        for signed in (True, False)
        for name, text in _functions(bits, signed).items()
    }
    used = set(re.findall(r"\bsafe_\w+", program))
    return _BEGIN + "".join(text for name, text in functions.items() if name in used)


def _functions(bits: int, signed: bool) -> dict[str, str]:
    type = f"{'' if signed else 'u'}int{bits}_t"
    s = "s" if signed else "u"
    low, high = f"INT{bits}_MIN", f"INT{bits}_MAX"
    found: dict[str, str] = {}

    def define(name: str, parameters: str, undefined: str, result: str) -> None:
        test = f"{undefined} ? a : " if undefined else ""
        found[name] = f"static inline {type} {name}({parameters}) {{ return {test}{result}; }}\n"

    two = f"{type} a, {type} b"
    defined = {
        "add": f"((b > 0 && a > {high} - b) || (b < 0 && a < {low} - b))",
        "sub": f"((b < 0 && a > {high} + b) || (b > 0 && a < {low} + b))",
        "mul": (
            f"((a > 0 && b > 0 && a > {high} / b) || (a > 0 && b <= 0 && b < {low} / a)"
            f" || (a <= 0 && b > 0 && a < {low} / b) || (a < 0 && b < 0 && b < {high} / a))"
        ),
    }
    for operation, sign in (("add", "+"), ("sub", "-"), ("mul", "*")):
        narrow = "" if signed else "1u * "
        undefined = defined[operation] if signed else ""
        define(f"safe_{operation}_func_{type}_{s}_{s}", two, undefined, f"{narrow}a {sign} b")
    for operation, sign in (("div", "/"), ("mod", "%")):
        undefined = f"(b == 0 || (a == {low} && b == -1))" if signed else "(b == 0)"
        define(f"safe_{operation}_func_{type}_{s}_{s}", two, undefined, f"a {sign} b")
    minus = f"(a == {low})" if signed else ""
    define(f"safe_unary_minus_func_{type}_{s}", f"{type} a", minus, "-a")
    for count in _SHIFT_COUNTS:
        b = "int b" if count == "s" else "unsigned b"
        outside = f"{'b < 0 || ' if count == 's' else ''}b >= {max(bits, 32)}"
        negative = "a < 0 || " if signed else ""
        lost = f" || a > ({high} >> b)" if signed else ""
        define(f"safe_rshift_func_{type}_{s}_{count}", f"{type} a, {b}",
               f"({negative}{outside})", "a >> b")  # fmt: skip
        define(f"safe_lshift_func_{type}_{s}_{count}", f"{type} a, {b}",
               f"({negative}{outside}{lost})", "a << b")  # fmt: skip
    return found
