/* A range is shared by threads that bisect it; the midpoint is taken from the lower end. */
#include <limits.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low = 0, high = INT_MAX;

static void *upwards(void *arg)
{
    int middle;

    pthread_mutex_lock(&lock);
    middle = low + (high - low) / 2;
    low = middle;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *downwards(void *arg)
{
    int middle;

    pthread_mutex_lock(&lock);
    middle = low + (high - low) / 2;
    high = middle;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, upwards, 0);
    pthread_create(&b, 0, downwards, 0);
    pthread_create(&c, 0, upwards, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    __VERIFIER_assert(0 <= low && low <= high);
    return 0;
}
