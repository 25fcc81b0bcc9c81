# ruff: noqa: E501 - a line of a program is a line here
"""The parts of random programs: a function per feature of C makes declarations and statements.

`n` is a prefix for the names of a part, so that parts can stand beside each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

INTEGERS = (
    "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned",
    "long", "unsigned long", "long long", "unsigned long long", "_Bool",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """Text outside of functions, and the body of a function."""

    outside: tuple[str, ...]
    inside: tuple[str, ...]


Random = random.Random
MakePart = Callable[[Random, str], Part]


def constant(r: Random) -> str:
    """An integer constant, of any base and suffix."""
    bits = r.choice((3, 7, 8, 15, 16, 31, 32, 33, 63, 64))
    value = min(r.choice((r.getrandbits(bits), (1 << bits) - 1, 1 << (bits - 1))), (1 << 64) - 1)
    suffix = r.choice(("", "", "u", "U", "l", "L", "ul", "LU", "ll", "LL", "ull", "LLu"))
    if value >> 63 and "u" not in suffix.lower():
        suffix = r.choice(("u", "ull"))
    form = r.choice("dxob")
    digits = {"d": str(value), "x": f"0x{value:X}", "o": f"0{value:o}", "b": f"0b{value:b}"}[form]
    return digits + suffix


def small(r: Random) -> int:
    return r.choice((0, 1, 2, 3, 5, 7, 8, 100, 127, 128, 200, 255, -1, -2, -7, -128))


def constants(r: Random, n: str) -> Part:
    """Types and values of integer constants, by the usual conversions."""
    lines = []
    for _ in range(6):
        a, b = constant(r), constant(r)
        op = r.choice(("<", "<=", "==", "!=", ">", ">=", "&", "|", "^"))
        test = r.choice((f"{a} {op} -1", f"-1 {op} {a}", f"{a} {op} {b}", f"~{a} {op} {b}"))
        lines += [
            f"  h({test}); h(sizeof({a})); h(sizeof({a} + {b}) * 8 + (({a}) > -1));",
            f"  h(({r.choice(INTEGERS)})({a})); h(({r.choice((a, '0'))} ? {a} : {b}) > -1);",
            f"#if {a} {op} {b}\n  h(1);\n#elif -1 < {a}\n  h(2);\n#else\n  h(3);\n#endif",
        ]
    return Part((), tuple(lines))


def characters(r: Random, n: str) -> Part:
    """Character constants and strings: escapes, concatenation, signedness, sizes."""
    escapes = ("\\0", "\\x7f", "\\xff", "\\377", "\\200", "\\n", "\\\\", "\\'", '\\"', "a", "Z",
               "\\x80", "\\a", "\\12", "\\?", "~")  # fmt: skip
    pick = [r.choice(escapes) for _ in range(6)]
    text = " ".join(f'"{r.choice(escapes)}{r.choice("ghz ")}"' for _ in range(3))
    a, b = r.sample("ABcd", 2)
    lines = [
        *(f"  h('{c}'); h('{c}' < 0); h(sizeof '{c}'); h((unsigned char)'{c}');" for c in pick),
        f'  const char *s = {text}; char t[] = {text}; char u[2] = "{a}{b}";',
        f"  h(sizeof({text})); h(sizeof t); h(s[1]); h({r.randrange(3)}[{text}]); h(u[0] + u[1]);",
        "  for (unsigned i = 0; i < sizeof t; i++) h(t[i] * 3 + (s[i] == t[i]));",
        "  hs(__func__);",
    ]
    return Part((), tuple(lines))


def conversions(r: Random, n: str) -> Part:
    """Variables of all types: promotions, compound assignment, steps, shifts, division."""
    outside, lines = [], []
    names = [f"{n}v{k}" for k in range(5)]
    types = [r.choice(INTEGERS) for _ in names]
    for name, type in zip(names, types, strict=True):
        outside.append(f"static {type} {name} = ({type}){constant(r)};")
    for _ in range(10):
        a, b = r.sample(names, 2)
        k = r.randrange(8)
        lines.append(
            r.choice((
                f"h({a} < {b}); h({a} == {b}); h(~{a} ^ {b}); h({a} & {b});",
                f"{a} |= {b}; h({a});", f"{a} ^= {b}; h({a});", f"{a} &= ~{b}; h({a});",
                f"{a} = {b} >> {k % 7}; h({a});", f"{a} >>= {k % 7}; h({a});",
                f"h({a} / {k + 1}); h({a} % {k + 1});",
                f"h((long long){a} / -{k + 2}); h((short){a} % -{k + 2});",
                f"h((unsigned){a} * (unsigned){b}); h((unsigned char){a} - (unsigned char){b});",
                f"h(-(unsigned char){a}); h(!{a}); h(!!{b}); h(+{a});",
                f"h(sizeof({a} + {b})); h(sizeof(+{a})); h(sizeof({a} << {b})); h(sizeof !{a});",
                f"h({a} ? {b} : (signed char)-1); h(({a}, {b})); h({a} && {b}); h({a} || {b});",
                f"h((signed char){a} >> {k}); h((unsigned char){a} << {k});",
                f"h((signed char){b} * (short)-{k}); h((short){b} / -{k + 1}); ",
                f"{{ unsigned char t = {a}; t += 200; h(t); h(t++); h(--t); t -= 201; h(t); }}",
                f"{{ signed char t = {a}; h(++t); h(t--); t <<= 0; t ^= -1; h(t); t /= 3; h(t); }}",
                f"{{ _Bool t = {a}; h(t); t += 1; h(t); t = {b} & 256; h(t); t ^= 1; h(t); h(t--); }}",
                f"{{ unsigned t = {a}; t *= {b} | 1; h(t); t -= 5; h(t < 0); h(t > -1); }}",
                f"{{ short t = {a}; unsigned short u = t; h(t == u); h(t * 1u > u); h(t - u); }}",
            ))
        )  # fmt: skip
    return Part(tuple(outside), tuple(f"  {line}" for line in lines))


def bit_fields(r: Random, n: str) -> Part:
    """Bit-fields of all types up to int and beyond: values that are stored and promoted."""
    members = []
    for k in range(r.randint(2, 7)):
        type = r.choice(("int", "unsigned", "signed char", "unsigned char", "short", "_Bool",
                         "unsigned short", "long long", "unsigned long long", "long"))  # fmt: skip
        most = {"signed char": 8, "unsigned char": 8, "short": 16, "unsigned short": 16, "_Bool": 1}
        width = r.randint(1, min(most.get(type, 31), 31))
        members.append((f"m{k}", type, width))
    body = []
    for name, type, width in members:
        body.append(f"{type} {name} : {width};")
        body += [f"{type} : {r.choice((0, width))};"] if r.random() < 0.2 else []
        body += [f"{r.choice(('char', 'short', 'int'))} x{name};"] if r.random() < 0.2 else []
    kind = "struct" if r.random() < 0.85 else "union"
    outside = [f"{kind} {n}S {{ {' '.join(body)} }};", f"static {kind} {n}S {n}g;"]
    if kind == "struct":
        name = r.choice(members)[0]
        outside.append(f"static struct {n}S {n}i = {{ .{name} = {small(r) & 127} }};")
    lines = [f"h(sizeof(struct {n}S));" if kind == "struct" else f"h(sizeof(union {n}S));"]
    lines.append(f"{kind} {n}S s = {n}g, *p = &s;")
    for _ in range(10):
        (a, type, _), (b, _, _) = r.choice(members), r.choice(members)
        lines.append(
            r.choice((
                f"h(s.{a} = {small(r)}); h(s.{a});", f"p->{a} += {small(r)} & 3; h(s.{a});",
                f"s.{a} ^= {constant(r)}; h(s.{a});", f"h(s.{a} - 3 < 0); h(p->{a} > -1);",
                f"h(s.{a}++); h(s.{a}); h(--p->{a});" if type != "_Bool" else f"h(s.{a} |= 1);",
                f"h(s.{a} < s.{b}); h(~s.{a}); h(s.{a} >> 1); h(!s.{a});",
                f"s.{a} = s.{b}; h(s.{a}); h(-(s.{a} & 15) < 0);", f"{n}g = s; h({n}g.{a});",
                f"h(({small(r)}, s.{b} = {constant(r)})); h(s.{a});", f"s.{a} |= s.{b}; h(s.{a});",
            ))
        )  # fmt: skip
    if kind == "struct":
        lines += [f"h({n}i.{name});" for name, _, _ in members]
    lines += [f"h(s.{name});" for name, _, _ in members]
    return Part(tuple(outside), tuple(f"  {line}" for line in lines))


def unions(r: Random, n: str) -> Part:
    """One member is written, others are read."""
    outside = [
        f"union {n}U {{ unsigned long long q; unsigned w[2]; short s[4]; unsigned char b[8];",
        "  struct { unsigned lo : 12, mid : 9, : 3; signed hi : 8; unsigned rest; } f;",
        "  struct { char c; short d; int e; } z; long long x; };",
        f"static union {n}U {n}g = {{ .b = {{ {r.randrange(256)}, [5] = {r.randrange(256)} }} }};",
    ]
    reads = ("u.q", "u.w[0]", "u.w[1]", "u.s[3]", "u.s[0]", "u.b[0]", "u.b[7]", "u.f.lo",
             "u.f.mid", "u.f.hi", "u.f.rest", "u.z.c", "u.z.d", "u.z.e", "u.x", "u.x < 0")  # fmt: skip
    lines = [f"union {n}U u = {n}g, *p = &u;"]
    for _ in range(8):
        write = r.choice(reads[:14])
        lines.append(f"{write} = {constant(r)}; h({r.choice(reads)}); h({r.choice(reads)});")
    lines += [
        f"p->b[{r.randrange(8)}] ^= 0x5a; h(p->q); {n}g = *p; h({n}g.x);",
        "memcpy(&u.w[1], &u.w[0], 4); h(u.q); memset(u.s + 1, 0x81, 4); h(u.q);",
        f"unsigned long long v = {constant(r)}; memcpy(&u, &v, sizeof v); h(u.z.e); h(u.f.mid);",
        f"h(((union {n}U){{ .s = {{1, -2, 3}} }}).q); h(sizeof u);",
    ]
    return Part(tuple(outside), tuple(f"  {line}" for line in lines))


def macros(r: Random, n: str) -> Part:
    """Function-like macros, strings of arguments, pasting, recursion, variable arguments."""
    outside = (
        f"#define {n}STR(x) #x\n#define {n}XSTR(x) {n}STR(x)",
        f"#define {n}CAT(a, b) a##b\n#define {n}XCAT(a, b) {n}CAT(a, b)",
        f"#define {n}f(x) ({n}g + f{n}(x))\n#define {n}g {n}f",
        f"#define {n}MAX(a, b) ((a) > (b) ? (a) : (b))",
        f"#define {n}V(f, ...) f(__VA_ARGS__)\n#define {n}N(...) {n}XSTR((__VA_ARGS__))",
        f"#define {n}O(a, ...) sizeof({n}N(a __VA_OPT__(,) __VA_ARGS__))",
        f"#define {n}E\n#define {n}LP (\n#define {n}one 1\n#define {n}one2 12",
        f"#define {n}Q(x, y...) {n}N(x y) #y {n}STR({n}E x)",
        f"#define {n}h(a) a {n}k\n#define {n}k(a) a",
        f"static int f{n}(int x) {{ return x * 2; }}\nstatic int {n}g = 4;",
    )
    args = ("a  b", '"s\\n"', "'\\\\'", f"{n}one", "x + y", "", f"{n}CAT(1, 2)", "(a, b)", "1e+2",
            "a /* c */ b", "@", "\\n", "-  - 1", "L'x'", '"\\"" "q"', "<a>", "% :")  # fmt: skip
    pick = [r.choice(args) for _ in range(5)]
    lines = [
        *(f"hs({n}STR({a})); hs({n}XSTR({a})); hs({n}N({a}, {a}));" for a in pick),
        f"h({n}CAT({n}one, 2)); h({n}XCAT({n}one, 2)); h({n}CAT(0x, 1f)); h({n}XCAT(1, {n}one));",
        f"h({n}f(3)); h({n}g); h({n}MAX({r.randrange(9)}, {n}MAX(2, {r.randrange(9)})));",
        f"h({n}V({n}MAX, 3, {r.randrange(9)})); h({n}O(a)); h({n}O(a, b)); hs({n}Q(a, b, c));",
        f"h(f{n} {n}LP 4)); hs({n}XSTR({n}f(2)(3))); h(__LINE__ - __LINE__);",
        f"h({n}CAT(,3)); h({n}CAT(4,)); hs({n}XSTR({n}h(1)(2)));",
        f"#undef {n}one\n#define {n}one {r.randrange(9)}\nh({n}one);",
        f"#if defined {n}one && !defined({n}none) && {n}one > {r.randrange(9)} - {n}none\nh(1);\n#endif",
    ]
    return Part(outside, tuple(lines))


def switches(r: Random, n: str) -> Part:
    """Fall through, ranges, default anywhere, Duff's device, switches in loops."""
    type = r.choice(("int", "unsigned char", "signed char", "long long", "unsigned", "short"))
    labels = r.sample(range(-3, 12), 5)
    body = []
    for k, label in enumerate(labels):
        body.append(f"case {label}: h({k});")
        body.append(r.choice(("break;", "", "", "continue;", "{ int y = x; h(y); }",
                              f"if (x & 1) {{ case {label + 100}: h(99); }}")))  # fmt: skip
        if r.random() < 0.3:
            body.append("default: h(77);") if not any("default" in b for b in body) else None
    count = r.randint(1, 19)
    lines = [
        f"for (int i = {min(labels) - 1}; i < {max(labels) + 2}; i++) {{ {type} x = i;",
        f"switch (x) {{ {' '.join(body)} }} h(1000 + i); }}",
        f"switch ({constant(r)}) {{ case 1 ... 3: h(1); break; case 0: h(0); default: h(5); }}",
        f"char from[20], to[20] = {{0}}, *a = to, *b = from; int count = {count};",
        "for (int i = 0; i < 20; i++) from[i] = i * 7;",
        "int rounds = (count + 3) / 4; switch (count % 4) {",
        "case 0: do { *a++ = *b++; case 3: *a++ = *b++; case 2: *a++ = *b++;",
        "case 1: *a++ = *b++; } while (--rounds > 0); }",
        "for (int i = 0; i < 20; i++) h(to[i]); h(a - to);",
        "switch (3) { int z; case 3: z = 5; h(z); }",
        f"switch (from[1]) case 7: h(7); switch ({r.randrange(3)}) while (0) case 1: h(11);",
    ]
    return Part((), tuple(f"  {line}" for line in lines))


def jumps(r: Random, n: str) -> Part:
    """goto into and out of blocks, over declarations, loops of goto."""
    limit = r.randint(2, 5)
    lines = [
        f"int i = 0, sum = {r.randrange(9)};",
        f"goto {r.choice(('in', 'loop', 'again'))};",
        "again: { int fresh = 3; fresh += i; h(fresh); loop: i++; sum += i; h(sum); }",
        "if (i > 100) { in: h(40); i += 2; sum ^= i; }",
        f"else {{ h(41); for (int j = 0; j < 3; j++) {{ if (j == {r.randrange(4)}) goto out; h(j); }} }}",
        "sum += 100;",
        f"out: if (i < {limit}) goto again; h(sum);",
        "{ int k = 0; top: k++; { if (k < 4) { h(k); goto top; } } h(k); }",
        f"do {{ if (sum & {r.choice((1, 2, 4))}) break; sum++; continue; }} while (sum & 3); h(sum);",
        f"for (i = 0; ; i++) {{ for (;;) {{ if (i == {limit}) goto end; break; }} h(i); }}",
        "end: ;",
    ]
    return Part((), tuple(f"  {line}" for line in lines))
