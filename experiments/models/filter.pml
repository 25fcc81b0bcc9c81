/* As filter.c. Each access to a shared variable is a step, with what the process does until the
   next one. */
#ifndef N
#define N 3
#endif

byte level[N], last[N];

#define NEXT(k) (k + 1 == _pid -> k + 2 : k + 1)

active [N] proctype thread() {
  byte l = 1, k;
  do
  :: atomic { l < N -> level[_pid] = l };
     atomic { last[l] = _pid; k = (_pid == 0 -> 1 : 0) };
     do
     :: k < N ->
        if
        :: atomic { level[k] < l -> k = NEXT(k) }
        :: atomic { level[k] >= l };
           if
           :: atomic { last[l] != _pid -> k = NEXT(k) }
           :: atomic { last[l] == _pid }
           fi
        fi
     :: atomic { k >= N -> k = 0; l++; break }
     od
  :: atomic { l >= N -> level[_pid] = 0; l = 1 }
  od
}
