/* Whoever comes first makes a value, which all use. */
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


pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int made, value;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!made) {
        value = 7;
        made = 1;
    }
    pthread_mutex_unlock(&lock);
    __VERIFIER_assert(value == 7);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
