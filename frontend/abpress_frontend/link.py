"""Several translation units become one: names that mean different things become different names.

It works on tokens, before they are pruned and parsed. A name without linkage or with internal
linkage (static functions and objects, typedefs, tags, enumerators: C11 6.2.2p3, p6) belongs to its
unit: where another unit has the same word for something else, it is renamed in all of its unit.
Types that units declare in the same words, as they do by a common header, are the same (6.2.7p1)
and are kept once. NOTE(linked-units) has the argument.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from abpress.errors import InputError, Position, UnsupportedError
from abpress_frontend.gnu import Cleaned
from abpress_frontend.prune import TAG_WORDS, Declaration, matching, split
from abpress_frontend.tokens import IDENT, Token

_OWN = ("static", "inline")
_NO_DEFINITION = frozenset({"static", "inline", "extern", "typedef"})


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """A file that is preprocessed and cleaned, with its external declarations; `word` tells its
    names from those of others."""

    cleaned: Cleaned
    declarations: list[Declaration]
    word: str

    def tokens(self, declaration: Declaration) -> list[Token]:
        """The tokens of a declaration."""
        return self.cleaned.tokens[declaration.start : declaration.end]


def linked(units: Sequence[TranslationUnit]) -> list[TranslationUnit]:
    """The units, so that a name of file level means one thing in all of them. A type that several
    declare is left in the first of them.

    Raises UnsupportedError where C leaves it open which of two functions is called.
    """
    if len(units) == 1:
        return list(units)
    open_calls = list(_open_calls(units))
    result = list(units)
    # When a type gets another name, what mentions it is declared in other words, and may be the
    # same as elsewhere no more. Each round renames something that no round renames again.
    while clashes := _clashes(result):
        result = [
            _renamed(its, clashes[i]) if i in clashes else its for i, its in enumerate(result)
        ]
    for its in open_calls:
        if its.is_value or its.inline.words(result) != its.external.words(result):
            raise UnsupportedError(
                f"{its.inline.name} has an inline definition here, which C may use or not"
                f" (6.7.4p7), and an external one in {its.external.position}",
                its.inline.position,
            )
    return _once(result)


def require_one_definition(
    units: Sequence[TranslationUnit], kept: Sequence[Sequence[Declaration]]
) -> None:
    """Raises InputError for a function or object with external linkage that several units define
    (C11 6.9p5), among the declarations of each that are kept."""
    if len(units) == 1:
        return
    first: dict[str, Position] = {}
    for unit, declarations in zip(units, kept, strict=True):
        here: dict[str, Position] = {}
        own = _own_names(unit).values
        for d in declarations:
            here |= {name: at for name, at in _defined(unit, own, d) if name not in here}
        for name, at in here.items():
            if name in first:
                raise InputError(f"{name} is defined in {first[name]}, too", at)
            first[name] = at


def _defined(
    unit: TranslationUnit, own: Collection[str], d: Declaration
) -> Iterator[tuple[str, Position]]:
    """The functions and objects with external linkage (those that are not the unit's `own`) that a
    declaration defines, if only tentatively."""
    tokens = unit.tokens(d)
    if not _NO_DEFINITION.isdisjoint(_specifiers(tokens)) or tokens[0].file.startswith("<"):
        return
    outside = _outside_of_braces(tokens)
    for name in d.names:
        if name in own or name not in outside:
            continue
        i = outside[name]
        before, after = tokens[i - 1].text if i else "", tokens[i + 1].text
        declares = after == "(" or (before == "(" and after == ")")
        if d.is_function or not declares:
            yield name, tokens[i].position


# -- functions that C may take for others ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Definition:
    """A definition of a function, in a declaration of a unit, both by their numbers."""

    name: str
    position: Position
    unit: int
    declaration: int

    def words(self, units: Sequence[TranslationUnit]) -> list[str]:
        """What it says but for its own name, and whether it is inline."""
        unit = units[self.unit]
        own = (self.name, _own_word(self.name, unit))
        words = _text(unit.tokens(unit.declarations[self.declaration]))
        return ["" if word in own else word for word in words if word not in ("extern", "inline")]


@dataclass(frozen=True, slots=True)
class _OpenCall:
    """A function that a unit with an inline definition of it uses, and another one defines;
    `is_value`: the unit uses it other than by calls."""

    inline: _Definition
    external: _Definition
    is_value: bool


def _open_calls(units: Sequence[TranslationUnit]) -> Iterator[_OpenCall]:
    inline: list[_Definition] = []
    external: dict[str, _Definition] = {}
    for i, unit in enumerate(units):
        own, static = _own_names(unit).values, _static(unit)
        for k, d in enumerate(unit.declarations):
            if d.is_function and d.names and not static.intersection(d.names):
                tokens = unit.tokens(d)
                its = _Definition(d.names[0], tokens[0].position, i, k)
                if its.name in own:
                    inline.append(its)
                else:
                    external[its.name] = its
    for its in inline:
        followers = list(_followers(units[its.unit], its.name))
        if its.name in external and followers:
            yield _OpenCall(its, external[its.name], any(word != "(" for word in followers))


def _followers(unit: TranslationUnit, name: str) -> Iterator[str]:
    """The word behind each use of a function in what does not declare it."""
    for d in unit.declarations:
        if name not in d.names:
            tokens = unit.tokens(d)
            for i, kind in _kinds(tokens):
                if kind == "name" and tokens[i].text == name:
                    yield tokens[i + 1].text


# -- whose names are whose -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    """Names by what they are: `values` are functions and objects, `types` typedefs and
    enumerators."""

    values: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)


def _own_names(unit: TranslationUnit) -> _Names:
    """The names of file level that belong to the unit."""
    own = _Names()
    external: set[str] = set()
    for d in unit.declarations:
        tokens = unit.tokens(d)
        if tokens[0].file.startswith("<"):
            continue
        own.tags.update(d.tags)
        words = _specifiers(tokens)
        outside = _outside_of_braces(tokens)
        own.types.update(name for name in d.names if "typedef" in words or name not in outside)
        if "extern" in words:
            external.update(d.names)
        elif "static" in words or ("inline" in words and d.is_function):
            own.values.update(name for name in d.names if name in outside)
        elif "inline" not in words and not d.is_function:  # then its definition is external
            functions = (n for n in d.names if n in outside and tokens[outside[n] + 1].text == "(")
            external.update(functions)
    own.values.difference_update(own.types, external - _static(unit))
    return own


def _static(unit: TranslationUnit) -> set[str]:
    """The names that a declaration of the unit says `static` of."""
    declared = (d for d in unit.declarations if "static" in _specifiers(unit.tokens(d)))
    return {name for d in declared for name in d.names}


def _clashes(units: Sequence[TranslationUnit]) -> dict[int, _Names]:
    """Unit -> its own names that another unit has the words of, and not for the same type."""
    own = [_own_names(unit) for unit in units]
    meanings = [_meanings(unit) for unit in units]
    words = [_mentioned(unit) for unit in units]
    found: dict[int, _Names] = {}
    for i, names in enumerate(own):
        others = [j for j in range(len(units)) if j != i]

        def clashes(key: str, word: str, i: int = i, others: list[int] = others) -> bool:
            its = meanings[i].get(key)
            return any(word in words[j] and meanings[j].get(key) != its for j in others)

        clash = _Names(
            {name for name in names.values if any(name in words[j] for j in others)},
            {name for name in names.types if clashes(name, name) or clashes(name, f".{name}")},
            {name for name in names.tags if clashes(f"struct {name}", f"struct {name}")},
        )
        if clash.values or clash.types or clash.tags:
            found[i] = clash
    return found


def _meanings(unit: TranslationUnit) -> dict[str, tuple[object, ...]]:
    """What names of types, and tags with a word before, are declared as: in which words, or by a
    declaration that belongs to this unit alone. Who mentions a tag says nothing of what it is."""
    found: dict[str, tuple[object, ...]] = {}
    for d in unit.declarations:
        tokens = unit.tokens(d)
        if len(tokens) == 3 and tokens[0].text in TAG_WORDS:
            continue  # struct s;
        text: object = _text(tokens) if _declares_types(tokens) else (unit.word, d.start)
        for key in (*d.names, *(f"struct {tag}" for tag in _defined_tags(tokens))):
            found[key] = (*found.get(key, ()), text)
    return found


def _defined_tags(tokens: Sequence[Token]) -> Iterator[str]:
    """The tags of which there is a body, or an enumeration's type."""
    for before, tag, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before.text in TAG_WORDS and tag.kind == IDENT and after.text in ("{", ":"):
            yield tag.text


def _declares_types(tokens: list[Token]) -> bool:
    """Whether a declaration declares types only (or is one of our headers)."""
    words = _specifiers(tokens)
    only_tag = not TAG_WORDS.isdisjoint(words) and tokens[-2].text == "}"
    asserts = tokens[0].text == "_Static_assert"
    return "typedef" in words or only_tag or asserts or tokens[0].file.startswith("<")


def _text(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in tokens)


def _specifiers(tokens: list[Token]) -> set[str]:
    """The words before the first bracket of a declaration, and between it and the next one."""
    words: set[str] = set()
    i = 0
    while i < len(tokens) and tokens[i].text not in ("(", "=", ","):
        if tokens[i].text == "{":
            i = matching(tokens, i, len(tokens))
        words.add(tokens[i].text)
        i += 1
    return words


def _outside_of_braces(tokens: list[Token]) -> dict[str, int]:
    """The words of a declaration outside of its braces, each with its first place."""
    found: dict[str, int] = {}
    i = 0
    while i < len(tokens):
        if tokens[i].text == "{":
            i = matching(tokens, i, len(tokens))
        elif tokens[i].kind == IDENT:
            found.setdefault(tokens[i].text, i)
        i += 1
    return found


# -- words ---------------------------------------------------------------------------------------


def _kinds(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """The places of identifiers with what they may be: a tag, a name of anything else, or a member
    (or, of offsetof, some word there), which may be a type, but is no function or object."""
    bodies: list[bool] = []  # of the brackets that are open: are there members in them?
    offsets = 0  # the number of brackets of an offsetof that are open
    for i, token in enumerate(tokens):
        text = token.text
        before = tokens[i - 1].text if i else ""
        if text in ("(", "[", "{"):
            declares = bool(bodies) and bodies[-1] and text == "("  # a member that is a pointer
            bodies.append(declares or (text == "{" and _opens_members(tokens, i)))
            offsets += bool(offsets) or before == "__builtin_offsetof"
        elif text in (")", "]", "}") and bodies:
            bodies.pop()
            offsets -= bool(offsets)
        elif token.kind == IDENT:
            if before in TAG_WORDS:
                yield i, "tag"
            elif before in (".", "->") or offsets or (bodies and bodies[-1]):
                yield i, "member"
            else:
                yield i, "name"


def _opens_members(tokens: Sequence[Token], brace: int) -> bool:
    """Whether a brace begins the members of a struct or union."""
    i = brace - 1
    while i >= 0 and tokens[i].text not in (";", "{", "}", "=", ","):
        if tokens[i].text in ("struct", "union"):
            return not any(t.text == ")" for t in tokens[i:brace])
        i -= 1
    return False


def _mentioned(unit: TranslationUnit) -> set[str]:
    """All words of the unit, tags with `struct` and members with a dot before them."""
    tokens = unit.cleaned.tokens
    return {_PREFIX[kind] + tokens[i].text for i, kind in _kinds(tokens)}


_PREFIX = {"tag": "struct ", "member": ".", "name": ""}


def _renamed(unit: TranslationUnit, names: _Names) -> TranslationUnit:
    """The unit with other words for these names."""
    tokens = list(unit.cleaned.tokens)
    for i, kind in _kinds(tokens):
        text = tokens[i].text
        renames = (
            text in names.tags
            if kind == "tag"
            else text in names.types or (kind == "name" and text in names.values)
        )
        if renames:
            tokens[i] = replace(tokens[i], text=_own_word(text, unit))
    cleaned = replace(unit.cleaned, tokens=tokens)
    return TranslationUnit(cleaned, split(cleaned), unit.word)


def _own_word(name: str, unit: TranslationUnit) -> str:
    """What a name of the unit becomes that others have for something else."""
    return f"{name}${unit.word}"


def _once(units: Sequence[TranslationUnit]) -> list[TranslationUnit]:
    """The units without the declarations of types that one before has, too."""
    known: set[tuple[str, ...]] = set()
    result = []
    for unit in units:
        own: list[Declaration] = []
        here: set[tuple[str, ...]] = set()
        for d in unit.declarations:
            tokens = unit.tokens(d)
            text = _text(tokens)
            if not (_declares_types(tokens) and text in known):
                own.append(d)
            here.add(text)
        known |= here
        result.append(replace(unit, declarations=own))
    return result
