/* As philosophers.c. */
#ifndef N
#define N 2
#endif

bit taken[5];

#define LOW (_pid < 4 -> _pid : 0)
#define HIGH (_pid < 4 -> _pid + 1 : 4)

active [5] proctype thread() {
  byte k;
  do
  :: atomic { k < N && !taken[LOW] -> taken[LOW] = 1 };
     atomic { !taken[HIGH] -> taken[HIGH] = 1 };
     atomic { taken[HIGH] = 0 };
     atomic { taken[LOW] = 0; k++ }
  :: atomic { k >= N -> break }
  od
}
