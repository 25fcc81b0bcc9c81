"""Mutual exclusion and other small algorithms whose numbers of happens-before classes are known.

Each waits in a loop of a bounded number of rounds and gives up after the last. The conventions are
those of `trace_count_programs`.
"""

from __future__ import annotations

from tests.reductions.trace_count_programs import several, text


def lamport(n: int) -> str:
    """Fast mutual exclusion ([FastMutex87], algorithm 2); every wait is an assumption."""
    body = f"""
      while (1) {{
        b[i] = 1;
        x = i;
        if (y != 0) {{ b[i] = 0; __VERIFIER_assume(y == 0); continue; }}
        y = i;
        if (x != i) {{
          b[i] = 0;
          for (int j = 1; j <= {n}; j++) __VERIFIER_assume(b[j] == 0);
          if (y != i) {{ __VERIFIER_assume(y == 0); continue; }}
        }}
        break;
      }}
      inside = i;
      own[i] = inside;
      y = 0;
      b[i] = 0;"""
    shared = f"void __VERIFIER_assume(int); int b[{n + 1}], x, y, inside;"
    return text(shared, several(n, body))


def peterson() -> str:
    body = """
      for (int round = 0; round < 2; round++) {
        int entered = 0;
        flag[i] = 1;
        turn = 1 - i;
        for (int k = 0; k < 2 && !entered; k++) {
          int other = flag[1 - i], its = turn;
          entered = other != 1 || its != 1 - i;
        }
        if (!entered) return 0;
        inside = i + 1;
        own[i] = inside;
        flag[i] = 0;
      }"""
    return text("int flag[2], turn, inside;", several(2, body, 0), joined=True)


def dekker() -> str:
    body = """
      for (int round = 0; round < 2; round++) {
        int entered = 0;
        flag[i] = 1;
        for (int k = 0; k < 2; k++) {
          if (!flag[1 - i]) { entered = 1; break; }
          if (turn != i) {
            int mine = 0;
            flag[i] = 0;
            for (int j = 0; j < 2 && !mine; j++) mine = turn == i;
            if (!mine) return 0;
            flag[i] = 1;
          }
        }
        if (!entered) return 0;
        inside = i + 1;
        own[i] = inside;
        turn = 1 - i;
        flag[i] = 0;
      }"""
    return text("int flag[2], turn, inside;", several(2, body, 0), joined=True)


def szymanski() -> str:
    def wait(condition: str) -> str:
        rounds = f"for (k = 0, ok = 0; k < 2 && !ok; k++) ok = {condition};"
        return rounds + " if (!ok) return 0;"

    body = f"""
      int k, ok;
      for (int round = 0; round < 2; round++) {{
        flag[i] = 1;
        {wait("flag[1 - i] < 3")}
        flag[i] = 3;
        if (flag[1 - i] == 1) {{
          flag[i] = 2;
          {wait("flag[1 - i] == 4")}
        }}
        flag[i] = 4;
        {wait("flag[1 - i] < 2")}
        inside = i + 1;
        own[i] = inside;
        {wait("2 > flag[1 - i] || flag[1 - i] > 3")}
        flag[i] = 0;
      }}"""
    return text("int flag[2], inside;", several(2, body, 0), joined=True)


def bakery() -> str:
    body = """
      int most = 0;
      choosing[i] = 1;
      for (int j = 0; j < 2; j++) { int its = ticket[j]; if (its > most) most = its; }
      ticket[i] = most + 1;
      choosing[i] = 0;
      for (int j = 0; j < 2; j++) {
        int ok = 0;
        for (int k = 0; k < 5 && !ok; k++) ok = !choosing[j];
        if (!ok) return 0;
        ok = 0;
        for (int k = 0; k < 5 && !ok; k++) {
          int its = ticket[j], mine = ticket[i];
          ok = its == 0 || its > mine || (its == mine && j >= i);
        }
        if (!ok) return 0;
      }
      own[i] = inside;
      inside = i;
      inside = 0;
      ticket[i] = 0;"""
    return text("int choosing[2], ticket[2], inside;", several(2, body, 0), joined=True)


def burns() -> str:
    """The first thread waits for the second, which does not enter while the first's flag is up."""
    body = """
      int entered = 0, ok;
      for (int round = 0; round < 10 && !entered; round++) {
        ok = i == 0;
        flag[i] = 0;
        for (int k = 0; k < 10 && !ok; k++) ok = flag[0] == 0;
        if (!ok) return 0;
        flag[i] = 1;
        entered = i == 0;
        for (int k = 0; k < 10 && !entered; k++) entered = flag[0] == 0;
      }
      if (!entered) return 0;
      ok = i == 1;
      for (int k = 0; k < 10 && !ok; k++) ok = flag[1] == 0;
      if (!ok) return 0;
      inside = i;
      own[i] = inside;
      flag[i] = 0;"""
    return text("int flag[2], inside;", several(2, body, 0), joined=True)


def dijkstra() -> str:
    body = """
      int entered = 0, mine = 0;
      wants[i] = 1;
      for (int round = 0; round < 5 && !entered; round++) {
        for (int k = 0; k < 5; k++) {
          int whose = turn;
          if (whose == i) { mine = 1; break; }
          if (wants[whose] == 0) turn = i;
        }
        if (!mine) return 0;
        passed[i] = 1;
        entered = 1;
        if (passed[1 - i] == 1) { passed[i] = 0; entered = mine = 0; }
      }
      if (!entered) return 0;
      inside = i;
      own[i] = inside;
      passed[i] = 0;
      wants[i] = 0;"""
    return text("int wants[2], passed[2], turn, inside;", several(2, body, 0), joined=True)


def pgsql() -> str:
    """Five workers in a ring; each wakes the next one, if it has been awoken in time."""
    body = """
      int awake = 0;
      for (int k = 0; k < 5 && !awake; k++) awake = latch[i] == 1;
      if (!awake) return 0;
      if (latch[i] != 0) own[i] = flag[i];
      latch[i] = 0;
      if (flag[i] == 1) {
        flag[i] = 0;
        flag[(i + 1) % 5] = 1;
        latch[(i + 1) % 5] = 1;
      }"""
    return text("int latch[5] = {1}, flag[5] = {1};", several(5, body, 0), joined=True)


def exponential_bug(n: int) -> str:
    writer = f"""
      for (int round = 0; round < 2; round++) {{
        pthread_mutex_lock(&m);
        x = 1;
        for (int k = 0; k < {n}; k++) y = 1;
        pthread_mutex_unlock(&m);
      }}"""
    second = """
      for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&m);
        x = 0;
        pthread_mutex_unlock(&m);
        if (x > 0) { y = y + 1; x = 2; }
      }"""
    third = """
      for (int round = 0; round < 2; round++) {
        if (x > 1) {
          if (y == 3) return 0;
          y = 2;
        }
      }"""
    shared = "pthread_mutex_t m; int x, y;"
    return text(shared, [(writer, 0), (second, 0), (third, 0)])


def waiters(n: int) -> str:
    """Threads wait for a flag that one thread raises, which then wakes all."""
    wait = """
      pthread_mutex_lock(&m);
      while (!flag) pthread_cond_wait(&c, &m);
      pthread_mutex_unlock(&m);"""
    raise_it = """
      pthread_mutex_lock(&m);
      flag = 1;
      pthread_cond_broadcast(&c);
      pthread_mutex_unlock(&m);"""
    shared = "pthread_mutex_t m; pthread_cond_t c; int flag;"
    return text(shared, [*several(n, wait), (raise_it, 0)])


def one_signal() -> str:
    return waiters(1).replace("broadcast", "signal")


_LOCKED = "pthread_mutex_lock(&{0}); {1} pthread_mutex_unlock(&{0});"


def one_of_many(n: int) -> str:
    """A thread reads how far another has counted, and locks what a thread of that number locks."""
    lock = _LOCKED.format("m[i]", "")
    count = f"for (int k = 1; k < {n}; k++) {{ {_LOCKED.format('mc', 'c = k;')} }}"
    read = "int k; " + _LOCKED.format("mc", "k = c;") + _LOCKED.format("m[k]", "")
    shared = f"pthread_mutex_t mc, m[{n}]; int c;"
    return text(shared, [*several(n, lock, 0), (count, 0), (read, 0)])


def one_of_many_or(n: int, length: int) -> str:
    """The same after an attempt to be second; else two threads take turns with a lock."""
    lock = _LOCKED.format("m[i]", "")
    turns = f"for (int k = 0; k < {length}; k++) {{ {_LOCKED.format('mx', '')} }}"
    count = _LOCKED.format("mz", "z = 1;")
    count += f"for (int k = 1; k < {n}; k++) {{ {_LOCKED.format('mc', 'c = k;')} }}"
    late = _LOCKED.format("mc", "k = c;") + _LOCKED.format("m[k]", "")
    early = f"pthread_t t; pthread_create(&t, 0, turns, 0); {turns} pthread_join(t, 0);"
    read = "int k, second; " + _LOCKED.format("mz", "second = z;")
    read += f"if (second) {{ {late} }} else {{ {early} }}"
    shared = f"""pthread_mutex_t mc, mx, mz, m[{n}]; int c, z;
      void *turns(void *p) {{ {turns} return 0; }}"""
    return text(shared, [*several(n, lock, 0), (count, 0), (read, 0)])


def common_then_own(n: int) -> str:
    """Pairs of threads: one locks a mutex, the other one locks it inside of a common one."""
    outer = _LOCKED.format("mi", _LOCKED.format("m[i]", ""))
    shared = f"pthread_mutex_t mi, m[{n}];"
    return text(shared, [*several(n, _LOCKED.format("m[i]", ""), 0), *several(n, outer, 0)])


def stairs(threads: int, mutexes: int) -> str:
    """Thread i locks mutexes i, i + 1, i + 3, i + 6, as far as there are any."""
    body = f"""
      int held[4], n = 0;
      for (int k = i; k < {mutexes} && n < 4; k += n) {{
        pthread_mutex_lock(&m[k]);
        held[n++] = k;
      }}
      while (n > 0) pthread_mutex_unlock(&m[held[--n]]);"""
    return text(f"pthread_mutex_t m[{mutexes}];", several(threads, body, 0))
