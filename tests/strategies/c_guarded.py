"""Random C programs that keep to rules, as people write them: what a lock guards is accessed under
it, indices are tested, what is new is filled before others find it, threads are joined. Facts prove
most of them; some have a mistake, after which they may not."""

from __future__ import annotations

from hypothesis import strategies as st

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
static int any(void) { return __VERIFIER_nondet_bool() + 4 * __VERIFIER_nondet_bool(); }
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_t a, b, handles[2];
int count, sum, ready, data, table[4], *last = &table[0];
struct node { int value; struct node *next; } end, *list = &end;
struct account { pthread_mutex_t lock; int balance; } *account;
"""

ACTS = (
    "pthread_mutex_lock(&m); if (count < 3) count++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); if (count > 0) count--; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); assert(count >= 0 && count <= 3); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); int t = count; if (t < 3) count = t + 1; pthread_mutex_unlock(&m);",
    "if (!pthread_mutex_trylock(&m)) { if (count < 3) count++; pthread_mutex_unlock(&m); }",
    "pthread_mutex_lock(&m); sum = count; assert(sum == count); pthread_mutex_unlock(&m);",
    "int i = any(); if (i < 4) { pthread_mutex_lock(&m); table[i] = count;"
    " pthread_mutex_unlock(&m); }",
    "int i = any(); if (i >= 4) return 0; pthread_mutex_lock(&m); last = &table[i];"
    " pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); *last = 1; pthread_mutex_unlock(&m);",
    "for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); table[i] = i; sum = table[i];"
    " pthread_mutex_unlock(&m); }",
    "struct node *n = malloc(sizeof *n); n->value = 1; n->next = 0; pthread_mutex_lock(&k);"
    " n->next = list; list = n; pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&k); if (list) list->value = 2; pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&k); for (struct node *n = list; n; n = n->next) n->value = 3;"
    " pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&k); struct node *n = list; if (n) list = n->next;"
    " pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&k); data = 5; ready = 1; pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&k); if (ready) assert(data == 5); pthread_mutex_unlock(&k);",
    "pthread_mutex_lock(&account->lock); account->balance += account->balance < 9;"
    " pthread_mutex_unlock(&account->lock);",
    "pthread_mutex_lock(&account->lock); assert(account->balance <= 9);"
    " pthread_mutex_unlock(&account->lock);",
    "int mine[2] = {0, 0}; mine[__VERIFIER_nondet_bool()]++; assert(mine[0] + mine[1] == 1);",
)

BEGUN = (
    "account = malloc(sizeof *account); account->balance = 0;"
    " pthread_mutex_init(&account->lock, 0);"
)
MAINS = (
    "pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); {} pthread_join(a, 0);"
    " pthread_join(b, 0);",
    "pthread_create(&a, 0, f, 0); {} pthread_join(a, 0); pthread_create(&b, 0, g, 0);"
    " pthread_join(b, 0);",
    "for (int j = 0; j < 2; j++) pthread_create(&handles[j], 0, f, 0); {}"
    " for (int j = 0; j < 2; j++) pthread_join(handles[j], 0);",
    "pthread_create(&a, 0, f, 0); {} if (!pthread_join(a, 0)) sum = 0;",
)
ENDS = (
    "assert(count >= 0); assert(count <= 3);",
    "assert(!ready || data == 5);",
    "sum = count + 1; table[count] = sum;",
    "if (list) list->value = 4;",
    "*last = 2;",
    "count = 2147483647 - count;",
)
MISTAKES = (
    ("pthread_mutex_lock(&m);", ""),
    ("pthread_mutex_lock(&k);", ""),
    ("(&m)", "(&k)"),
    ("pthread_mutex_unlock(&m);", ""),
    ("(&account->lock)", "(&m)"),
    ("pthread_join(a, 0);", ""),
    ("count < 3", "count <= 3"),
    ("count > 0", "count >= 0"),
    ("if (t < 3)", ""),
    ("i < 4", "i <= 4"),
    ("i >= 4", "i > 4"),
    ("if (n) list", "list"),
    ("if (list) ", ""),
    ("if (ready)", ""),
    ("ready = 1; ", ""),
    ("n->next = list; ", ""),
    ("account->balance < 9", "1"),
    ("count <= 3", "count <= 2"),
    (
        "data = 5; ready = 1;",
        "ready = 1; pthread_mutex_unlock(&k); pthread_mutex_lock(&k); data = 5;",
    ),
)


def acts() -> st.SearchStrategy[str]:
    """A few things that a thread does."""
    several = st.lists(st.sampled_from(ACTS).map("{{ {} }}".format), min_size=1, max_size=2)
    return several.map("\n  ".join)


def text(threads: tuple[str, str], main: str, end: str) -> str:
    """The text of a program without its head: what its threads do, and the first one."""
    functions = "".join(
        f"void *{name}(void *argument) {{\n  {body}\n  return 0;\n}}\n"
        for name, body in zip("fg", threads, strict=True)
    )
    return f"{functions}int main(void) {{\n  {BEGUN}\n  {main}\n  {end}\n  return 0;\n}}\n"


@st.composite
def guarded_programs(draw: st.DrawFn) -> str:
    """The text of a program."""
    main = draw(st.sampled_from(MAINS)).replace("{}", draw(st.just("") | acts()))
    body = text((draw(acts()), draw(acts())), main, draw(st.sampled_from(ENDS)))
    mistakes = [mistake for mistake in MISTAKES if mistake[0] in body]
    if mistakes and not draw(st.integers(0, 2)):
        old, new = draw(st.sampled_from(mistakes))
        parts = body.split(old)
        k = draw(st.integers(1, len(parts) - 1))
        body = old.join(parts[:k]) + new + old.join(parts[k:])
    return HEAD + body
