/* Threads count into cells of their own, told to them by value; main sums up after the joins. */
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
    long me = (long)arg;

    done[me] += 1;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    long i;
    int sum = 0;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, (void *)i);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        sum += done[i];
    }
    __VERIFIER_assert(sum == THREADS);
    return 0;
}
