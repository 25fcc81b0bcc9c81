/* Whoever comes first empties a stack; who has pushed a node onto it does not find it empty. */
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

#define NODES 40

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready, top, used, next[NODES];

static void *push(void *unused)
{
    int mine, old;

    pthread_mutex_lock(&lock);
    if (!ready) {
        top = 0;
        ready = 1;
    }
    mine = used < NODES - 1 ? ++used : 0;
    pthread_mutex_unlock(&lock);
    if (mine == 0)
        return unused;
    do {
        old = __sync_fetch_and_add(&top, 0);
        next[mine] = old;
    } while (!__sync_bool_compare_and_swap(&top, old, mine));
    __VERIFIER_assert(top != 0);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, push, 0);
}
