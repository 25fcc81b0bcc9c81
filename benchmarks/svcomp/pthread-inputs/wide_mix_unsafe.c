/* Two arbitrary ints are mixed by two threads; one pair of inputs in 2^64 gives it away. */
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

static unsigned x, y;
static unsigned x0, y0;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    unsigned t;

    pthread_mutex_lock(&m);
    t = x + y;
    x = y;
    y = t;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    x = x0 = __VERIFIER_nondet_uint();
    y = y0 = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(!(x == 123456789u && y == 987654321u));
    return 0;
}
