"""Speed and memory of the search that stores states, on a client of a list set with one lock.

Three threads make calls. Per reduction: states, transitions per second of processor time, and bytes
of resident memory per state, each in a process of its own.
"""

from __future__ import annotations

import argparse
import cProfile
import multiprocessing
import pstats
import time

from abpress.cli.options import positive
from abpress.engines.stored import explore_all
from abpress.engines.table import ENGINES
from abpress.ir.program import Program
from abpress.properties import PROPERTIES
from abpress.search.limits import MIB, resident_memory
from abpress.semantics.interpreter import Interpreter
from experiments.settings import program_of

REDUCTIONS = ENGINES["explicit"].reductions
DEFAULTS = ("none", "s-por")

LIST_SET = """
#include <pthread.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *before(int key) {
  struct node *p = head;
  while (p->next && p->next->key < key) p = p->next;
  return p;
}

static int insert(int key) {
  pthread_mutex_lock(&lock);
  struct node *p = before(key);
  int missing = !p->next || p->next->key != key;
  if (missing) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = p->next;
    p->next = n;
  }
  pthread_mutex_unlock(&lock);
  return missing;
}

static int erase(int key) {
  pthread_mutex_lock(&lock);
  struct node *p = before(key);
  int found = p->next && p->next->key == key;
  if (found) p->next = p->next->next;
  pthread_mutex_unlock(&lock);
  return found;
}

int results[3][CALLS];

static void *client(void *argument) {
  int me = (int)(long)argument;
  for (int i = 0; i < CALLS; i++)
    results[me][i] = i % 3 == 2 ? erase((me + i) % 4) : insert((me + i) % 4);
  return 0;
}

int main(void) {
  pthread_t t[3];
  head = calloc(1, sizeof *head);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, client, (void *)(long)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
"""


def measure(program: Program, por: str, profiled: bool) -> None:
    """Prints one line, and the profile."""
    system = Interpreter(program)
    profile = cProfile.Profile()
    before, begin = resident_memory(), time.process_time()
    if profiled:
        profile.enable()
    outcome = explore_all(system, por, PROPERTIES["unreach-call"])
    profile.disable()
    seconds, memory = time.process_time() - begin, (resident_memory() - before) * MIB
    s = outcome.statistics
    print(
        f"{por}: {s.states:,} states, {s.steps:,} transitions, {seconds:.2f} s:"
        f" {s.steps / seconds:,.0f} transitions/s, {memory / s.states:,.0f} bytes/state",
        *(f"{name} {number:,}" for name, number in s.more.items()),
        sep=", ",
        flush=True,
    )
    if profiled:
        pstats.Stats(profile).sort_stats("tottime").print_stats(12)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which reductions, and the size of the program."""
    parser.add_argument(
        "reductions",
        nargs="*",
        metavar="REDUCTION",
        type=reduction,
        help=f"of {', '.join(REDUCTIONS)} (default: {' '.join(DEFAULTS)})",
    )
    parser.add_argument(
        "--calls", type=positive, default=4, metavar="N", help="of each thread (default: 4)"
    )
    parser.add_argument("--profile", action="store_true", help="where the time goes, by function")


def reduction(text: str) -> str:
    """The name of a reduction. Raises ArgumentTypeError."""
    if text not in REDUCTIONS:
        raise argparse.ArgumentTypeError(f"no reduction {text}")
    return text


def run(options: argparse.Namespace) -> int:
    """Prints a line per reduction, and the profile."""
    program = program_of(LIST_SET, f"CALLS={options.calls}")
    processes = multiprocessing.get_context("fork")
    for por in options.reductions or DEFAULTS:
        process = processes.Process(target=measure, args=(program, por, options.profile))
        process.start()
        process.join()
    return 0
