/* Ticket lock used by five threads. */
#include <pthread.h>

#define THREADS 5

#define NO_MORE (0u - 1)

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static unsigned next_ticket, now_serving;
static int inside;

static int lock(void)
{
    unsigned mine;

    do {
        mine = next_ticket;
        if (mine == NO_MORE)
            return 0;
    } while (!__sync_bool_compare_and_swap(&next_ticket, mine, mine + 1));
    while (now_serving != mine)
        ;
    return 1;
}

static void unlock(void)
{
    now_serving++;
}

static void *thread(void *arg)
{
    if (!lock())
        return arg;
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
