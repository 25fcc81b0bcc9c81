"""Each GNU, C11 and C23 construct: what it looks like in the tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import c_ast, c_generator

from abpress.config import ProgramOptions
from abpress.errors import InputError, UnsupportedError
from abpress_frontend.parse import ParsedSource, parse_file, parse_model


def parse(tmp_path: Path, text: str, name: str = "t.c") -> ParsedSource:
    path = tmp_path / name
    path.write_text(text)
    return parse_file(ProgramOptions(path))


def body_of(source: ParsedSource, function: str = "main") -> str:
    """The function's body as C on one line."""
    for node in source.ast.ext:
        if isinstance(node, c_ast.FuncDef) and node.decl.name == function:
            return " ".join(c_generator.CGenerator().visit(node.body).split())
    raise AssertionError(f"{function} is not there")


def main_body(tmp_path: Path, statements: str, before: str = "") -> str:
    return body_of(parse(tmp_path, f"{before}\nint main(void) {{ {statements}\n }}\n"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("int $x$ = 1; $x$++;", "int $x$ = 1; $x$++;"),
        ("int x /* c */ = /* // */ 1; // tail", "int x = 1;"),
        ("__extension__ int x = __extension__ 1;", "int x = 1;"),
        (
            "const int * __restrict p; int * __restrict__ q;",
            "const int * restrict p; int * restrict q;",
        ),
        ("__const int c = 1; __volatile__ int v;", "const int c = 1; volatile int v;"),
        ("__signed__ char c;", "signed char c;"),
        ("int x __attribute__((unused)) = 1;", "int x = 1;"),
        ("int x __attribute((hot, unused)); x = 1;", "int x; x = 1;"),
        ("[[maybe_unused]] int x = 1;", "int x = 1;"),
        ("int a[2]; a[a[0]] = 1;", "int a[2]; a[a[0]] = 1;"),
        ("int x = 1; switch (x) { case 1: __attribute__((fallthrough)); default: ; }", None),
        ("int y = 1; __typeof__(y) x = y; typeof(int) z;", None),
        ("__auto_type x = 1;", None),
        (
            '_Static_assert((sizeof(int)) == 4, "int");',
            '_Static_assert((sizeof(int)) == 4, "int");',
        ),
        ("int x = ({ int y = 1; y; });", None),
        ("int x; x = 1 ?: 2;", "int x; x = __abp_elvis(1, 2);"),
        ("int x; x = 0 ?: 0 ? 4 : 5 ?: 6;", None),
        ("int x; x = (1 ?: 2) + 3;", "int x; x = __abp_elvis(1, 2) + 3;"),
        ("int a[9] = {[1 ... 3] = 7, [5] = 8};", "int a[9] = {[__abp_range(1, 3)] = 7, [5] = 8};"),
        ('asm("nop");', "(void) 0;"),
        ('__asm__ __volatile__ ("" ::: "memory");', "(void) 0;"),
        (
            'int x, y; asm volatile ("a" "b" : "=r"(x), [n] "+m"(y) : "r"(y + 1) : "cc");',
            'int x; int y; __abp_asm("ab");',
        ),
        ('_Pragma("GCC diagnostic push") int x = 1;', "int x = 1;"),
        ("const char *s = __FUNCTION__;", "const char *s = __func__;"),
        ("int x = 1'000'000;", "int x = 1000000;"),
        ("unsigned x = 0b101u;", "unsigned x = 0b101u;"),
        ("char c = L'x' + u'y'; const char *s = u8\"a\" \"b\";", None),
        ("__int128 x = 1; __uint128_t y;", "__int128 x = 1; __uint128_t y;"),
        ("__builtin_va_list ap;", "__builtin_va_list ap;"),
        ("_Float128 f;", "_Float128 f;"),
        ("static __thread int x; x = 1;", "static _Thread_local int x; x = 1;"),
        ("_Atomic int x; _Atomic(int) y;", None),
        ("_Alignas(8) char x;", None),
        (
            "int x = __builtin_types_compatible_p(int, char *);",
            "int x = __builtin_types_compatible_p(int, char *);",
        ),
        ("int x = __alignof__(int);", None),
        ("int bool, true, nullptr, constexpr; bool = true;", None),
        ("goto end; end: ;", None),
        ("void *p = 0; int x = p && &x;", None),
    ],
)
def test_statement(tmp_path: Path, written: str, read: str | None) -> None:
    body = main_body(tmp_path, written)
    if read is not None:
        assert body == f"{{ {read} }}"


def test_case_range(tmp_path: Path) -> None:
    body = main_body(tmp_path, "switch (1) { case 1 ... 5: ; case 'a' ... 'z': case 7: ; }")
    assert "case __abp_range(1, 5):" in body
    assert "case __abp_range('a', 'z'):" in body
    assert "case 7:" in body


def test_variable_arguments_are_no_range(tmp_path: Path) -> None:
    source = parse(tmp_path, "int f(int n, ...); int main(void) { return f(1, 2); }")
    parameters = source.ast.ext[0].type.args.params
    assert isinstance(parameters[-1], c_ast.EllipsisParam)


def test_typeof_and_inferred_types_are_nodes(tmp_path: Path) -> None:
    source = parse(tmp_path, "int main(void) { int y; __typeof__(y) x; __auto_type z = y; }")
    items = source.ast.ext[0].body.block_items
    assert isinstance(items[1].type.type, c_ast.TypeOf)
    assert isinstance(items[2].type.type, c_ast.InferredType)


def test_offsetof(tmp_path: Path) -> None:
    source = parse(
        tmp_path,
        "#include <stddef.h>\nstruct S { int a[3]; int b; };\n"
        "int main(void) { return offsetof(struct S, b) + __builtin_offsetof(struct S, a[1]); }",
    )
    assert "__builtin_offsetof(struct S, b)" in body_of(source)


def test_asm_label_of_a_function(tmp_path: Path) -> None:
    source = parse(tmp_path, 'int f(void) __asm__("" "g"); int main(void) { return f(); }')
    assert [node.name for node in source.ast.ext[:1]] == ["f"]


def test_asm_outside_functions_is_a_warning(tmp_path: Path) -> None:
    source = parse(tmp_path, 'asm(".globl x");\nint main(void) { return 0; }')
    assert any("t.c:1:1: assembler outside functions" in w for w in source.warnings)


def test_old_style_definitions(tmp_path: Path) -> None:
    source = parse(
        tmp_path,
        "x; y = 3; *p, a[2];\nint f(a, b) int a; char *b; { return a; }\n"
        "main() { p = &x; a[0] = y; return f(1, 0); }",
    )
    names = [n.name if isinstance(n, c_ast.Decl) else n.decl.name for n in source.ast.ext]
    assert names == ["x", "y", "p", "a", "f", "main"]


def test_functions_that_do_not_return(tmp_path: Path) -> None:
    source = parse(
        tmp_path,
        """
        void a(void) __attribute__((noreturn));
        __attribute__((__noreturn__, cold)) void b(int x);
        _Noreturn void c(void);
        [[noreturn]] void d(void);
        void e(void);
        int main(void) { a(); b(1); c(); d(); e(); }
        """,
    )
    assert source.noreturn == {"a", "b", "c", "d"}


def layout_attributes(source: ParsedSource) -> dict[str, list[str]]:
    """Tag of a definition -> the attributes that its layout depends on."""
    found: dict[str, list[str]] = {}

    class Visitor(c_ast.NodeVisitor):
        def aggregate(self, node: c_ast.Node) -> None:
            words = [a.word.removeprefix("__abp_") for a in node.attributes]
            if words:
                found[node.name or "?"] = words
            self.generic_visit(node)

        visit_Struct = visit_Union = visit_Enum = aggregate

    Visitor().visit(source.ast)
    return found


def test_attributes_of_the_layout_stand_at_their_definition(tmp_path: Path) -> None:
    source = parse(
        tmp_path,
        """
        struct __attribute__((packed)) A { char c; int i; };
        struct B { char c; struct In { int x; } i; } __attribute__((__packed__, aligned(4)));
        struct C { char c; int i; };
        typedef struct { char c; int i; } __attribute__((packed)) D;
        #pragma pack(push, 1)
        struct E { char c; int i; };
        #pragma pack(pop)
        struct F { char c; int i; };
        #pragma pack(1)
        union G { char c; int i; };
        #pragma pack()
        struct H { char c; };
        enum __attribute__((packed)) I { X };
        #define TWO struct J { int i; } __attribute__((packed)) j; struct K { int i; } k
        TWO;
        struct A a; struct B b; struct C c; D d; struct E e; struct F f; union G g; struct H h;
        enum I i;
        int main(void) { return a.i + b.c + c.i + d.i + e.i + f.i + g.i + h.c + i + j.i + k.i; }
        """,
    )
    assert layout_attributes(source) == {
        "A": ["packed"],
        "B": ["packed", "aligned"],
        "?": ["packed"],
        "E": ["packing"],
        "G": ["packing"],
        "I": ["packed"],
        "J": ["packed"],
    }


def test_attributes_of_the_layout_stand_at_what_they_belong_to(tmp_path: Path) -> None:
    source = parse(
        tmp_path,
        """
        __attribute__((aligned(8))) int a, b __attribute__((aligned(16)));
        struct S { int x __attribute__((packed)), y, z : 3 __attribute__((packed)); } s;
        typedef int T __attribute__((aligned));
        int main(void) { T t = 0; return a + b + s.x + t; }
        """,
    )
    a, b, s, t = source.ast.ext[:4]
    assert [p.alignment.value for p in a.align] == ["8"]
    assert [p.alignment.value for p in b.align + b.type.attributes] == ["8", "16"]
    words = [[p.word for p in member.type.attributes] for member in s.type.type.decls]
    assert words == [["__abp_packed"], [], ["__abp_packed"]]
    assert [p.alignment.value for p in t.type.attributes] == ["16"]


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("int main(void) { __label__ a; a: ; }", "local label declaration"),
        ('int main(void) { asm goto ("" :::: l); l: ; }', "asm goto"),
        (
            "typedef int V __attribute__((vector_size(16))); V v; int main(void) { v; }",
            "attribute vector_size",
        ),
        (
            "void f(int *p); int main(void) { int x __attribute__((cleanup(f))); }",
            "attribute cleanup",
        ),
        (
            "__attribute__((constructor)) void f(int n) {} int main(void) { }",
            "this form of attribute constructor",
        ),
        (
            "struct S { int *__attribute__((aligned(8))) p; } s; int main(void) { s.p = 0; }",
            "attribute aligned in this place",
        ),
        (
            "struct S {\n#pragma pack(2)\nint i; } s; int main(void) { s.i = 0; }",
            "#pragma pack that changes inside of a definition",
        ),
        (
            "#pragma pack(3)\nstruct S { int i; } s; int main(void) { s.i = 0; }",
            "this form of #pragma pack: (3)",
        ),
        ("#pragma omp parallel\nint main(void) { return 0; }", "#pragma omp parallel"),
        ("int main(void) {\n#pragma unheard of\nreturn 0; }", "#pragma unheard of"),
        ('int main(void) { _Pragma("weak main") return 0; }', "#pragma weak main"),
        ("#pragma weak f = main\nint main(void) { return 0; }", "#pragma weak f = main"),
        ("int x __attribute__((unheard(1))); int main(void) { return x; }", "attribute unheard(1)"),
        ('int x __attribute__((section(".init_array"))); int main(void) {}', "attribute section"),
        (
            'int x __attribute__((optimize("wrapv"))); int main(void) { return x; }',
            "attribute optimize",
        ),
        ("int main(void) { return 'ab'; }", "multi-character constant 'ab'"),
        ("int main(void) { double d = 1.0i; }", "constant 1.0i"),
        ('int main(void) { register int r asm("eax"); r = 1; }', "register variable"),
        (
            'struct __attribute__((scalar_storage_order("big-endian"))) S { int i; } s;'
            "int main(void) { return s.i; }",
            "attribute scalar_storage_order",
        ),
    ],
)
def test_what_would_lose_its_meaning_is_refused_by_name(
    tmp_path: Path, text: str, construct: str
) -> None:
    with pytest.raises(UnsupportedError) as caught:
        parse(tmp_path, text)
    assert caught.value.message.startswith(construct)
    assert caught.value.position is not None
    assert caught.value.position.file.endswith("t.c")


def test_a_refused_construct_in_an_unused_declaration_does_no_harm(tmp_path: Path) -> None:
    source = parse(
        tmp_path, "typedef int V __attribute__((vector_size(16)));\nint main(void) { return 0; }"
    )
    assert [node.decl.name for node in source.ast.ext] == ["main"]


@pytest.mark.parametrize(
    ("comment", "condition"),
    [
        ("//@ assert x == 1;", "(x == 1) != 0"),
        ("/*@ assert x > 0 && (x < 5 || x == 7); */", "((x > 0) && ((x < 5) || (x == 7))) != 0"),
        ("//@assert N == x;", "(3 == x) != 0"),
    ],
)
def test_acsl_assertion(tmp_path: Path, comment: str, condition: str) -> None:
    source = parse(tmp_path, f"#define N 3\nint x;\nint main(void) {{\n  x = 1;\n  {comment}\n}}\n")
    [_, call] = source.ast.ext[-1].body.block_items
    assert c_generator.CGenerator().visit(call) == f"__abp_acsl_assert({condition})"
    assert (call.coord.line, call.coord.column) == (5, 3)


@pytest.mark.parametrize("comment", ["//@ loop invariant x;", "//@ requires x;", "// assert x;"])
def test_other_annotations_are_comments(tmp_path: Path, comment: str) -> None:
    assert main_body(tmp_path, f"int x = 1;\n{comment}\nx = 2;") == "{ int x = 1; x = 2; }"


@pytest.mark.parametrize(
    "body",
    [
        "if (x)\n//@ assert x;\nx = 2;",
        "x = 1 +\n//@ assert x;\n2;",
        "//@ assert 0 <= x < 5;\n",
        "//@ assert \\forall integer i; i == i;\n",
        "//@ assert x ==> x;\n",
        "//@ assert name: x;\n",
    ],
)
def test_an_acsl_assertion_is_never_dropped(tmp_path: Path, body: str) -> None:
    with pytest.raises((UnsupportedError, InputError), match="ACSL"):
        main_body(tmp_path, body, "int x;")


def test_assert_of_our_header(tmp_path: Path) -> None:
    body = main_body(tmp_path, 'int x; assert(x == 1 && "t");', "#include <assert.h>")
    assert "__abp_assert" in body
    assert '"x == 1 && \\"t\\""' in body


def test_model_is_parsed_whole_and_once(tmp_path: Path) -> None:
    path = tmp_path / "model.c"
    path.write_text("#include <stddef.h>\nint unused;\nint f(void) { return 1; }\n")
    first = parse_model(path)
    assert parse_model(path) is first
    names = [n.name if isinstance(n, c_ast.Decl) else n.decl.name for n in first.ext[-2:]]
    assert names == ["unused", "f"]
    assert first.ext[-1].coord.file == "<model.c>"


def test_the_tree_has_none_of_the_built_in_types(tmp_path: Path) -> None:
    source = parse(tmp_path, "int main(void) { return 0; }")
    assert len(source.ast.ext) == 1
