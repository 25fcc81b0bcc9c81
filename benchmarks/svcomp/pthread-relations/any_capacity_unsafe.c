/* Any number of producers and consumers of a buffer of any capacity. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count, capacity;

static void *work(void *unused)
{
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (count < capacity)
            count++;
        pthread_mutex_unlock(&lock);
    } else {
        int before;

        pthread_mutex_lock(&lock);
        before = count;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (before > 0)
            count--;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    __VERIFIER_assert(count >= 0 && count <= capacity);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;

    capacity = __VERIFIER_nondet_int();
    if (capacity < 1)
        abort();
    while (1)
        pthread_create(&t, 0, work, 0);
}
