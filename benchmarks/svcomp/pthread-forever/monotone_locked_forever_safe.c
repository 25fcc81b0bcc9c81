/* A counter that two threads increment under a lock; a third reads it twice, without. */
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

#define LAST (0u - 1)

static unsigned counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (counter != LAST)
            counter++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *reader(void *arg)
{
    unsigned before, after;

    while (1) {
        before = counter;
        after = counter;
        __VERIFIER_assert(before <= after);
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
