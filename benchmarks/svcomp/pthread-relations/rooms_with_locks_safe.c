/* Any number of threads use rooms, each of which has a lock. */
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

struct account {
    int guests;
    pthread_mutex_t lock;
} rooms[20];

static void *visit(void *unused)
{
    int i = __VERIFIER_nondet_int();

    if (i < 0 || i >= 20)
        return unused;
    pthread_mutex_lock(&rooms[i].lock);
    rooms[i].guests++;
    __VERIFIER_assert(rooms[i].guests == 1);
    rooms[i].guests--;
    pthread_mutex_unlock(&rooms[i].lock);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, visit, 0);
}
