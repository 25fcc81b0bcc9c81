/* A worker waits until main lets it start: by a semaphore, which any thread may post. */
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static sem_t start;
static int input;

static void *worker(void *arg)
{
    sem_wait(&start);
    __VERIFIER_assert(input == 5);
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&start, 0, 0);
    pthread_create(&t, 0, worker, 0);
    input = 5;
    sem_post(&start);
    pthread_join(t, 0);
    sem_destroy(&start);
    return 0;
}
