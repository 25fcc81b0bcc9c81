/* Two counters that are to move together, broken: the lock is given back in between. */
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
        pthread_mutex_unlock(&m);
        y++;
    }
    return arg;
}

static void *reader(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        __VERIFIER_assert(x == y);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_create(&c, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
