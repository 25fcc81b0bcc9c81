/* A small input chosen by main; for one of its values the work is not all done. */
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

extern int __VERIFIER_nondet_int(void);

static void assume_abort_if_not(int cond)
{
    if (!cond)
        abort();
}

static int limit;
static int done;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *lower(void *arg)
{
    int i;

    for (i = 0; i < limit; i++) {
        pthread_mutex_lock(&m);
        done++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *upper(void *arg)
{
    int i;

    for (i = limit == 2 ? 3 : limit; i < 3; i++) {
        pthread_mutex_lock(&m);
        done++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    limit = __VERIFIER_nondet_int();
    assume_abort_if_not(0 <= limit && limit <= 3);
    pthread_create(&a, 0, lower, 0);
    pthread_create(&b, 0, upper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(done == 3);
    return 0;
}
