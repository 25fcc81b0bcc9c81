/* Maximum of the values of two threads, broken: after a failed swap it is stored anyway. */
#include <pthread.h>

#define THREADS 2
#define VALUES 1

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

static int max;

static int input(void)
{
    int v = __VERIFIER_nondet_int();

    assume_abort_if_not(0 <= v && v <= 3);
    return v;
}

static void *thread(void *arg)
{
    int k, v, seen, mine = 0;

    for (k = 0; k < VALUES; k++) {
        v = input();
        if (v > mine)
            mine = v;
    }
    seen = max;
    if (seen < mine && !__sync_bool_compare_and_swap(&max, seen, mine))
        max = mine;
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
