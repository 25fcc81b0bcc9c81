/* A buffer is filled, then handed over by pointer and semaphore; it comes back by another one. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define SIZE 4

static sem_t filled, emptied;
static char *handed;

static void *consumer(void *arg)
{
    int i, sum = 0;

    sem_wait(&filled);
    for (i = 0; i < SIZE; i++)
        sum += handed[i];
    __VERIFIER_assert(sum <= SIZE);
    sem_post(&emptied);
    return arg;
}

int main(void)
{
    static char buffer[SIZE];
    pthread_t t;

    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 0);
    pthread_create(&t, 0, consumer, 0);
    memset(buffer, 1, SIZE);
    handed = buffer;
    sem_post(&filled);
    sem_wait(&emptied);
    memset(buffer, 0, SIZE);
    pthread_join(t, 0);
    sem_destroy(&filled);
    sem_destroy(&emptied);
    return 0;
}
