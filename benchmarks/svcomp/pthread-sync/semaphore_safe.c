/* Producer and consumer of a bounded buffer with counting semaphores. */
#include <pthread.h>
#include <semaphore.h>

#define SIZE 2
#define ITEMS 4

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int buffer[SIZE];
static sem_t free_slots, full_slots;

static void *producer(void *arg)
{
    int i;

    for (i = 0; i < ITEMS; i++) {
        sem_wait(&free_slots);
        buffer[i % SIZE] = i;
        sem_post(&full_slots);
    }
    return arg;
}

static void *consumer(void *arg)
{
    int i;

    for (i = 0; i < ITEMS; i++) {
        sem_wait(&full_slots);
        __VERIFIER_assert(buffer[i % SIZE] == i);
        sem_post(&free_slots);
    }
    return arg;
}

int main(void)
{
    pthread_t p, c;

    sem_init(&free_slots, 0, SIZE);
    sem_init(&full_slots, 0, 0);
    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    sem_destroy(&free_slots);
    sem_destroy(&full_slots);
    return 0;
}
