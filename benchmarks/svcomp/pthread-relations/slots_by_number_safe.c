/* Fifty threads have a number each, and a slot of that number. */
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


#define SLOTS 50

int slots[SLOTS];

static void *work(void *number)
{
    int i = (int)(long)number;

    slots[i] = i + 1;
    __VERIFIER_assert(slots[i] == i + 1);
    slots[i] = 0;
    return 0;
}

int main(void)
{
    pthread_t t[SLOTS];

    for (int i = 0; i < SLOTS; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < SLOTS; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < SLOTS; i++)
        __VERIFIER_assert(slots[i] == 0);
    return 0;
}
