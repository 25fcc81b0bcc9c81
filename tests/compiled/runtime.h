/* What the parts of the runtime know of one another: see runtime.c. */
#ifndef RUNTIME_H
#define RUNTIME_H
#define _GNU_SOURCE
#include <alloca.h>
#include <link.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 8, STACK = 1 << 15, KEYS = 8, READS = 2, LOCAL = 256, HEAP = 1 << 10 };

#define THREAD_FIELDS                                                                              \
  jmp_buf context;                                                                                 \
  char *lowest;        /* of its stack: what lies below is not in use */                           \
  int answers, answer; /* which of how many: the search chooses */                                 \
  int error;                                                                                       \
  char local[LOCAL]; /* its _Thread_local variables, while it does not run */

#include "library.h"

/* Between them a thread runs alone, without a stop. */
static void atomic_begin(void);
static void atomic_end(void);

/* An execution with a thread at an assumption that does not hold is not judged. */
static condition never;

#endif
