/* Threads raise elements of an array under a lock, and none lowers them. */
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

#define SIZE 16

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level[SIZE];

static void *work(void *unused)
{
    int i = __VERIFIER_nondet_int(), by = __VERIFIER_nondet_int();

    if (i < 0 || i >= SIZE)
        return unused;
    pthread_mutex_lock(&lock);
    if (by > level[i])
        level[i] = by;
    __VERIFIER_assert(level[i] >= by && level[i] >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
