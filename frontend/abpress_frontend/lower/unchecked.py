"""What C leaves undefined or open and nothing looks for: a verdict says what it assumes, where the
text of a program has the construct. (Of the library: `abpress_frontend.lower.misuse`.)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycparser import c_ast

from abpress.ir.expr import Addr, Const, Expr, registers
from abpress.ir.program import Havoc, effect_operands, effect_target
from abpress.ir.types import PtrType
from abpress_frontend.lower.ctypes import (
    CArray,
    CFunction,
    CInt,
    CPtr,
    CRecord,
    CType,
    CVoid,
    Definition,
    sizeof,
)
from abpress_frontend.lower.graph import GraphBuilder
from abpress_frontend.lower.layout import alignof
from abpress_frontend.lower.misuse import contains

CONSTANT = "no const object is written through a pointer from which a cast has taken const away"
RESTRICT = "nothing that is written is accessed through a restrict pointer and by other means"
MISALIGNED = "no access through a pointer that is not aligned for its type"
OTHER_FUNCTION = (
    "a call of a function through a pointer to another type of function works as on x86"
)
PAST_PART = "no index goes past an array that is a part of a larger object"
OVERLAP = "no struct is assigned to one that overlaps it in part"
UNWRITTEN = "a local variable that is read before it is written has some value, and keeps it"
UNSET = "no local pointer is used before it is written"
PRETTY = "__PRETTY_FUNCTION__ is the name of the function alone, as with GCC"
ALLOCA = "no memory of alloca is used after the function that called it has returned"
WEAK_ORDER = "atomic operations of weaker memory orders are sequentially consistent, too"
BUILTIN = "the compiler takes no function of the program for its own (-fno-builtin)"

UNINITIALISED = "uninitialised variable "
"""How the origin of the value of a variable begins that nothing was written to."""

_NAMES = """
abort abs alloca aligned_alloc bcmp bcopy bzero calloc exit _exit _Exit ffs ffsl ffsll fprintf
fprintf_unlocked fputc fputs fputs_unlocked free fscanf fwrite fwrite_unlocked gettext imaxabs
index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace
isupper isxdigit labs llabs malloc memchr memcmp memcpy memmove mempcpy memset posix_memalign
printf printf_unlocked putchar putchar_unlocked puts puts_unlocked realloc rindex scanf snprintf
sprintf sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strlen
strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr toascii
tolower toupper vfprintf vprintf vsnprintf vsprintf
"""
_BUILTINS = frozenset(_NAMES.split())
"""Functions of which GCC or Clang know the meaning without `-fno-builtin`."""


def taken_for_builtin(ast: c_ast.FileAST) -> list[str]:
    """The functions that the program defines, not `static`, under names that compilers know."""
    functions = (n.decl for n in ast.ext if isinstance(n, c_ast.FuncDef))
    return sorted(d.name for d in functions if d.name in _BUILTINS and "static" not in d.storage)


def restrict_pointer(ast: c_ast.FileAST) -> c_ast.Node | None:
    """The first declaration of a `restrict` pointer, but for prototypes, that the program has."""
    found = (d for d in _declarations(ast) if any("restrict" in q for q in _qualifiers(d.type)))
    return next(found, None)


def constants(ast: c_ast.FileAST) -> frozenset[str]:
    """The names of variables, parameters and members that are `const` or lead to what is."""
    names: set[str] = set()
    types: set[str] = set()  # typedefs and tags
    for node in _declarations(ast):
        specifier = node.type
        while isinstance(specifier, _DECLARATORS):
            specifier = specifier.type
        inside = isinstance(specifier, c_ast.Struct | c_ast.Union) and any(
            isinstance(d, c_ast.Decl) and _names_constant(d, types) for d in specifier.decls or ()
        )
        if inside and specifier.name is not None:
            types.add(specifier.name)
        if (inside or _names_constant(node, types)) and node.name is not None:
            (types if isinstance(node, c_ast.Typedef) else names).add(node.name)
    return frozenset(names)


_DECLARATORS = (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)


def _names_constant(node: c_ast.Node, types: set[str]) -> bool:
    specifier = node.type
    while isinstance(specifier, _DECLARATORS):
        specifier = specifier.type
    match specifier:
        case c_ast.IdentifierType(names=[*words]):
            known = not types.isdisjoint(words)
        case c_ast.Struct(name=name) | c_ast.Union(name=name):
            known = name in types
        case _:
            known = False
    return known or any("const" in quals for quals in _qualifiers(node.type))


def _qualifiers(node: c_ast.Node) -> Iterator[list[str]]:
    """Those of a declarator, from the outermost to that of the specifier."""
    while isinstance(node, _DECLARATORS):
        if isinstance(node, c_ast.ArrayDecl):
            yield node.dim_quals or []
        elif not isinstance(node, c_ast.FuncDecl):
            yield node.quals or []
        node = node.type


def _declarations(node: c_ast.Node, of_body: bool = False) -> Iterator[c_ast.Node]:
    """All declarations and typedefs, innermost first, without those in prototypes."""
    for label, child in node.children():
        if label == "args" and isinstance(node, c_ast.FuncDecl) and not of_body:
            continue
        inner = (isinstance(node, c_ast.FuncDef) and label == "decl") or (
            of_body and isinstance(node, c_ast.Decl)
        )
        yield from _declarations(child, inner)
    if isinstance(node, c_ast.Decl | c_ast.Typedef):
        yield node


def takes_const_away(node: c_ast.Cast, wanted: CType, constants: frozenset[str]) -> bool:
    """Whether a cast to a pointer to what is not `const` may begin with a pointer to what is."""
    if not isinstance(wanted, CPtr) or isinstance(wanted.target, CFunction):
        return False
    type = node.to_type.type
    if isinstance(type, c_ast.PtrDecl) and any("const" in q for q in _qualifiers(type.type)):
        return False
    return any(name in constants for name in _names(node.expr))


def _names(node: c_ast.Node) -> Iterator[str]:
    """The names of variables and members in an expression, types left out."""
    if isinstance(node, c_ast.ID):
        yield node.name
    for label, child in node.children():
        if label != "to_type":
            yield from _names(child)


def may_be_misaligned(type: CType, wanted: CType) -> bool:
    """Whether a conversion of a pointer asks for more alignment than the pointer has."""
    if not (isinstance(type, CPtr) and isinstance(wanted, CPtr)):
        return False
    if any(isinstance(t, CVoid | CFunction) for t in (type.target, wanted.target)):
        return False
    return alignof(wanted.target) > alignof(type.target)


def is_packed(whole: CType, part: CType) -> bool:
    """Whether a member may lie at an address that its type does not allow."""
    return isinstance(whole, CRecord) and alignof(whole) < alignof(part)


def is_called_otherwise(own: CFunction, type: CType) -> bool:
    """Whether the function is of another type than the one that it is called as."""
    if not isinstance(type, CFunction):
        return False
    if own.result != type.result:
        return True
    unknown = any(t.variadic and not t.parameters for t in (own, type))
    return not unknown and (own.parameters, own.variadic) != (type.parameters, type.variadic)


def may_pass_part(array: CType, index: Expr, type: CType) -> bool:
    """Whether an index may be no less than the length of an array that is a member or a row."""
    if not isinstance(array, CArray) or array.count is None or array.count <= 1:
        return False
    if isinstance(index, Const):
        return not 0 <= index.value < array.count
    return not (isinstance(type, CInt) and type.ir.maximum < array.count)


def may_overlap(target: Expr, source: Expr, type: CRecord, records: Iterable[Definition]) -> bool:
    """Whether two structs may have some bytes in common, but not all: in a union only, or where a
    pointer was converted, which is told elsewhere."""
    if isinstance(target, Addr) and isinstance(source, Addr):
        apart = abs(target.offset - source.offset)
        return target.object == source.object and 0 < apart < sizeof(type)
    return any(
        contains(field.type, frozenset({type.definition}))
        for union in records
        if union.is_union
        for field in union.fields or ()
        if field.type != type
    )


def reads_unwritten(graph: GraphBuilder) -> list[str]:
    """What is assumed of the variables that may be read although nothing was written to them. An
    arbitrary number can be computed with; there is no arbitrary pointer."""
    begun = {
        effect.target.name: effect
        for effect in graph.effects()
        if isinstance(effect, Havoc) and effect.what.startswith(UNINITIALISED)
    }
    if not begun:
        return []
    found: set[str] = set()
    unwritten: dict[int, frozenset[str]] = {0: frozenset()}
    todo = [0]
    while todo:
        location = todo.pop()
        for draft in graph.out[location]:
            now = unwritten[location]
            found |= registers(draft.guard) & now
            for effect in draft.effects:
                for operand in effect_operands(effect):
                    found |= registers(operand) & now
                target = effect_target(effect)
                if target is None or target.name not in begun:
                    continue
                is_begin = isinstance(effect, Havoc) and effect.what == begun[target.name].what
                now = now | {target.name} if is_begin else now - {target.name}
            before = unwritten.get(draft.target)
            after = now if before is None else before | now
            if after != before and not draft.ends:
                unwritten[draft.target] = after
                todo.append(draft.target)
    return sorted(
        f"{UNSET if isinstance(havoc.target.type, PtrType) else UNWRITTEN}"
        f" ({havoc.what.removeprefix(UNINITIALISED)})"
        for havoc in {begun[name] for name in found}
    )
