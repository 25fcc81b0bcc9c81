/* A level is raised by two threads by arbitrary amounts; the test for the maximum can wrap. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern unsigned __VERIFIER_nondet_uint(void);

#define MAXIMUM 1000000u

static unsigned level;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *raise_level(void *arg)
{
    unsigned amount = __VERIFIER_nondet_uint();

    pthread_mutex_lock(&m);
    if (level + amount <= MAXIMUM)
        level += amount;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *watcher(void *arg)
{
    unsigned before, after;

    pthread_mutex_lock(&m);
    before = level;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    after = level;
    pthread_mutex_unlock(&m);
    __VERIFIER_assert(before <= after && after <= MAXIMUM);
    return arg;
}

int main(void)
{
    pthread_t a, b, w;

    pthread_create(&a, 0, raise_level, 0);
    pthread_create(&b, 0, raise_level, 0);
    pthread_create(&w, 0, watcher, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    return 0;
}
