/* What stands behind a program that runs under a sanitizer: functions of the verifiers, and noise.
   Compilers call __sanitizer_cov_trace_pc in every block (-fsanitize-coverage=trace-pc), and calls
   of the functions below are wrapped (-Wl,--wrap); this file is compiled without sanitizers. The
   seed is the variable NOISE of the environment. */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static unsigned seed, threads;
static __thread unsigned state;
static __thread int busy;

static unsigned drawn(void)
{
    if (state == 0) {
        unsigned me = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);

        state = seed * 2654435761u + me * 40503u + 1;
        if (state == 0)
            state = 1;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("NOISE");

    seed = text ? (unsigned)atoi(text) : 1;
}

void __sanitizer_cov_trace_pc(void)
{
    unsigned draw;

    if (busy)
        return;
    busy = 1;
    draw = drawn() % 32;
    if (draw == 0) {
        struct timespec some = {0, (long)(drawn() % 500000)};

        nanosleep(&some, 0);
    } else if (draw < 6) {
        sched_yield();
    }
    busy = 0;
}

#define WRAPPED(function, ...) \
    int __real_##function(__VA_ARGS__); \
    int __wrap_##function(__VA_ARGS__)
#define AROUND(call) \
    { \
        int result; \
        __sanitizer_cov_trace_pc(); \
        result = call; \
        __sanitizer_cov_trace_pc(); \
        return result; \
    }

WRAPPED(pthread_mutex_lock, pthread_mutex_t *m)
AROUND(__real_pthread_mutex_lock(m))
WRAPPED(pthread_mutex_unlock, pthread_mutex_t *m)
AROUND(__real_pthread_mutex_unlock(m))
WRAPPED(pthread_join, pthread_t t, void **to)
AROUND(__real_pthread_join(t, to))
WRAPPED(sem_post, sem_t *s)
AROUND(__real_sem_post(s))

int __VERIFIER_nondet_int(void)
{
    static const int telling[] = {0, 1, -1, 2, 3, INT_MAX, INT_MIN, INT_MAX - 1, 4, 100};
    unsigned draw = drawn() % 12;

    return draw < 10 ? telling[draw] : (int)drawn();
}

unsigned __VERIFIER_nondet_uint(void)
{
    return (unsigned)__VERIFIER_nondet_int();
}

_Bool __VERIFIER_nondet_bool(void)
{
    return drawn() & 1;
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(0);
}
