"""The preprocessor: directives, inclusion and conditionals, in process and on tokens.

Own work rather than a library because columns must survive macro expansion, a failure must be an
exception with a position, and our own headers should be read and tokenised only once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path

from abpress.errors import InputError, printable
from abpress_frontend import has_words
from abpress_frontend.condition import evaluate
from abpress_frontend.lines import Lines
from abpress_frontend.macros import Expander, Macro, dynamic_macros, parse_define
from abpress_frontend.predefined import predefined
from abpress_frontend.source_files import OWN_HEADERS, SourceFile, is_file, own_header, read_file
from abpress_frontend.tokens import BAD, IDENT, NUMBER, PRAGMA, STRING, Token, spelling, tokenise

MAX_INCLUDE_DEPTH = 100
_LONGEST_WARNING = 500


@dataclass(slots=True)
class _Group:
    """One open `#if`: `live` while its current branch is read, `taken` once one was."""

    directive: Token
    outer: bool
    live: bool
    taken: bool
    has_else: bool = False


@lru_cache(maxsize=8)
def _predefined_macros(data_model: str) -> dict[str, Macro]:
    macros = dynamic_macros()
    for line in predefined(data_model):
        if line:
            macro = parse_define(
                tokenise(line, "<predefined>", own=True), Token(IDENT, "", 0, 0, "")
            )
            macros[macro.name] = macro
    return macros


@dataclass(slots=True)
class Preprocessor:
    """Preprocesses one translation unit; afterwards `sources`, `warnings` and the headers that were
    `left_out` are filled."""

    include_dirs: tuple[Path, ...]
    data_model: str
    line_markers: bool = True
    sources: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    _macros: dict[str, Macro] = field(default_factory=dict)
    _saved: dict[str, list[Macro | None]] = field(default_factory=dict)
    _without: set[str] = field(default_factory=set)
    _once: set[str] = field(default_factory=set)
    _files: dict[str, SourceFile] = field(default_factory=dict)

    def define(self, definition: str) -> None:
        """A command line definition: `NAME`, `NAME=VALUE` or `NAME(x)=VALUE`; `!NAME` takes one
        back, or one that is there before the first line."""
        if definition.startswith("!"):
            self._macros.pop(definition[1:], None)
            self._without.add(definition[1:])
            return
        name, equals, value = definition.partition("=")
        tokens = tokenise(f"{name} {value if equals else '1'}", "<command line>")
        nowhere = Token(IDENT, "", 1, 1, "<command line>")
        macro = parse_define(tokens, nowhere)
        self._macros[macro.name] = macro
        self._without.discard(macro.name)

    def run(self, tokens: list[Token], path: Path, included: Iterable[Path] = ()) -> list[Token]:
        """The tokens of the file at `path` after preprocessing, as if each of the other files were
        included before its first line."""
        self._macros = _predefined_macros(self.data_model) | self._macros
        for name in self._without:
            self._macros.pop(name, None)
        expander = Expander(self._macros)
        read = [self._read(tokens, path.parent, 0, expander)]
        before = "".join(f'#include "{file}"\n' for file in included)
        if before:
            directives = tokenise(before, "<command line>")
            read.insert(0, self._read(directives, Path(), 0, expander))
        return list(expander.expand(chain.from_iterable(read)))

    def strip_directives(self, tokens: list[Token]) -> list[Token]:
        """The tokens of preprocessed text: pragmas are all that can be left in it."""
        return list(self._read(tokens, Path(), 0, None))

    def _read(
        self, tokens: list[Token], directory: Path, depth: int, expander: Expander | None
    ) -> Iterator[Token]:
        """The tokens of a file with its directives obeyed, not yet expanded."""
        groups: list[_Group] = []
        live = True
        lines = Lines()
        i, end = 0, len(tokens)
        while i < end:
            token = tokens[i]
            if not token.first or token.text != "#":
                if live:
                    yield lines.of(token)
                i += 1
                continue
            stop = i + 1
            while stop < end and not tokens[stop].first:
                stop += 1
            line = [lines.of(t) for t in tokens[i + 1 : stop]]
            i = stop
            if not line:
                continue
            word, rest = line[0].text, line[1:]
            if word == "line" or line[0].kind == NUMBER:
                if live and self.line_markers and expander is not None:
                    given = line if word != "line" else list(expander.expand(rest))
                    lines = lines.after(token, given)
            elif word in _CONDITIONALS:
                live = self._conditional(word, line[0], rest, groups, expander)
            elif live:
                yield from self._directive(line[0], rest, directory, depth, expander)
        if groups:
            opened = groups[-1].directive
            raise InputError(f"#{opened.text} without #endif", opened.position)

    def _conditional(
        self,
        word: str,
        directive: Token,
        rest: list[Token],
        groups: list[_Group],
        expander: Expander | None,
    ) -> bool:
        """Obey a conditional directive; whether the text after it is read."""
        if word in ("if", "ifdef", "ifndef"):
            outer = groups[-1].live if groups else True
            holds = outer and self._holds(word, directive, rest, expander)
            groups.append(_Group(directive, outer, holds, holds))
            return holds
        if not groups:
            raise InputError(f"#{word} without #if", directive.position)
        group = groups[-1]
        if word == "endif":
            groups.pop()
            return group.outer
        if group.has_else:
            raise InputError(f"#{word} after #else", directive.position)
        if word == "else":
            group.has_else = True
            group.live = group.outer and not group.taken
        else:
            group.live = (
                group.outer
                and not group.taken
                and self._holds(word.removeprefix("el"), directive, rest, expander)
            )
            group.taken = group.taken or group.live
        return group.live

    def _holds(
        self, word: str, directive: Token, rest: list[Token], expander: Expander | None
    ) -> bool:
        if word in ("ifdef", "ifndef"):
            if not rest or rest[0].kind != IDENT:
                raise InputError(f"#{directive.text} needs a macro name", directive.position)
            return self._is_defined(rest[0].text) == (word == "ifdef")
        assert expander is not None
        tokens = list(expander.expand(rest, condition=True))
        return evaluate(self._resolve_defined(tokens), directive)

    def _is_defined(self, name: str) -> bool:
        return name in self._macros or name in _TESTS

    def _resolve_defined(self, tokens: list[Token]) -> list[Token]:
        """Replace `defined X`, `__has_include(X)` and their like by numbers."""
        out: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            i += 1
            if token.text != "defined" and token.text not in _TESTS:
                out.append(token)
                continue
            closed = i < len(tokens) and tokens[i].text == "("
            i += closed
            stop = i
            while stop < len(tokens) and closed and tokens[stop].text != ")":
                stop += 1
            stop = stop if closed else min(i + 1, len(tokens))
            inner = tokens[i:stop]
            i = stop + closed
            if not inner or i > len(tokens):
                raise InputError(f"malformed {token.text}", token.position)
            if token.text == "defined":
                holds: int = len(inner) == 1 and self._is_defined(inner[0].text)
            elif token.text in has_words.WORDS:
                words = [word.text for word in inner]
                holds = has_words.answer(token.text, words, token.position)
            else:
                name, angled = _header_name(inner, token)
                directory, beyond = Path(token.file).parent, token.text.endswith("_next")
                holds = self._find(name, angled, directory, beyond) is not None
            out.append(Token(NUMBER, str(int(holds)), token.line, token.column, token.file, True))
        return out

    def _directive(
        self,
        directive: Token,
        rest: list[Token],
        directory: Path,
        depth: int,
        expander: Expander | None,
    ) -> Iterator[Token]:
        """Obey a directive other than a conditional; what it leaves in the text."""
        match directive.text:
            case "define":
                macro = parse_define(rest, directive)
                self._macros[macro.name] = macro
            case "undef":
                if not rest or rest[0].kind != IDENT:
                    raise InputError("#undef needs a macro name", directive.position)
                self._macros.pop(rest[0].text, None)
            case "include" | "include_next" | "import" if expander is not None:
                yield from self._include(directive, rest, directory, depth, expander)
            case "error":
                raise InputError(f"#error {spelling(rest)}".rstrip(), directive.position)
            case "warning":
                self._warn(directive, f"#warning {spelling(rest)}")
            case "pragma":
                yield from self._pragma(directive, rest)
            case "ident" | "sccs":
                pass
            case _:
                raise InputError(
                    f"invalid preprocessing directive #{directive.text}", directive.position
                )

    def _pragma(self, directive: Token, rest: list[Token]) -> Iterator[Token]:
        """Obeys a pragma of the preprocessor; others are left in the text."""
        word = rest[0].text if rest else ""
        if word == "once":
            self._once.add(directive.file)
        elif word in ("push_macro", "pop_macro"):
            if [t.text for t in rest[1:2] + rest[3:]] != ["(", ")"] or rest[2].kind != STRING:
                raise InputError(f"malformed #pragma {word}", directive.position)
            name = rest[2].text[1:-1]
            saved = self._saved.setdefault(name, [])
            if word == "push_macro":
                saved.append(self._macros.get(name))
            elif saved:
                macro = saved.pop()
                if macro is None:
                    self._macros.pop(name, None)
                else:
                    self._macros[name] = macro
        else:
            at = directive
            yield Token(PRAGMA, spelling(rest), at.line, at.column, at.file, True, True)

    def _warn(self, at: Token, message: str) -> None:
        self.warnings.append(printable(f"{at.position}: {message}")[:_LONGEST_WARNING])

    def _include(
        self,
        directive: Token,
        rest: list[Token],
        directory: Path,
        depth: int,
        expander: Expander,
    ) -> Iterator[Token]:
        if rest and rest[0].kind != STRING and rest[0].text != "<":
            rest = list(expander.expand(rest))
        name, angled = _header_name(rest, directive)
        if depth >= MAX_INCLUDE_DEPTH:
            raise InputError(
                f"#include nested too deeply (limit {MAX_INCLUDE_DEPTH})", directive.position
            )
        found = self._find(name, angled, directory, directive.text == "include_next")
        if found is None:
            if not angled:
                raise InputError(f'#include "{name[:200]}": no such file', directive.position)
            self.left_out.append(f"<{name[:200]}>")
            self._warn(directive, f"#include <{name[:200]}>: no such header, left out")
            return
        shown, file, inner_directory = found
        if shown in self._once or (file.guard is not None and file.guard in self._macros):
            return
        self.sources[shown] = file.text
        yield from self._read(file.tokens, inner_directory, depth + 1, expander)

    def _find(
        self, name: str, angled: bool, directory: Path, beyond: bool = False
    ) -> tuple[str, SourceFile, Path] | None:
        """The file that an `#include` in a directory means, or an `#include_next`, which looks
        `beyond` the place where that directory is: its name in positions, itself, its directory."""
        places = self.include_dirs if angled or beyond else (directory, *self.include_dirs)
        paths = [Path(os.path.normpath(place / name)) for place in places]
        if beyond:
            here = next((k for k, path in enumerate(paths) if path.parent == directory), -1)
            paths = paths[here + 1 :]
        for path in paths:
            if is_file(path):
                return str(path), self._file(path), path.parent
        own = own_header(os.path.normpath(name))
        return None if own is None else (f"<{name}>", own, OWN_HEADERS)

    def _file(self, path: Path) -> SourceFile:
        shown = str(path)
        file = self._files.get(shown)
        if file is None:
            file = self._files[shown] = read_file(path)
        return file


_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})
_TESTS = frozenset({"__has_include", "__has_include_next", *has_words.WORDS})
_PASSIVE = frozenset({"pragma", "ident", "sccs"})


def is_preprocessed(tokens: list[Token], text: str, suffix: str) -> bool:
    """Whether the text needs no preprocessing: no directives, and line markers or suffix `.i`."""
    for i, token in enumerate(tokens):
        if (
            token.first
            and token.text == "#"
            and i + 1 < len(tokens)
            and tokens[i + 1].text not in _PASSIVE
        ):
            return False
    return suffix == ".i" or text.startswith(("# 1 ", "# 0 ")) or '\n# 1 "' in text


def check_characters(tokens: list[Token]) -> None:
    """Raise InputError for the first token that is none."""
    for token in tokens:
        if token.kind == BAD:
            if token.text == '"':
                what = "unterminated string literal"
            elif token.text == "'":
                what = "unterminated character constant"
            elif "\udc80" <= token.text <= "\udcff":
                what = f"byte 0x{ord(token.text) - 0xDC00:02x} is not UTF-8"
            else:
                what = f"invalid character {token.text!r}"
            raise InputError(what, token.position)


def _header_name(tokens: list[Token], at: Token) -> tuple[str, bool]:
    """The name of a header and whether it stands in angle brackets."""
    if tokens and tokens[0].kind == STRING and tokens[0].text[0] == '"':
        return tokens[0].text[1:-1], False
    if len(tokens) >= 3 and tokens[0].text == "<" and tokens[-1].text == ">":
        return spelling(tokens[1:-1]), True
    raise InputError(f'#{at.text} expects "FILE" or <FILE>', at.position)
