/* All outcomes of a compiled program with threads, by running it step by step.

   The program is compiled with -fsanitize=thread, so that the compiler calls a function (__tsan_*)
   before each access to memory and for each atomic operation, and is linked with this file instead
   of that library. Its threads are coroutines here; in each of those functions, and in each function
   of the thread library, a thread stops, and the search chooses which one goes on. A step is what a
   thread does from one stop to the next.

   The state of the program is its static data, the table of threads, and the stacks. The search is
   depth first: it copies the state, lets a thread run, explores what follows, and copies the state
   back. States are known again by a hash of 64 bits.

   usage: PROGRAM MOST_STATES WAKEUPS FAILURES
     MOST_STATES   states after which the search gives up
     WAKEUPS       0: a wait on a condition variable ends by a signal; 1: it may end without one;
                   2: the same, but a thread for which nothing else is left is deadlocked
     FAILURES      1: a weak compare-and-exchange, or mtx_trylock, may fail for no reason
   Prints the outcomes, one per line and each one once:
     complete VALUES, deadlock VALUES   where VALUES is what `outcome` of the program writes
     violation TEXT                     a failing assertion, or a call of reach_error
     undefined TEXT                     wrong use of the thread library
   Exit status: 0; 2 if it gave up.

   The parts are one translation unit: what they share is static, so that no name of theirs is one
   of the program's. */
#include "runtime.h"
#include "search.c"
#include "accesses.c"
#include "ends.c"
#include "threads.c"
#include "locks.c"
#include "c11.c"
