/* The first user opens something, the last one closes it. */
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
int uses, open;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (uses == 0)
        open = 1;
    if (uses == 1000000)
        abort();
    uses++;
    pthread_mutex_unlock(&lock);
    __VERIFIER_assert(open == 1);
    pthread_mutex_lock(&lock);
    uses--;
    if (uses == 0)
        open = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
