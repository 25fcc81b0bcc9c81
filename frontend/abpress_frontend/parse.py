"""Parses a C file: the result is a syntax tree with exact positions.

The pipeline: bytes, tokens, preprocessing, cleaning, pruning, pycparser.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from pathlib import Path

from pycparser import c_ast
from pycparser.c_lexer import Token as ParserToken
from pycparser.c_parser import ParseError

from abpress.config import MACHINE, Compilation, ProgramOptions
from abpress.errors import AbPressError, InputError, Position, UnsupportedError, printable
from abpress.interpreter import without_cycle_collection
from abpress_frontend.assembler_names import check_labels
from abpress_frontend.attribute_words import PROMISES
from abpress_frontend.clean import clean
from abpress_frontend.computed_gotos import rewrite_computed_gotos
from abpress_frontend.constructors import run_by_themselves, runners
from abpress_frontend.cplusplus import refuse_cplusplus
from abpress_frontend.gnu import (
    COMPUTED_GOTO,
    GNU_INLINE,
    LABEL_ADDRESS,
    LAYOUT_WORDS,
    NORETURN,
    WEAK,
    Attribute,
    Cleaned,
)
from abpress_frontend.insertions import insert, names_in
from abpress_frontend.lexer import KEYWORDS, TokenLexer, classify
from abpress_frontend.link import TranslationUnit, linked, require_one_definition
from abpress_frontend.markers import has_markers, shown_files
from abpress_frontend.parser import GnuParser
from abpress_frontend.predefined import DATA_MODELS
from abpress_frontend.preprocess import (
    Preprocessor,
    check_characters,
    is_preprocessed,
)
from abpress_frontend.prune import Declaration, is_type_of_declarator, reachable, split
from abpress_frontend.source_files import decode, naming_headers, read_bytes, shown_name
from abpress_frontend.tokens import IDENT, Token, tokenise, without_digraphs
from abpress_frontend.tree import check_depth, deep_recursion, rewrite_elvis

BUILTIN_TYPES = (
    "__builtin_va_list",
    "__abp_set_t",
    "__abp_user_t",
    "__abp_users_t",
    "__abp_spin_t",
    "__int128_t",
    "__uint128_t",
    "__float128",
    "__float80",
    "_Float16",
    "_Float32",
    "_Float32x",
    "_Float64",
    "_Float64x",
    "_Float128",
)
"""Type names that need no declaration."""

_BUILTIN_FILE = "<built-in>"


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A parsed program.

    `sources`: file name, as positions show it, to text. `digest`: SHA-256 of the file, hex.
    `left_out`: headers in angle brackets that were not found.
    `noreturn`: functions that do not return. `weak`: what need not be defined. `assumptions`: what
    attributes say of functions of the program and is believed.
    """

    ast: c_ast.FileAST
    sources: Mapping[str, str]
    digest: str
    warnings: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    noreturn: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    assumptions: tuple[str, ...] = ()


def parse_file(
    options: ProgramOptions, line_markers: bool = True, library: Set[str] = frozenset()
) -> ParsedSource:
    """Parse the user's program, pruned to what `options.entry` can reach.

    Of functions of the `library` definitions that are for inlining alone are left out.

    With `line_markers` positions are those that the line markers of preprocessed text name;
    otherwise those in the file itself.

    Raises InputError for what cannot be read or is not C, UnsupportedError for a construct whose
    meaning would be lost, each with its position.
    """
    if options.data_model not in DATA_MODELS:
        raise InputError(f"unknown data model {options.data_model}")
    digest = hashlib.sha256()
    read: list[TranslationUnit] = []
    sources: dict[str, str] = {}
    warnings: list[str] = []
    left_out: list[str] = []
    inline: set[str] = set()
    with deep_recursion(), without_cycle_collection(), naming_headers(left_out):
        for one in options.compilations:
            data = read_bytes(one.file) if one.text is None else one.text.encode()
            digest.update(data)
            name = shown_name(one.file)
            text = decode(data, name)
            markers = line_markers and options.line_markers
            tokens, preprocessor = _preprocessed(text, one, options.data_model, markers)
            left_out += preprocessor.left_out
            if not tokens and len(options.compilations) == 1:
                raise InputError(
                    "the file is empty" if not text.strip() else "the file has no C code",
                    Position(name, 1, 1),
                )
            check_characters(tokens)
            cleaned = clean(without_digraphs(tokens))
            declarations = split(cleaned)
            if any(attribute.name == GNU_INLINE for _, attribute in cleaned.attributes):
                # Few programs need it, and all wait for what is loaded.
                from abpress_frontend.inline_definitions import without_inline_definitions

                declarations, names = without_inline_definitions(cleaned, declarations, library)
                inline |= names
            read.append(TranslationUnit(cleaned, declarations, _word(one.file, read)))
            if one.file.suffix != ".i":  # a compiler has read that
                _require_c(read[-1])
            sources |= {name: text, **preprocessor.sources, **shown_files(text, name)}
            warnings += preprocessor.warnings + cleaned.warnings
        units = linked(read)
        if not any(
            d.is_function and options.entry in d.names for unit in units for d in unit.declarations
        ):
            for unit in units:  # The reason may be a syntax error before it.
                _parse(unit.cleaned.tokens)
            at = Position(shown_name(options.file), 1, 1)
            raise InputError(f"no function {options.entry} is defined", at)
        pruned = [(unit.cleaned, unit.declarations) for unit in units]
        first = runners(units)
        wanted = {options.entry, *names_in(options.insertions), *(r.name for r in first)}
        kept = reachable(pruned, wanted)
        require_one_definition(units, kept)
        if not left_out:
            warnings += _not_parsed(units, kept)
        attributes: list[tuple[tuple[str, ...], Attribute]] = []
        parts: list[Token] = []
        for unit, declarations in zip(units, kept, strict=True):
            its = _side_information(unit.cleaned, declarations)
            check_labels(its, unit.cleaned, unit.declarations, alone=len(units) == 1)
            attributes += its
            parts += [t for d in declarations for t in _with_type(unit.cleaned.tokens, d)]
        ast = _parse(parts)
        if any(unit.cleaned.has_elvis for unit in units):
            rewrite_elvis(ast)
        if any(token.text in (LABEL_ADDRESS, COMPUTED_GOTO) for token in parts):
            rewrite_computed_gotos(ast)
        insert(ast, options.insertions, sources, _parse)
        run_by_themselves(ast, options.entry, first)
    functions = {name for its in kept for d in its if d.is_function for name in d.names[:1]}
    return ParsedSource(
        ast,
        {file: printable(content) for file, content in sources.items()},
        digest.hexdigest(),
        tuple(dict.fromkeys(warnings)),
        tuple(left_out),
        _with_attribute(attributes, NORETURN),
        _with_attribute(attributes, WEAK),
        (*_promised(attributes, functions), *_inlined(inline, kept)),
    )


def _word(file: Path, before: Sequence[TranslationUnit]) -> str:
    """A word for a file that none of those before has, for names of C."""
    word = re.sub(r"\W", "_", file.stem)
    taken = {unit.word for unit in before}
    return next(w for w in chain([word], (f"{word}_{k}" for k in count(2))) if w not in taken)


def _not_parsed(
    units: Sequence[TranslationUnit], kept: Sequence[list[Declaration]]
) -> Iterator[str]:
    """A warning for each file of the program's own text that is not C where nothing needs it.

    What it needs may stand in a file with which it was linked. They are read one by one only if
    something is wrong in one of them.
    """
    pruned = [(unit.cleaned, unit.declarations) for unit in units]
    refused = [_refused(unit) for unit in units]
    own: list[frozenset[str]] = []
    for unit, needed, without in zip(units, kept, refused, strict=True):
        tokens = unit.cleaned.tokens
        its = [d for d in unit.declarations if not tokens[d.start].file.startswith("<")]
        if set(its) <= set(needed) or tokens[0].file.endswith(".i"):  # see _require_c
            continue
        own.append(frozenset(name for d in its if d not in without for name in d.names))

    def read(names: frozenset[str]) -> None:
        parts: list[Token] = []
        its = zip(units, reachable(pruned, names), refused, strict=True)
        for unit, wanted, without in its:
            for d in wanted:
                parts += () if d in without else _with_type(unit.cleaned.tokens, d)
        _parse(parts)

    try:
        read(frozenset().union(*own))
    except (InputError, UnsupportedError):
        for names in own:
            try:
                read(names)
            except InputError as error:
                yield f"{error}; this is left out, as nothing needs it"
            except UnsupportedError:
                pass


def _refused(unit: TranslationUnit) -> set[Declaration]:
    """The declarations of a file in which something is refused."""
    refusals = [k for k, _ in unit.cleaned.refusals]
    return {d for d in unit.declarations if any(d.start <= k < d.end for k in refusals)}


def _require_c(unit: TranslationUnit) -> None:
    """Raises UnsupportedError for a file that has C++, needed or not."""
    tokens = unit.cleaned.tokens
    for declaration in unit.declarations:
        if not tokens[declaration.start].file.startswith("<"):
            refuse_cplusplus(tokens[declaration.start : declaration.end])


def _with_attribute(
    attributes: list[tuple[tuple[str, ...], Attribute]], word: str
) -> frozenset[str]:
    """The names that are declared with an attribute."""
    return frozenset(name for names, a in attributes if a.name == word for name in names)


def _inlined(names: Set[str], kept: Sequence[list[Declaration]]) -> Iterator[str]:
    """What is assumed of functions whose definitions were left out."""
    if names:
        from abpress_frontend.inline_definitions import promises

        yield from promises(names, kept)


def _promised(
    attributes: list[tuple[tuple[str, ...], Attribute]], defined: set[str]
) -> tuple[str, ...]:
    """The assumptions that attributes of functions with a body make."""
    promises: dict[str, None] = {}
    for names, attribute in attributes:
        if attribute.name in PROMISES:
            for name in names:
                if name in defined:
                    promises[f"{name} is as its attribute {attribute.name} says"] = None
    return tuple(promises)


@lru_cache(maxsize=256)
def parse_model(path: Path, data_model: str = MACHINE, whole: bool = False) -> c_ast.FileAST:
    """Parse a model of ours; positions show its file name as `<name>`. Of the headers it has what
    its own declarations mention, or with `whole` everything.

    The tree is shared by all callers: they must not change it.
    """
    text = decode(read_bytes(path), path.name)
    name = f"<{path.name}>"
    preprocessor = Preprocessor((), data_model)
    with deep_recursion(), without_cycle_collection():
        tokens = preprocessor.run(tokenise(text, name, own=True), path)
        check_characters(tokens)
        cleaned = clean(tokens)
        if cleaned.refusals:
            raise cleaned.refusals[0][1]
        declarations = split(cleaned)
        if not whole:
            its = (d for d in declarations if cleaned.tokens[d.start].file == name)
            own = {mentioned for d in its for mentioned in d.names}
            [declarations] = reachable([(cleaned, declarations)], own)
        ast = _parse([token for d in declarations for token in cleaned.tokens[d.start : d.end]])
        if cleaned.has_elvis:
            rewrite_elvis(ast)
    return ast


def _preprocessed(
    text: str, given: Compilation, data_model: str, line_markers: bool
) -> tuple[list[Token], Preprocessor]:
    preprocessor = Preprocessor(given.include_dirs, data_model, line_markers)
    name = shown_name(given.file)
    tokens = tokenise(text, name, markers=line_markers)
    if is_preprocessed(tokens, text, given.file.suffix):
        return preprocessor.strip_directives(tokens), preprocessor
    if has_markers(text):  # they count only where no conditional leaves them out
        tokens = tokenise(text, name, directives=True)
    for definition in given.defines:
        preprocessor.define(definition)
    return preprocessor.run(tokens, given.file, given.included), preprocessor


def _side_information(
    cleaned: Cleaned, kept: list[Declaration]
) -> list[tuple[tuple[str, ...], Attribute]]:
    """The attributes in the declarations that are kept, with the names these declare.

    Raises the first refusal that stands in one of them.
    """
    entries: list[tuple[tuple[str, ...], Attribute]] = []
    for declaration in kept:
        for index, refusal in cleaned.refusals:
            if declaration.start <= index < declaration.end:
                raise refusal
        entries += [
            (declaration.names, attribute)
            for index, attribute in cleaned.attributes
            if declaration.start <= index < declaration.end
        ]
    return entries


def _with_type(tokens: list[Token], declaration: Declaration) -> list[Token]:
    """The tokens of a declaration; `int` is put in front of one without a type (`x;`)."""
    part = tokens[declaration.start : declaration.end]
    first = part[0]
    if first.kind == IDENT and first.text not in KEYWORDS and len(part) > 1:
        following = part[1].text
        untyped = following in ("=", ";", ",", "[")
        untyped = untyped or (
            following == "("
            and declaration.is_function
            and not is_type_of_declarator(part, 0, len(part))
        )
    else:
        untyped = first.text == "*"
    if untyped:
        part.insert(0, Token(IDENT, "int", first.line, first.column, first.file))
    return part


_PARSE_ERROR = re.compile(
    r"(?:(?P<file>.*):(?P<line>\d+):(?P<column>\d+)|[^:]*): (?P<message>.*)$", re.DOTALL
)


@lru_cache(maxsize=1)
def _prelude() -> list[ParserToken]:
    text = " ".join(f"typedef int {name};" for name in BUILTIN_TYPES)
    return [classify(token) for token in tokenise(text, _BUILTIN_FILE, own=True)]


def _parse(tokens: list[Token]) -> c_ast.FileAST:
    parser = GnuParser(lexer=TokenLexer, dialect="c23")
    lexer = parser.clex
    assert isinstance(lexer, TokenLexer)
    lexer.feed(_prelude() + [classify(token) for token in tokens])
    try:
        ast = parser.parse("")
    except (ParseError, AssertionError, ValueError, AttributeError) as error:
        # The parser has asserts and attribute errors of its own on some invalid input.
        raise _input_error(error, lexer.last) from None
    except RecursionError:
        at = lexer.last
        raise InputError(
            "nested too deeply", Position(at.filename, at.lineno, at.column) if at else None
        ) from None
    del ast.ext[: len(BUILTIN_TYPES)]
    check_depth(ast, len(tokens))
    return ast


def _input_error(error: Exception, last: ParserToken | None) -> AbPressError:
    match = _PARSE_ERROR.match(str(error)) if isinstance(error, ParseError) else None
    if match is None or match["file"] is None or match["file"] == _BUILTIN_FILE:
        at = Position(last.filename, last.lineno, last.column) if last else Position()
    else:
        at = Position(match["file"], int(match["line"]), int(match["column"]))
    message = match["message"] if match else ""
    head, _, expected = message.partition("; expected ")
    unexpected = head.removeprefix("before: ")
    for word in (unexpected, last.value if last else ""):
        if word in LAYOUT_WORDS:
            return UnsupportedError(f"attribute {word.removeprefix('__abp_')} in this place", at)
    tail = f", expected {expected}" if expected else ""
    if head.startswith("before: "):
        return InputError(f"syntax error: unexpected '{head[8:]}'{tail}", at)
    if head == "At end of input":
        return InputError(f"syntax error: unexpected end of file{tail}", at)
    near = f" near '{last.value}'" if last else ""
    what = f": {head[0].lower()}{head[1:]}" if head else ""
    return InputError(f"syntax error{near}{what}", at)
