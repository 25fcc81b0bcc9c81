/* Threads are told their cell by the address of the loop variable, which main goes on to change. */
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

#define THREADS 3

static int done[THREADS];

static void *worker(void *arg)
{
    int me = *(int *)arg;

    if (me < THREADS)
        done[me] += 1;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;
    int sum = 0;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, &i);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += done[i];
    }
    __VERIFIER_assert(sum == THREADS);
    return 0;
}
