/* Maximum of the values of five threads: local maxima are merged under a lock. */
#include <pthread.h>

#define THREADS 5
#define VALUES 2

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

static int max;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int input(void)
{
    return __VERIFIER_nondet_int();
}

static void *thread(void *arg)
{
    int k, v, mine = 0;

    for (k = 0; k < VALUES; k++) {
        v = input();
        if (v > mine)
            mine = v;
    }
    pthread_mutex_lock(&m);
    if (max < mine)
        max = mine;
    pthread_mutex_unlock(&m);
    __VERIFIER_assert(mine <= max);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
