"""Random definitions of types with attributes and pragmas, and what to ask of their layout."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

_PLAIN = (
    ("_Bool", 1), ("char", 8), ("signed char", 8), ("unsigned short", 16), ("short", 16),
    ("int", 32), ("unsigned", 32), ("long", 32), ("unsigned long", 32), ("long long", 64),
    ("unsigned long long", 64),
)  # fmt: skip
"""Integer types and the widest bit-field of each in both data models."""
_OTHERS = ("double", "float", "long double", "void *", "char *", "int (*)(void)", "_Atomic int")


@dataclass(slots=True)
class LayoutQuestions:
    """Definitions as C text, constant expressions about them, and objects to compare by bytes.

    Mutable while it is made. `objects` are names of initialised variables, most of whose bits are
    those of one bit-field.
    """

    lines: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The definitions."""
        return "".join(f"{line}\n" for line in self.lines)


def random_layouts(seed: int, prefix: str) -> LayoutQuestions:
    """A few random types; all names begin with `prefix`."""
    return _Maker(Random(seed), prefix).make()


class _Maker:
    """Makes one text; mutable."""

    def __init__(self, random: Random, prefix: str) -> None:
        self.random = random
        self.prefix = prefix
        self.count = 0
        self.out = LayoutQuestions()
        self.types: list[str] = []  # complete, to be used as members
        self.depth = 0

    def make(self) -> LayoutQuestions:
        for _ in range(self.random.randint(2, 5)):
            if self._chance(0.3):
                self.out.lines.append(self._pragma())
            self.random.choice(
                (self._typedef, self._record, self._record, self._record, self._enum)
            )()
        self.out.lines.append("#pragma pack()")
        return self.out

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _fresh(self, kind: str) -> str:
        self.count += 1
        return f"{self.prefix}{kind}{self.count}"

    def _pragma(self) -> str:
        n = self.random.choice(("1", "2", "4", "8", "16", "0x2", "04", "2u"))
        return "#pragma pack" + self.random.choice((f"({n})", f"(push, {n})", "(push)", "()"))

    def _aligned(self) -> str:
        n = self.random.choice((1, 2, 4, 8, 16, 32, "sizeof(int)", "1 << 3", ""))
        spelling = self.random.choice(("aligned", "__aligned__"))
        return f"__attribute__(({spelling}{f'({n})' if n else ''}))"

    def _attributes(self, probability: float) -> str:
        parts = []
        if self._chance(probability):
            parts.append(self._aligned())
        if self._chance(probability):
            parts.append("__attribute__((packed))")
        self.random.shuffle(parts)
        return " ".join(parts)

    def _basic(self) -> str:
        if self._chance(0.3):
            return self.random.choice(_OTHERS)
        return self.random.choice(_PLAIN)[0]

    def _ask(self, type: str) -> None:
        self.out.values += [f"sizeof({type})", f"_Alignof({type})", f"__alignof__({type})"]

    def _typedef(self) -> None:
        name = self._fresh("T")
        base = self.random.choice([*self.types, self._basic(), self._basic()])
        if "(*)" in base:
            base = "int"
        form = self.random.randrange(3)
        attribute = self._aligned()
        if form == 0:
            line = f"typedef {base} {name} {attribute};"
        elif form == 1:
            line = f"typedef {base} {attribute} {name};"
        else:
            line = f"{attribute} typedef {base} {name};"
        self.out.lines.append(line)
        self.types.append(name)
        self._ask(name)

    def _enum(self) -> None:
        name = self._fresh("E")
        last = self.random.choice((1, 127, 128, 255, 256, 40000, 2147483647, "0x80000000u"))
        first = self.random.choice(("", "= -1", "= 1")) if last != "0x80000000u" else ""
        body = f"{{ {name}a {first}, {name}b = {last} }}"
        before, after = self._enum_attributes(), self._enum_attributes()
        self.out.lines.append(f"enum {before} {name} {body} {after};")
        self.types.append(f"enum {name}")
        self._ask(f"enum {name}")

    def _enum_attributes(self) -> str:
        if self._chance(0.03):
            return self._aligned()
        return "__attribute__((packed))" if self._chance(0.3) else ""

    def _record(self) -> None:
        name = self._fresh("S")
        keyword = self.random.choice(("struct", "struct", "struct", "union"))
        members: list[tuple[str, bool]] = []
        body = self._body(members)
        before = self._attributes(0.15)
        after = self._attributes(0.15)
        type = f"{keyword} {name}"
        if self._chance(0.2):
            outside = self._attributes(0.4)
            self.out.lines.append(
                f"typedef {keyword} {before} {{ {body} }} {after} {name} {outside};"
            )
            type = name
        else:
            self.out.lines.append(f"{keyword} {before} {name} {{ {body} }} {after};")
        self.types.append(type)
        self._ask(type)
        for member, is_bits in members:
            if is_bits:
                variable = self._fresh("b")
                self.out.lines.append(f"{type} {variable} = {{ .{member} = -1 }};")
                self.out.objects.append(variable)
            else:
                self.out.values.append(f"__builtin_offsetof({type}, {member})")
                if self._chance(0.2):
                    self.out.values.append(f"__alignof__((({type} *)0)->{member})")

    def _body(self, members: list[tuple[str, bool]]) -> str:
        return " ".join(self._member(members) for _ in range(self.random.randint(1, 6)))

    def _member(self, members: list[tuple[str, bool]]) -> str:
        choice = self.random.random()
        if choice < 0.35:
            return self._bit_field(members)
        name = self._fresh("m")
        if choice < 0.43 and self.depth < 2:
            self.depth += 1
            keyword = self.random.choice(("struct", "union"))
            body = self._body(members)
            before, after = self._attributes(0.1), self._attributes(0.1)
            line = f"{keyword} {before} {{ {body} }} {after};"
            self.depth -= 1
            return line
        base = self._basic()
        if self.types and self._chance(0.3):
            base = self.random.choice(self.types)
        members.append((name, False))
        if "(*)" in base:
            return f"int (*{name})(void) {self._attributes(0.2)};"
        attribute = self._attributes(0.2)
        match self.random.randrange(6):
            case 0:
                return f"{attribute} {base} {name};"
            case 1:
                return f"{base} {attribute} {name};"
            case 2 if base not in self.types:
                return f"{base} {name}[{self.random.randint(1, 3)}] {attribute};"
            case 3 if "*" not in base:
                other = self._fresh("m")
                members.append((other, False))
                return f"{base} {name} {attribute}, {other} {self._attributes(0.2)};"
            case 4 if base not in self.types:
                wanted = self.random.choice(("16", "32", "long double", "0"))
                return f"_Alignas({wanted}) {base} {name};"
            case _:
                return f"{base} {name} {attribute};"

    def _bit_field(self, members: list[tuple[str, bool]]) -> str:
        type, most = self.random.choice(_PLAIN)
        kind = self.random.random()
        if kind < 0.12:
            return f"{type} : 0;"
        width = self.random.randint(1, most)
        if kind < 0.22:
            return f"{type} : {width};"
        name = self._fresh("f")
        members.append((name, True))
        return f"{type} {name} : {width} {self._attributes(0.12)};"
