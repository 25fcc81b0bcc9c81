# ruff: noqa: E501 - a line of a program is a line here
"""More parts of random programs: arrays, pointers, structs, initialisers, functions, the library."""

from __future__ import annotations

from experiments.feature_parts import Part, Random, constant, small


def arrays(r: Random, n: str) -> Part:
    """Variable-length arrays, compound literals, sizes."""
    a, b = r.randint(1, 5), r.randint(1, 5)
    lines = [
        f"int k = {a}; int v[k + 1]; h(sizeof v); h(sizeof v[0]); h(sizeof(v) / sizeof(*v));",
        "for (int i = 0; i <= k; i++) v[i] = i * i; k = 9; h(sizeof v); h(v[1]);",
        f"int m = {b}; int w[m][3]; h(sizeof w); h(sizeof w[0]); h(sizeof *w);",
        "for (int i = 0; i < m; i++) for (int j = 0; j < 3; j++) w[i][j] = i * 3 + j;",
        "for (int i = 0; i < m; i++) { int *p = w[i]; h(p[2] + *p); }",
        f"for (int q = 1; q < {r.randint(2, 5)}; q++) {{ char c[q]; c[q - 1] = q; h(sizeof c); h(c[q - 1]); }}",
        f"int *l = (int[]){{ {small(r)}, [3] = {small(r)}, 7 }}; h(l[0] + l[4]); h(l[3]); l[1]++; h(l[1]);",
        f"h(((int[3]){{1, {small(r)}}})[{r.randrange(3)}]); h(sizeof((char[]){{1, 2, [9] = 3}}));",
        "for (int q = 0; q < 3; q++) { int *z = (int[2]){q}; h(z[0]++ + z[1]); }",
        'char *t = (char[]){"abc"}; t[0] = \'x\'; hs(t); h(sizeof (char[]){"abc"});',
        f"h((int){{{small(r)}}}); int y = 3; h(sizeof(y++)); h(y); h(sizeof(int[{a + 1}]));",
        "typedef int T[k]; T o; k = 2; h(sizeof o); h(sizeof(T));",
        f"h(_Generic(1 + 'a', int: {a}, default: 0)); h(_Generic(1u + 1l, long: 1, unsigned long: 2, default: 3));",
        f"h(_Generic((short){a}, int: 1, short: 2, default: 3)); h(_Generic((char)1, signed char: 1, char: 2, default: 4));",
    ]
    return Part((), tuple(f"  {line}" for line in lines))


def pointers(r: Random, n: str) -> Part:
    """Arithmetic and comparison within objects, rows of matrices, bytes of objects."""
    i, j = r.randrange(6), r.randrange(6)
    lines = [
        f"int a[6] = {{ {', '.join(str(small(r)) for _ in range(6))} }}, *p = a + {i}, *q = &a[{j}];",
        "h(p - q); h(p < q); h(p >= q); h(p == q); h(*p + *q); h((char *)p - (char *)q);",
        f"h({i}[a]); h(*(a + {j})); h(&a[6] - p); h(p[-{i}]); h((&a[1])[-1]);",
        "p = a; h(*p++); h(*p++); h(*--p); h((*p)++); h(++*p); h(*++p); h(p - a);",
        "p += 2; h(*p); p -= 3; h(*p); q = a + 6; while (q != a) h(*--q);",
        f"short m[3][4] = {{ {{1, 2}}, [2] = {{ [1] = {small(r)}, 5 }} }}; short (*row)[4] = m + {r.randrange(2)};",
        "h(row[1][2]); h((*row)[1]); h(sizeof *row); h(row - m); h(*(*(m + 2) + 2)); h(sizeof m[0]);",
        "short *flat = &m[0][0]; h(flat[0]); short (*all)[3][4] = &m; h((*all)[2][1]);",
        f"unsigned w = {constant(r)}; unsigned char *b = (unsigned char *)&w; h(b[0]); h(b[3]);",
        f"b[{r.randrange(4)}] = {r.randrange(256)}; h(w); h(*(unsigned char *)&w);",
        "int *pp[3] = { a, a + 2, 0 }, **z = pp; h(**z); h(*z[1]); h(!z[2]); h(*++z == a + 2);",
        'const char *s = "hello", *e = s; while (*e) e++; h(e - s); h(s[e - s - 1]); h(*s++ + *s);'.replace(
            "h(*s++ + *s)", "h(*s++); h(*s)"
        ),
        "void *v = &a[1]; h(*(int *)v); h(v == a + 1); h((int *)v - a); h(!v); h(v && p);",
        f"int (*ap)[6] = &a; h((*ap)[{i}]); h(sizeof *ap); h(sizeof ap == sizeof(void *)); h(*ap == a);",
    ]
    return Part((), tuple(f"  {line}" for line in lines))


def structs(r: Random, n: str) -> Part:
    """Copies, parameters, results, nesting, chains of assignment."""
    outside = (
        f"struct {n}A {{ char c; int a[3]; struct {{ short s; struct {{ long long q; }} i; }} in; }};",
        f"typedef struct {n}B {{ struct {n}A one, two[2]; struct {n}B *next; int f : 5, g : 6; }} {n}B;",
        f"static struct {n}A {n}make(int x) {{ struct {n}A r = {{ x, {{x + 1, x + 2}}, {{ -x }} }}; r.in.i.q = x * 3; return r; }}",
        f"static int {n}take(struct {n}A v) {{ v.c++; v.a[1] = 9; return v.c + v.a[1] + v.in.s; }}",
        f"static struct {n}A {n}swap({n}B b) {{ struct {n}A t = b.one; b.one = b.two[1]; b.two[1] = t; return b.one; }}",
        f"static {n}B {n}g = {{ {{1}}, {{ {{2}}, {{3, {{4, 5}}}} }}, &{n}g, -3, 7 }};",
    )
    lines = [
        f"struct {n}A x = {n}make({small(r)}), y, z; y = x; x.a[0]++; h(y.a[0]); h(x.a[0]); h(sizeof x == sizeof y);",
        f"h({n}take(x)); h(x.c); h({n}make({small(r)}).a[{r.randrange(3)}]); h({n}make(2).in.i.q);",
        "z = y = x; h(z.in.s); z = z; h(z.c); h((z = y).a[1]); h((1, y).in.i.q); h((x.c ? x : y).a[0]);",
        f"{n}B b = {n}g; h(b.next == &{n}g); h(b.two[1].a[1]); h(b.f); b.two[0] = b.two[1]; h(b.two[0].a[0]);",
        f"b.next = &b; b.next->next->one.c = {small(r)}; h(b.one.c); h({n}swap(b).c); h(b.one.a[0]);",
        f"{n}B c[2] = {{ b, [1].two[1].a[2] = {small(r)} }}; h(c[1].two[1].a[2]); h(c[0].g); c[1] = c[0]; h(c[1].f);",
        f"struct {n}A *p = &c[1].one; p->in.i.q = 77; h(c[1].one.in.i.q); *p = (struct {n}A){{ .a = {{[1] = 4}} }}; h(p->a[1] + p->c);",
        f"h(offsetof(struct {n}A, a)); h(offsetof({n}B, two[1].in.s) == sizeof(struct {n}A) * 2 + offsetof(struct {n}A, in));",
        "struct { int a; struct { int b, c; }; union { int d; char e; }; } anon = { 1, { 2, 3 }, { 300 } }; h(anon.c); h(anon.e);",
    ]
    return Part(outside, tuple(f"  {line}" for line in lines))


def initialisers(r: Random, n: str) -> Part:
    """Designators, overriding, nesting, elided braces, ranges; static and automatic."""
    v = [small(r) for _ in range(8)]
    outside = [
        f"struct {n}P {{ int x, y; char t[4]; }}; struct {n}L {{ struct {n}P p[3]; int k; }};"
    ]
    forms = (
        f"struct {n}L @ = {{ {v[0]}, {v[1]}, \"ab\", {v[2]}, {v[3]}, {{'x'}}, .k = {v[4]} }};",
        f"struct {n}L @ = {{ .p[1] = {{ .y = {v[0]}, .x = {v[1]} }}, {{ {v[2]} }}, {v[3]} }};",
        f"struct {n}L @ = {{ .p[0].y = {v[0]}, {{1, 2}}, .p[2].x = {v[1]}, {v[2]}, .p[0] = {{ .x = {v[3]} }} }};",
        f'struct {n}L @ = {{ .p = {{ [0 ... 2] = {{ {v[0]}, .t = "q" }}, [1].y = {v[1]} }}, {v[2]} }};',
        f"struct {n}L @ = {{ {{ {{ {v[0]} }}, {v[1]}, {v[2]}, {{[2] = 7}}, {v[3]} }}, {v[4]} }};",
        f'struct {n}L @ = {{ .p[2].t[1] = 5, 6, {v[0]}, .p[2].t = "xyz", .k = 1, .k = {v[1]} }};',
    )
    lines = []
    for k in range(3):
        static = r.random() < 0.5
        text = r.choice(forms).replace("@", f"{n}l{k}")
        if static and r.random() < 0.5:
            outside.append(text)
        else:
            lines.append(("static " if static else "") + text)
        lines.append(
            f"for (int i = 0; i < 3; i++) {{ h({n}l{k}.p[i].x); h({n}l{k}.p[i].y);"
            f" for (int j = 0; j < 4; j++) h({n}l{k}.p[i].t[j]); }} h({n}l{k}.k);"
        )
    i = r.randrange(4)
    lines += [
        f"int a[] = {{ {v[0]}, [{i + 2}] = {v[1]}, {v[2]}, [{i}] = {v[3]} }}; h(sizeof a); for (unsigned j = 0; j < sizeof a / sizeof *a; j++) h(a[j]);",
        'char s[2][4] = { "abcd", { "e" } }; for (int j = 0; j < 8; j++) h(s[j / 4][j % 4]);',
        f"int m[][2] = {{ {v[4]}, {v[5]}, {{ {v[6]} }}, {v[7]} }}; h(sizeof m); h(m[1][0] + m[2][0] + m[1][1]);",
        "enum { A = 3, B, C = A * 5 - 1, D = -2, E } e = B; h(e); h(C); h(E); int t[C] = { [B] = 1 }; h(sizeof t); h(t[4]);",
        f"enum big {{ X = {r.choice(('0x7fffffff', '0xffffffff', '-1', '1'))} }} f = X; h(f > 0); h(sizeof f); h(X < 0); h(sizeof X);",
        f"static const int *const where = &a0[{i}]; h(*where);".replace("a0", f"{n}a0"),
    ]
    outside.append(f"static int {n}a0[5] = {{ 4, 3, 2, 1 }};")
    return Part(tuple(outside), tuple(f"  {line}" for line in lines))


def functions(r: Random, n: str) -> Part:
    """Static locals, recursion, tables of function pointers, statement expressions, typeof."""
    d = r.randint(2, 6)
    outside = (
        f'static int {n}next(void) {{ static int c = {small(r)}; static const char t[] = "xy"; c++; return c + t[c & 1]; }}',
        f"static unsigned {n}fact(unsigned k) {{ return k < 2 ? 1 : k * {n}fact(k - 1); }}",
        f"static int {n}odd(int); static int {n}even(int k) {{ return k == 0 ? 1 : {n}odd(k - 1); }}",
        f"static int {n}odd(int k) {{ return k == 0 ? 0 : {n}even(k - 1); }}",
        f"static int {n}add(int a, int b) {{ return a + b; }} static int {n}sub(int a, int b) {{ return a - b; }}",
        f"static int (*{n}table[])(int, int) = {{ {n}add, &{n}sub, {n}add }};",
        f"static int {n}apply(int f(int, int), int x) {{ return (*f)(x, 2) + (**f)(x, 1); }}",
        f"typedef int {n}F(int, int); static {n}F *{n}choose(int k) {{ return k ? {n}add : {n}sub; }}",
        f"static signed char {n}narrow(int x) {{ return x; }} static unsigned char {n}wide(unsigned char x) {{ return x + 1; }}",
        f"static _Bool {n}bool(int x) {{ return x; }} static void {n}arr(int a[3], int k) {{ h(sizeof a == sizeof(int *)); a[k] = k; }}",
        f"static inline int {n}old(a, b) int a; char b; {{ return a + b; }}",
    )
    lines = [
        f"for (int i = 0; i < 3; i++) h({n}next()); h({n}fact({d})); h({n}even({d})); h({n}odd({d}));",
        f"for (int i = 0; i < 3; i++) h({n}table[i](i, {small(r)})); h({n}apply({n}table[{r.randrange(3)}], 5));",
        f"h({n}choose({r.randrange(2)})(7, 3)); h({n}choose(1) == {n}add); h({n}table[0] == {n}table[2]); h(&{n}add == {n}add);",
        f"h({n}narrow({small(r) + 200})); h({n}wide({small(r)})); h({n}bool({r.choice((0, 256, 3))})); h(sizeof({n}narrow(1)));",
        f"int a[3] = {{ 0 }}; {n}arr(a, {r.randrange(3)}); h(a[0] + a[1] * 3 + a[2] * 7); h({n}old(3, 300 & 127));",
        f"h(({{ int t = {small(r)}; t * 2; }})); __typeof__(a[0] + 1l) w = -1; h(sizeof w); __auto_type y = (short)3; h(sizeof y);",
        f"int x = {small(r)}, *p = &x; h(x ?: 5); h(*p ? 1 : 2); h((*p = 4, x)); h(({{ if (x) x++; x; }}));",
        f"for (int i = 0, j = {d}; i < j; i++, j--) h(i * 10 + j); int k = {d}; while (k-- > 0) h(k); h(k);",
        f"{{ int x = x_{n}; h(x); {{ int x = 2; h(x); }} {{ extern int x_{n}; h(x_{n}); }} }}",
    ]
    return Part((*outside, f"int x_{n} = {small(r)};"), tuple(f"  {line}" for line in lines))


def library(r: Random, n: str) -> Part:
    """Functions of the library, and builtins."""
    a, b = ("".join(r.choice("ab0 ") for _ in range(r.randrange(6))) for _ in range(2))
    number = r.choice(("12", "-7x", "  +3", "0x1f", "077", "abc", "", "99999"))
    x = constant(r)
    sign = f"#define {n}sg(x) ((x) < 0 ? 1 : (x) > 0 ? 2 : 3)"
    lines = [
        f'h(strlen("{a}")); h({n}sg(strcmp("{a}", "{b}"))); h({n}sg(strncmp("{a}", "{b}", {r.randrange(4)}))); h({n}sg(memcmp("{a}x", "{b}y", 1)));',
        f'char t[20] = "{a}"; strcat(t, "{b}"); hs(t); strncpy(t + 10, "{b}", 4); for (int i = 10; i < 15; i++) h(t[i]);',
        f"char *c = strchr(t, '{r.choice('ab0')}'); h(c ? c - t : -1); c = strrchr(t, '{r.choice('ab')}'); h(c ? c - t : -1); c = strstr(t, \"b\"); h(c ? c - t : -1);",
        "memmove(t + 1, t, 6); for (int i = 0; i < 9; i++) h(t[i]); memset(t, 'z', 3); hs(t); h(t == memcpy(t, t + 10, 2)); h(t[0]);",
        f'h(atoi("{number}")); char *end; h(strtol("{number}", &end, {r.choice((0, 10, 16, 8))})); h(*end); h(abs({small(r)}));',
        f"h(__builtin_popcount({x})); h(__builtin_ctz(({x}) | 256)); h(__builtin_clz((unsigned)({x}) | 1)); h(__builtin_ffs({x}));",
        f"h(__builtin_bswap32({x})); h(__builtin_parity({x})); h(__builtin_clzll(({x}) | 1ull)); h(__builtin_popcountll({x})); h(__builtin_bswap16({x}));",
        f"int o; h(__builtin_add_overflow({small(r)}, {x}, &o)); h(o); unsigned char u; h(__builtin_mul_overflow({r.randrange(99)}, {r.randrange(9)}, &u)); h(u);",
        f"h(__builtin_expect({x} > 3, 1)); h(__builtin_sub_overflow({small(r)}, {small(r)}, &u)); h(u); h(__builtin_offsetof(struct {n}O, b[1]));",
        "h(__builtin_types_compatible_p(int, signed)); h(__builtin_choose_expr(1, 5, 6)); h(__alignof__(short));",
    ]
    return Part(
        (sign, f"struct {n}O {{ char a; short b[3]; }};"), tuple(f"  {line}" for line in lines)
    )
