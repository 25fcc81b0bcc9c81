// expect: true args: --engine abpress
/* Counters behind a lock: nobody knows which one a thread increments. */
#include <pthread.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int counters[64];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *arg)
{
    int k = __VERIFIER_nondet_int();

    if (k < 0 || k >= 64)
        return arg;
    pthread_mutex_lock(&lock);
    counters[k]++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    int seen = __VERIFIER_nondet_int();

    if (seen < 0 || seen >= 64)
        return 0;
    pthread_create(&t, 0, count, 0);
    count(0);
    pthread_join(t, 0);
    if (counters[seen] < 0 || counters[seen] > 2)
        reach_error();
    return 0;
}
