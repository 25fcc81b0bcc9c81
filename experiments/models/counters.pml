/* As counters.c. */
#ifndef N
#define N 4
#endif

byte counter;

active [3] proctype thread() {
  byte k, seen;
  do
  :: atomic { k < N -> seen = counter };
     atomic { counter = seen + 1; seen = 0; k++ }
  :: atomic { k >= N -> break }
  od
}
