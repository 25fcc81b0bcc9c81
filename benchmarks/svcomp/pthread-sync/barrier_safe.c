/* Two phases separated by a barrier: threads read what their neighbours wrote before. */
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

static pthread_barrier_t barrier;
static int cell[THREADS];

static void *worker(void *arg)
{
    int me = *(int *)arg;

    cell[me] = me + 1;
    pthread_barrier_wait(&barrier);
    __VERIFIER_assert(cell[(me + 1) % THREADS] == (me + 1) % THREADS + 1);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int id[THREADS];
    int i;

    pthread_barrier_init(&barrier, 0, THREADS);
    for (i = 0; i < THREADS; i++) {
        id[i] = i;
        pthread_create(&threads[i], 0, worker, &id[i]);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
