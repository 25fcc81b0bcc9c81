/* Two threads count up from an input, not beyond the largest number. */
#include <limits.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, start;

static void *counter(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        if (count < INT_MAX)
            count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    start = __VERIFIER_nondet_int();
    count = start;
    pthread_create(&a, 0, counter, 0);
    pthread_create(&b, 0, counter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(count >= start);
    return 0;
}
