/* Runs a compiled program by a schedule.

   The program is compiled with -fsanitize=thread and linked with this file instead of that library.
   Its threads are threads of the system, of which one runs at a time. It stops before each access to
   memory that the compiler tells of, and in each function of the thread library: there it says what
   it is about to do (`struct event`), and is told who goes on (`struct answer`).

   Both go through the files whose descriptors are in the variable ABPRESS_REPLAY of the environment,
   as two numbers with a comma; or answers that were kept are read from the file that ABPRESS_ANSWERS
   names, and events go nowhere.

   Before each call in the program stands a store of the number of its place, and what the program
   calls by the name of a function of this file is that function with `abp_` before its name
   (assembly.py): the system's libraries go on calling their own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 4096, KEYS = 64, READS = 16 };

#define THREAD_FIELDS                                                                              \
  int64_t answer;                                                                                  \
  int given;                                                                                       \
  int turn; /* 1: it goes on */                                                                    \
  const char *stack, *stack_end, *lowest; /* what is in use of its stack, while it does not run */
#include "library.h"

/* What a thread is about to do; accesses are numbers of `enum access`. */
enum kind {
  STEP = 8,      /* something in a function of the library */
  WAITS,         /* the same, when what it waits for has come */
  CHOICE,        /* `size` answers */
  CHOICE_OF,     /* which of the threads that wait at `address` */
  IS_UNDEFINED,  /* whether what may wait for ever or be undefined is undefined */
  IS_TOLD,       /* whether a thread that waits for itself is told so */
  INPUT,         /* any value */
  BEGUN,         /* a thread runs for the first time */
  DONE,          /* and for the last time */
  CREATED,       /* the thread with the number `address` */
  ATOMIC_BEGIN,
  ATOMIC_END,
  EXITS,         /* the program is about to end */
  FAILED,        /* an assertion or the like; `size` bytes of text follow */
  MISUSED,       /* the same: undefined use of the library */
  UNABLE,        /* the same: a bound of this file */
  CRASHED,       /* signal `size` at `address` */
  UNASSUMED,
  REPORTED,      /* text as of FAILED: what AddressSanitizer says */
  LEAKED,        /* at the end there is memory, that nothing points to if `size` is not 0 */
  ENDED,
  GIVEN          /* a call of the C library: whether it is made, else what it returns */
};

/* Behind it follow two sets of threads, `count` bits each in words of 64 bits: who could go on; who
   only without a signal. */
struct event {
  int32_t thread, kind, site, size;
  uint64_t address, count;
};

enum { WORDS = THREADS / 64 };

struct answer {
  int64_t value;
  int32_t thread, given; /* given: 0, or 1 more than errno */
};

int abp_site; /* the place of the last call of ours in the program */

static int (*new_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int (*own_attributes)(pthread_t, pthread_attr_t *);
static pthread_t (*own_handle)(void);
static void (*own_exit)(void *) __attribute__((noreturn));

static struct { int events, answers, count; } replay = {-1, -1, 1};

extern const struct object {
  const char *begin;
  uint64_t size, number, gap; /* gap: bytes behind it that are nobody's */
} __start_abp_objects[] __attribute__((weak)), __stop_abp_objects[] __attribute__((weak));

/* Breakpoints of debuggers: the running thread stops here for another one; and the run is over. */
__attribute__((noinline)) void abp_switch(int from, int to) { __asm__ volatile("" ::"r"(from), "r"(to)); }
__attribute__((noinline)) void abp_over(void) { __asm__ volatile(""); }

static _Noreturn void leave(void) {
  abp_over();
  _exit(0);
}

static void transfer(int file, char *bytes, size_t size, bool out) {
  while (size > 0) {
    ssize_t n = out ? write(file, bytes, size) : read(file, bytes, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      leave();
    bytes += n;
    size -= n;
  }
}

static void await_turn(int me) {
  while (!__atomic_exchange_n(&threads[me].turn, 0, __ATOMIC_ACQUIRE))
    syscall(SYS_futex, &threads[me].turn, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void give_turn(int other) {
  self = other;
  __atomic_store_n(&threads[other].turn, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &threads[other].turn, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void tell(enum kind kind, uint64_t address, const char *text, size_t size) {
  static struct {
    struct event event;
    uint64_t sets[2 * WORDS];
  } told;
  int words = (replay.count + 63) / 64;
  uint64_t *ready = told.sets, *asleep = told.sets + words;
  told.event = (struct event){self, kind, abp_site, (int32_t)size, address, replay.count};
  memset(told.sets, 0, 2 * words * sizeof *ready);
  for (int i = 0; i < replay.count; i++) {
    struct thread *t = &threads[i];
    if (t->life == FINISHED || (i == self && kind == DONE))
      continue;
    if (may_go_on(i))
      ready[i / 64] |= (uint64_t)1 << i % 64;
    else if (t->ready == woken)
      asleep[i / 64] |= (uint64_t)1 << i % 64;
  }
  size_t bytes = sizeof told.event + 2 * words * sizeof *ready;
  transfer(replay.events, (char *)&told, bytes, true);
  if (text)
    transfer(replay.events, (char *)text, size, true);
}

/* Says what the running thread is about to do; returns the answer, when it goes on. */
static int64_t ask(enum kind kind, uint64_t address, size_t size) {
  struct answer answer;
  int me = self, error = errno, site = abp_site;
  if (replay.events < 0)
    return 0;
  tell(kind, address, 0, size);
  transfer(replay.answers, (char *)&answer, sizeof answer, false);
  threads[answer.thread].answer = answer.value;
  threads[answer.thread].given = answer.given;
  if (answer.thread != me) {
    threads[me].lowest = __builtin_frame_address(0);
    abp_switch(me, answer.thread);
    give_turn(answer.thread);
    if (kind == DONE && me > 0)
      return 0; /* the thread ends; that of main does not, as its stack is that of the process */
    await_turn(me); /* for ever if it is done */
  }
  errno = error;
  abp_site = site; /* others have been elsewhere */
  return threads[me].answer;
}

/* ---- what the library asks for -------------------------------------------------------------- */

static void step(void) { ask(STEP, 0, 0); }

static void check(enum access how, const void *object, size_t size);

static void touch(enum access how, const void *object, size_t size) {
  ask((enum kind)how, (uintptr_t)object, size);
  check(how, object, size);
}

static void wait_until(condition *ready, const void *object) {
  threads[self].ready = ready;
  threads[self].object = object;
  ask(WAITS, (uintptr_t)object, 0);
  threads[self].ready = 0;
}

static bool woken(const void *cond, int thread) { return !waits_at(cond, thread); }

static int wakeups(void) { return 1; }

static int failures(void) { return 1; }

static int choose(int answers) { return answers == 1 ? 0 : ask(CHOICE, 0, answers) % answers; }

static bool is_undefined(void) { return ask(IS_UNDEFINED, 0, 0); }

static bool is_told(void) { return ask(IS_TOLD, 0, 0); }

static int choose_of(const void *object) {
  int64_t chosen = ask(CHOICE_OF, (uintptr_t)object, 0);
  if (chosen >= 0 && chosen < replay.count && waits_at(object, chosen))
    return chosen;
  for (int i = 0; i < replay.count; i++)
    if (waits_at(object, i))
      return i;
  return -1;
}

static _Noreturn void stop(enum kind kind, const char *text) {
  tell(kind, 0, text, strlen(text));
  leave();
}

static void end(const char *how) { stop(MISUSED, how); }

static void give_up(const char *why) { stop(UNABLE, why); }

/* ---- memory: AddressSanitizer, if it is linked ---------------------------------------------- */

extern void *__asan_region_is_poisoned(void *, size_t) __attribute__((weak));
extern void __asan_poison_memory_region(const volatile void *, size_t) __attribute__((weak));
extern void __asan_report_load_n(void *, size_t) __attribute__((weak));
extern void __asan_report_store_n(void *, size_t) __attribute__((weak));
extern const char *__asan_get_report_description(void) __attribute__((weak));
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* AddressSanitizer calls it before it ends the program. */
void __asan_on_error(void) { stop(REPORTED, __asan_get_report_description()); }

/* Whether an address is in a part of a stack that is not in use. */
static bool is_left(const char *address, size_t size) {
  for (int i = 0; i < replay.count; i++) {
    const struct thread *t = &threads[i];
    if (address >= t->stack && address + size <= t->stack_end)
      return t->life == FINISHED ||
             address < (i == self ? (const char *)__builtin_frame_address(0) : t->lowest);
  }
  return false;
}

static void check(enum access how, const void *object, size_t size) {
  if (!__asan_region_is_poisoned || replay.events < 0)
    return;
  if (is_left(object, size))
    stop(REPORTED, "stack-use-after-return");
  if (size == 0 || !__asan_region_is_poisoned((void *)object, size))
    return;
  if (how == READ || how == ATOMIC_READ)
    __asan_report_load_n((void *)object, size);
  else
    __asan_report_store_n((void *)object, size);
}

static long blocks; /* that the program has allocated */

static void *counted(void *block) {
  blocks += block != 0;
  return block;
}

/* Whether a call fails, as the trace says; it is a value that the program gets from outside, as are
   the bytes of memory that is never written (`given`). */
static bool fails(void) {
  if (ask(INPUT, 0, 0) == 0)
    return false;
  errno = ENOMEM;
  return true;
}

static void *filled(void *block, size_t size) {
  int bytes = threads[self].given;
  for (size_t at = 0; block && bytes && at < size; at += sizeof bytes)
    memcpy((char *)block + at, &bytes, size - at < sizeof bytes ? size - at : sizeof bytes);
  return block;
}

void *abp_malloc(size_t size) { return fails() ? 0 : filled(counted(malloc(size)), size); }
void *abp_calloc(size_t n, size_t size) { return fails() ? 0 : counted(calloc(n, size)); }
char *abp_strdup(const char *text) { return fails() ? 0 : counted(strdup(text)); }
char *abp_strndup(const char *text, size_t size) { return fails() ? 0 : counted(strndup(text, size)); }
void *abp_aligned_alloc(size_t to, size_t size) {
  return fails() ? 0 : counted(aligned_alloc(to, size));
}

void *abp_realloc(void *block, size_t size) {
  if (fails())
    return 0;
  if (block)
    ask((enum kind)READ, (uintptr_t)block, 1); /* what is moved */
  return block ? realloc(block, size) : counted(malloc(size));
}

/* Who looks for races asks how much is freed; what is no block, AddressSanitizer reports. */
void abp_free(void *block) {
  ask(STEP, (uintptr_t)block,
      block && !__asan_region_is_poisoned ? malloc_usable_size(block) : 0);
  blocks -= block != 0;
  free(block);
}

/* What the program calls instead of some functions of the C library asks this first (assembly.py):
   whether the trace has the result. */
int abp_is_given(int64_t *result) {
  *result = ask(GIVEN, 0, 0);
  int given = threads[self].given;
  if (given > 1)
    errno = given - 1;
  return given;
}

static void stack_of(int thread) {
  pthread_attr_t attr;
  void *begin = 0;
  size_t size = 0;
  if (own_attributes && own_attributes(own_handle(), &attr) == 0) {
    pthread_attr_getstack(&attr, &begin, &size);
    pthread_attr_destroy(&attr);
  }
  threads[thread].stack = begin;
  threads[thread].stack_end = (char *)begin + size;
}

/* ---- threads -------------------------------------------------------------------------------- */

static void *body(void *number) {
  int me = (int)(intptr_t)number;
  await_turn(me);
  threads[me].life = STARTED;
  stack_of(me);
  ask(BEGUN, 0, 0);
  pthread_exit(threads[me].start(threads[me].argument));
}

static int create(void *(*start)(void *), void *argument, bool joinable) {
  pthread_t unused;
  int number = replay.count;
  if (number == THREADS)
    give_up("too many threads");
  threads[number].start = start;
  threads[number].argument = argument;
  threads[number].joinable = joinable;
  threads[number].life = NEW;
  if (new_thread(&unused, 0, body, (void *)(intptr_t)number))
    give_up("the system creates no more threads");
  replay.count++;
  ask(CREATED, number, 0);
  return number;
}

static void finish(void *result) {
  threads[self].result = result;
  threads[self].argument = 0; /* what it points to may be lost */
  threads[self].life = FINISHED;
  for (int i = 0; i < replay.count; i++)
    if (threads[i].life != FINISHED) {
      ask(DONE, 0, 0);
      own_exit(0);
    }
  exit(0);
}

/* ---- how it begins and ends ----------------------------------------------------------------- */

/* What functions have left on the stack below points to nothing any more. */
__attribute__((noinline)) static void clear_stack(void) {
  char left[1 << 14];
  memset(left, 0, sizeof left);
  __asm__ volatile("" ::"r"(left) : "memory");
}

/* Says whether there is memory that was not freed. */
static void count_memory(void) {
  bool lost = __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check();
  if (lost || blocks > 0)
    tell(LEAKED, 0, 0, lost);
}

__attribute__((destructor(101))) static void ended(void) {
  if (threads[self].life != FINISHED)
    ask(EXITS, 0, 0);
  clear_stack();
  count_memory();
  tell(ENDED, 0, 0, 0);
  leave();
}

/* Nor what they have left in registers, which who is called saves on the stack. */
__asm__("\t.text\n\t.globl abp_exit\nabp_exit:\n"
        "xorl %ebx, %ebx\nxorl %r12d, %r12d\nxorl %r13d, %r13d\nxorl %r14d, %r14d\n"
        "xorl %r15d, %r15d\njmp abp_exit_clean\n");

_Noreturn void abp_exit_clean(int status) {
  clear_stack();
  exit(status);
}

void abp_abort(void) {
  ask(EXITS, 0, 0);
  abort();
}

static void crashed(int number, siginfo_t *info, void *context) {
  tell(CRASHED, (uintptr_t)info->si_addr, 0, number);
  leave();
}

/* Before the constructors of the program, and its end behind their destructors. */
__attribute__((constructor(101))) static void begin(void) {
  static char other[1 << 16]; /* a stack that has overflowed is of no use */
  stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  const char *files = getenv("ABPRESS_REPLAY"), *answers = getenv("ABPRESS_ANSWERS");
  new_thread = dlsym(RTLD_DEFAULT, "pthread_create");
  own_attributes = dlsym(RTLD_DEFAULT, "pthread_getattr_np");
  own_exit = dlsym(RTLD_DEFAULT, "pthread_exit");
  own_handle = dlsym(RTLD_DEFAULT, "pthread_self");
  threads[0].life = STARTED;
  threads[0].joinable = true;
  if (answers) {
    replay.events = open("/dev/null", O_WRONLY | O_CLOEXEC);
    replay.answers = open(answers, O_RDONLY | O_CLOEXEC);
  } else if (!files || sscanf(files, "%d,%d", &replay.events, &replay.answers) != 2) {
    fputs("this program runs by a schedule: ABPRESS_ANSWERS names the file\n", stderr);
    _exit(3);
  } else {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would lead it any more */
  }
  sigaltstack(&stack, 0);
  for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, 0}; *s; s++)
    sigaction(*s, &action, 0);
  for (const struct object *o = __start_abp_objects; o < __stop_abp_objects; o++)
    transfer(replay.events, (char *)o, sizeof *o, true);
  transfer(replay.events, (char *)&(struct object){0}, sizeof(struct object), true);
  for (const struct object *o = __start_abp_objects; o < __stop_abp_objects; o++)
    if (__asan_poison_memory_region && o->gap)
      __asan_poison_memory_region(o->begin + o->size, o->gap);
  stack_of(0);
  setvbuf(stdout, 0, _IONBF, 0);
}

/* ---- functions of verifiers, and of the library that wait for time -------------------------- */

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  stop(FAILED, text);
}

void reach_error(void) { stop(FAILED, "reach_error"); }
void __VERIFIER_error(void) { stop(FAILED, "__VERIFIER_error"); }

#define INPUTS(name, type)                                                                         \
  type __VERIFIER_nondet_##name(void) { return (type)ask(INPUT, 0, 0); }
INPUTS(bool, _Bool)
INPUTS(char, char)
INPUTS(schar, signed char)
INPUTS(uchar, unsigned char)
INPUTS(short, short)
INPUTS(ushort, unsigned short)
INPUTS(int, int)
INPUTS(uint, unsigned)
INPUTS(unsigned, unsigned)
INPUTS(unsigned_int, unsigned)
INPUTS(long, long)
INPUTS(ulong, unsigned long)
INPUTS(longlong, long long)
INPUTS(ulonglong, unsigned long long)
INPUTS(u8, uint8_t)
INPUTS(u16, uint16_t)
INPUTS(u32, uint32_t)
INPUTS(u64, uint64_t)
INPUTS(size_t, size_t)
INPUTS(loff_t, long long)
INPUTS(pointer, void *)

double __VERIFIER_nondet_double(void) {
  int64_t bits = ask(INPUT, 0, 0);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float __VERIFIER_nondet_float(void) {
  uint32_t bits = (uint32_t)ask(INPUT, 0, 0);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void __VERIFIER_assume(int condition) {
  if (!condition)
    stop(UNASSUMED, "");
}

void __VERIFIER_atomic_begin(void) { ask(ATOMIC_BEGIN, 0, 0); }
void __VERIFIER_atomic_end(void) { ask(ATOMIC_END, 0, 0); }

static void cancellation_point(void);

#define SLEEPS(type, name, parameters)                                                             \
  type name parameters {                                                                           \
    cancellation_point();                                                                          \
    return 0;                                                                                      \
  }
SLEEPS(unsigned, sleep, (unsigned seconds))
SLEEPS(int, usleep, (useconds_t time))
SLEEPS(int, nanosleep, (const struct timespec *time, struct timespec *rest))
SLEEPS(int, clock_nanosleep,
       (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest))

/* ---- what else code calls that is compiled with other instruments --------------------------- */

#define CHECKED(size)                                                                              \
  extern void __asan_load##size(void *) __attribute__((weak));                                     \
  extern void __asan_store##size(void *) __attribute__((weak));                                    \
  void abp_load##size(void *p) {                                                                   \
    ask((enum kind)READ, (uintptr_t)p, size);                                                      \
    __asan_load##size(p);                                                                          \
  }                                                                                                \
  void abp_store##size(void *p) {                                                                  \
    ask((enum kind)WRITE, (uintptr_t)p, size);                                                     \
    __asan_store##size(p);                                                                         \
  }
CHECKED(1)
CHECKED(2)
CHECKED(4)
CHECKED(8)
CHECKED(16)

extern void __asan_loadN(void *, size_t) __attribute__((weak));
extern void __asan_storeN(void *, size_t) __attribute__((weak));

void abp_loadN(void *p, size_t size) {
  ask((enum kind)READ, (uintptr_t)p, size);
  __asan_loadN(p, size);
}

void abp_storeN(void *p, size_t size) {
  ask((enum kind)WRITE, (uintptr_t)p, size);
  __asan_storeN(p, size);
}

void __cyg_profile_func_enter(void *function, void *caller) {}
void __cyg_profile_func_exit(void *function, void *caller) {}

#define UNDEFINED(name, text)                                                                      \
  void __ubsan_handle_##name##_abort(void) { stop(FAILED, text); }
UNDEFINED(add_overflow, "overflow of an addition")
UNDEFINED(sub_overflow, "overflow of a subtraction")
UNDEFINED(mul_overflow, "overflow of a multiplication")
UNDEFINED(negate_overflow, "overflow of a negation")
UNDEFINED(divrem_overflow, "overflow of a division, or a division by zero")
UNDEFINED(shift_out_of_bounds, "overflow of a shift")

#include "accesses.c"
#include "memory.c"
#include "threads.c"
#include "locks.c"
#include "c11.c"
