/* Indices of a ring of three, broken: the producer looks for space without the lock. */
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

#define SIZE 3

static unsigned produced, consumed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg)
{
    while (1) {
        if (produced - consumed < SIZE) {
            pthread_mutex_lock(&m);
            produced++;
            pthread_mutex_unlock(&m);
        }
    }
    return arg;
}

static void *consumer(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (consumed != produced)
            consumed++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    while (1) {
        pthread_mutex_lock(&m);
        __VERIFIER_assert(produced - consumed <= SIZE);
        pthread_mutex_unlock(&m);
    }
}
