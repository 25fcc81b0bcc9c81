/* Two counters that a thread moves together under a lock; main compares them. */
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

static unsigned x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        x++;
        y++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, writer, 0);
    while (1) {
        pthread_mutex_lock(&m);
        __VERIFIER_assert(x == y);
        pthread_mutex_unlock(&m);
    }
}
