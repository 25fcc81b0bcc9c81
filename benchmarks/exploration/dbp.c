/* DBP(N), a database protocol: N workers each register with a database, which answers with a ping
   and notes the worker when it replies; meanwhile each worker asks for the data, which it is given
   only if it is noted. Six tasks per worker, as in the paper.
   Guessed: the database notes each worker and the last one; what a worker gets is compared only,
   before it is sent. */
#include <assert.h>

#include "tasks.h"

int noted[N], last;

void *__VERIFIER_atomic_note(void *worker) {
  noted[(long)worker] = 1;
  last = (int)(long)worker;
  return 0;
}

void *__VERIFIER_atomic_ping(void *worker) {
  post(__VERIFIER_atomic_note, (long)worker);
  return 0;
}

void *__VERIFIER_atomic_register(void *worker) {
  post(__VERIFIER_atomic_ping, (long)worker);
  return 0;
}

void *__VERIFIER_atomic_receive(void *unused) { return 0; }

void *__VERIFIER_atomic_get(void *worker) {
  int data = noted[(long)worker] ? 42 : 0;
  assert(data == 0 || data == 42);
  post(__VERIFIER_atomic_receive, 0);
  return 0;
}

void *__VERIFIER_atomic_work(void *worker) {
  post(__VERIFIER_atomic_get, (long)worker);
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  for (long i = 0; i < N; i++) {
    post(__VERIFIER_atomic_register, i);
    post(__VERIFIER_atomic_work, i);
  }
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
