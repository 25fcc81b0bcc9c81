/* Statistics are updated if the lock can be had at once, and otherwise left for later. */
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *worker(void *arg)
{
    int pending = 0, i;

    for (i = 0; i < ROUNDS; i++) {
        int held = pthread_mutex_trylock(&lock) == 0;

        pending++;
        if (held) {
            total += pending;
            pending = 0;
            pthread_mutex_unlock(&lock);
        }
    }
    pthread_mutex_lock(&lock);
    total += pending;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(total == 2 * ROUNDS);
    return 0;
}
