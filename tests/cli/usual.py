"""What most commands load and read of ours, headers and models, is there before they are forked."""

from __future__ import annotations

import gc
from pathlib import Path

import abpress.engines.abpress.attempt
import abpress.engines.hunt
import abpress.engines.stateless
import abpress.itp.methods
import abpress.reductions.stateless.optimal
import abpress.reductions.static.s_por
import abpress.witness.lanes  # noqa: F401
from abpress.config import Config
from abpress.verify.load import load

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
  pthread_mutex_lock(&m);
  assert(*(int *)p == 0);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  void *p = calloc(1, sizeof(int));
  pthread_create(&t, 0, work, p);
  pthread_join(t, 0);
  free(p);
  pthread_exit(0);
}
"""

load(Config.of(Path("usual.c"), text=PROGRAM))
gc.collect()
gc.freeze()
