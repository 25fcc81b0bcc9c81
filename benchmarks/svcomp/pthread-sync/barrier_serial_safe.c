/* Several rounds over one barrier: exactly one thread is the serial one in each round. */
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

#define ROUNDS 2

static pthread_barrier_t barrier;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int serial;

static void *worker(void *arg)
{
    int i;

    for (i = 1; i <= ROUNDS; i++) {
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
            pthread_mutex_lock(&m);
            serial++;
            pthread_mutex_unlock(&m);
        }
        pthread_barrier_wait(&barrier);
        pthread_mutex_lock(&m);
        __VERIFIER_assert(serial == i);
        pthread_mutex_unlock(&m);
        pthread_barrier_wait(&barrier);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
