/* Two binary semaphores taken in opposite orders. */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *one(void *arg)
{
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return arg;
}

static void *two(void *arg)
{
    sem_wait(&b);
    sem_wait(&a);
    sem_post(&a);
    sem_post(&b);
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
