/* A function that locks is called with the lock held, on one path only. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int full, count;

static void reset(void)
{
    pthread_mutex_lock(&m);
    count = 0;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    count++;
    if (full && count == 2) {
        reset();
    }
    full = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
