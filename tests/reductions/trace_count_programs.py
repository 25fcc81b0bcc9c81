"""Families of programs whose numbers of happens-before classes are known.

Every shared load and every shared store is one step; threads are created by main, which does not
join them unless a family says so. What a thread reads it keeps in a cell of its own, so that the
read is not removed as useless.
"""

from __future__ import annotations

from collections.abc import Sequence


def text(
    shared: str, threads: Sequence[tuple[str, int]], tail: str = "", joined: bool = False
) -> str:
    """A C program: the body of each thread, which has its number as `i`, and the end of main."""
    bodies = list(dict.fromkeys(body for body, _ in threads))
    lines = [
        "#include <pthread.h>",
        "#include <stdatomic.h>",
        shared,
        f"int own[{len(threads) + 1}];",
    ]
    for k, body in enumerate(bodies):
        lines.append(f"void *thread{k}(void *p) {{ int i = (int)(long)p; {body} return 0; }}")
    lines.append(f"int main(void) {{ pthread_t t[{len(threads)}];")
    for n, (body, i) in enumerate(threads):
        lines.append(f"  pthread_create(&t[{n}], 0, thread{bodies.index(body)}, (void *){i}L);")
    if joined:
        lines += [f"  pthread_join(t[{n}], 0);" for n in range(len(threads))]
    lines += [f"  {tail}", "  pthread_exit(0); return 0;", "}"]
    return "\n".join(lines) + "\n"


_TWO_READS = "int a = x; own[0] = 10 * a + x;"


def several(n: int, body: str, first: int = 1) -> list[tuple[str, int]]:
    return [(body, i) for i in range(first, first + n)]


def readers(n: int) -> str:
    return text("int x;", [("x = 42;", 0), *several(n, "own[i] = x;")])


def writers(n: int) -> str:
    return text("int x;", several(n, "x = i;"))


def independent(n: int) -> str:
    return text("int x[9];", several(n, "x[i] = 1;"))


def lastzero(n: int) -> str:
    reader = f"int k = {n}; while (a[k] != 0) k--;"
    return text(f"int a[{n + 1}];", [(reader, 0), *several(n, "a[i] = a[i - 1] + 1;")])


def floating_read(n: int) -> str:
    return text("int x;", several(n, "x = i;"), "own[0] = x;")


def lastwrite(n: int) -> str:
    return text("int x;", several(n, "x = i;"), "own[0] = x;", joined=True)


def fib_bench(n: int) -> str:
    first = f"for (int k = 0; k < {n}; k++) a = a + b;"
    second = f"for (int k = 0; k < {n}; k++) b = b + a;"
    tail = "int seen = a; if (seen < 1000000) own[0] = b;"
    return text("int a = 1, b = 1;", [(first, 0), (second, 0)], tail)


def indexer(n: int) -> str:
    body = """
      for (int w = 1; w <= 4; w++) {
        int h = ((w * 11 + i) * 7) % 128, expected = 0;
        while (!atomic_compare_exchange_strong(&table[h], &expected, w * 11 + i)) {
          h = (h + 1) % 128; expected = 0;
        }
      }"""
    return text("_Atomic int table[128];", several(n, body, 0))


def filesystem(n: int) -> str:
    shared = """
      pthread_mutex_t inode_lock[32], block_lock[26];
      int inode[32], busy[26];"""
    body = """
      int k = i % 32;
      pthread_mutex_lock(&inode_lock[k]);
      if (inode[k] == 0) {
        int b = (k * 2) % 26;
        while (1) {
          pthread_mutex_lock(&block_lock[b]);
          if (!busy[b]) {
            busy[b] = 1;
            inode[k] = b + 1;
            pthread_mutex_unlock(&block_lock[b]);
            break;
          }
          pthread_mutex_unlock(&block_lock[b]);
          b = (b + 1) % 26;
        }
      }
      pthread_mutex_unlock(&inode_lock[k]);"""
    return text(shared, several(n, body, 0))


def sigma(n: int) -> str:
    """Main increments the index before it creates each thread."""
    lines = ["#include <pthread.h>", "int place; int arr[9];"]
    lines.append("void *thread(void *p) { arr[place] = 1; return 0; }")
    lines.append(f"int main(void) {{ pthread_t t[{n}];")
    for k in range(n):
        lines.append(f"  place++; pthread_create(&t[{k}], 0, thread, 0);")
    lines += [f"  pthread_join(t[{k}], 0);" for k in range(n)]
    return "\n".join([*lines, "  return 0;", "}", ""])


def control_flow(n: int) -> str:
    threads = several(n, "own[i] = x;") + several(n, "y = 1;", n + 1)
    threads += [("if (y == 0) z = 1;", 0), ("if (z == 1) if (y == 0) x = 1;", 0)]
    return text("int x, y, z;", threads)


def redundant_co(n: int) -> str:
    write = f"for (int k = 0; k < {n}; k++) x = i;"
    return text("int x;", [(write, 1), (write, 2), ("int a = x; own[i] = 10 * a + x;", 3)])


def myexample(n: int) -> str:
    return text("int x;", several(n, "x = i; own[i] = x;"))


def casw(n: int) -> str:
    body = "int e = 0; atomic_compare_exchange_strong(&x, &e, 1); x = i + 3;"
    return text("_Atomic int x;", several(n, body))


def ainc(n: int) -> str:
    return text("_Atomic int x;", several(n, "atomic_fetch_add(&x, 1);"))


def binc(n: int) -> str:
    body = "atomic_fetch_add(&x, 1); atomic_fetch_add(&y, 1);"
    return text("_Atomic int x, y;", several(n, body))


def opt_lock(n: int) -> str:
    attempt = "last = i; x = i; if (last == i) { own[i] = x; break; }"
    body = f"for (int k = 0; k < {n}; k++) {{ {attempt} }}"
    return text("int last, x;", several(2, body))


def circular_buffer(n: int) -> str:
    shared = "pthread_mutex_t m; int ring[8], first, next;"
    put = "ring[next % 8] = k; next = next + 1;"
    get = "if (first < next) { own[i] = ring[first % 8]; first = first + 1; }"
    loop = "for (int k = 0; k < {}; k++) {{ pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m); }}"
    return text(shared, [(loop.format(n, put), 1), (loop.format(n, get), 2)])


def counter_race(n: int) -> str:
    return text("int c;", several(n, "c = c + 1;"))


def counter_mutex(n: int) -> str:
    body = "pthread_mutex_lock(&m); c = c + 1; pthread_mutex_unlock(&m);"
    return text("pthread_mutex_t m; int c;", several(n, body))


def trylock(n: int) -> str:
    body = "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);"
    return text("pthread_mutex_t m;", several(n, body))


def philosophers(n: int) -> str:
    body = f"""
      pthread_mutex_lock(&m[i]); pthread_mutex_lock(&m[(i + 1) % {n}]);
      pthread_mutex_unlock(&m[(i + 1) % {n}]); pthread_mutex_unlock(&m[i]);"""
    return text(f"pthread_mutex_t m[{n}];", several(n, body, 0))


def length_parametric(n: int) -> str:
    body = f"for (int k = 0; k < {n}; k++) {{ v[i] = k; w[i] = v[i]; }} x = i; own[i] = x;"
    return text("int v[3], w[3], x;", several(2, body))


def thread_parametric(n: int) -> str:
    quiet = several(n - 2, "v[i] = 1; w[i] = v[i];", 3)
    return text("int v[9], w[9], x;", [*several(2, "x = i; own[i] = x;"), *quiet])


def store_buffering() -> str:
    return text("int x, y;", [("x = 1; own[i] = y;", 1), ("y = 1; own[i] = x;", 2)])


def message_passing() -> str:
    return text("int x, y;", [("x = 1; y = 1;", 1), ("int a = y; own[i] = 2 * a + x;", 2)])


def load_buffering() -> str:
    return text("int x, y;", [("own[i] = x; y = 1;", 1), ("own[i] = y; x = 1;", 2)])


def iriw() -> str:
    threads = [("x = 1;", 1), ("y = 1;", 2)]
    threads += [("int a = x; own[i] = 2 * a + y;", 3), ("int a = y; own[i] = 2 * a + x;", 4)]
    return text("int x, y;", threads)


def n_writers_a_reader(n: int) -> str:
    return text("int x;", [*several(n, "x = i;"), ("own[0] = x;", 0)])


def n_writes_a_read(n: int) -> str:
    write = f"for (int k = 0; k < {n}; k++) x = i;"
    return text("int x;", several(2, f"{write} own[i] = x;"))


def race_parametric(n: int) -> str:
    quiet = "for (int k = 0; k < 42; k++) { v[i] = k; w[i] = v[i]; }"
    race = f"for (int k = 0; k < {n}; k++) {{ x = i; own[i] = x; }}"
    return text("int v[3], w[3], x;", several(2, f"{quiet} {race}"))


def two_writes_each(n: int) -> str:
    return text("int x;", several(n, "x = i; x = i;"), "own[0] = x;", joined=True)


def two_writes_each_two_reads(n: int) -> str:
    return text("int x;", [*several(n, "x = i; x = i;"), (_TWO_READS, 0)])


def one_write_each_two_reads(n: int) -> str:
    return text("int x;", [*several(n, "x = i;"), (_TWO_READS, 0)])


def one_write_each_three_reads(n: int) -> str:
    return text("int x;", [*several(n, "x = i;"), (_TWO_READS, 0)], "own[0] = x;", joined=True)


def fib_one_variable(n: int) -> str:
    body = f"for (int k = 0; k < {n}; k++) {{ int a = x; x = a + x; }}"
    return text("int x = 1;", several(2, body), _TWO_READS)


def three_readers() -> str:
    """Figure 1 of [ODPOR14]."""
    reads = [(f"int a = {other}; own[{k}] = a + x;", k) for k, other in ((1, "y"), (2, "z"))]
    return text("int x, y, z;", [("x = 1;", 0), *reads])


def two_conditions() -> str:
    """Figure 3 of [ODPOR14]."""
    threads = [("x = 1;", 1), ("y = 1;", 2)]
    threads += [("if (!y) z = 1;", 3), ("if (z) if (!y) x = 2;", 4)]
    return text("int x, y, z;", threads)
