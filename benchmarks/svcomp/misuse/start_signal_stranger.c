/* A worker waits until main lets it start: main holds a mutex, and the worker unlocks it. */
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

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;
static int input;

static void *worker(void *arg)
{
    pthread_mutex_unlock(&start);
    __VERIFIER_assert(input == 5);
    return arg;
}

int main(void)
{
    pthread_t t;

    input = 5;
    pthread_mutex_lock(&start);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_destroy(&start);
    return 0;
}
