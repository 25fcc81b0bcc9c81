/* MapRed: map and reduce. Three mappers each split their chunk for two reducers; a reducer adds what
   comes, and keeps who came first; when all has come, it hands its result to a collector, which adds.
   Guessed: the paper says only that a company's model of map and reduce has 440 lines. */
#include "tasks.h"

#define MAPPERS 3
#define REDUCERS 2

int chunk[MAPPERS] = {4, 9, 7}, sum[REDUCERS], first[REDUCERS], come[REDUCERS], collected, results;

void *__VERIFIER_atomic_collect(void *result) {
  collected += (int)(long)result;
  results++;
  return 0;
}

void *__VERIFIER_atomic_reduce(void *message) {
  int reducer = (int)((long)message >> 16);
  int mapper = (int)((long)message >> 8 & 255), value = (int)((long)message & 255);
  if (come[reducer] == 0)
    first[reducer] = mapper;
  sum[reducer] += value;
  come[reducer]++;
  return 0;
}

void *reducer(void *number) {
  long i = (long)number;
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(come[i] == MAPPERS);
  post(__VERIFIER_atomic_collect, sum[i]);
  __VERIFIER_atomic_end();
  return 0;
}

void *__VERIFIER_atomic_map(void *number) {
  long i = (long)number;
  for (long r = 0; r < REDUCERS; r++)
    post(__VERIFIER_atomic_reduce, r << 16 | i << 8 | (chunk[i] % 2 == r ? chunk[i] : chunk[i] / 2));
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  for (long i = 0; i < MAPPERS; i++)
    post(__VERIFIER_atomic_map, i);
  for (long i = 0; i < REDUCERS; i++)
    post(reducer, i);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
