/* An event log: writers claim slots of a ring by an atomic index; the ring is too small, and wraps. */
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define WRITERS 2
#define EVENTS 2
#define SLOTS WRITERS

struct event {
    int writer, number;
};

static struct event ring[SLOTS];
static atomic_uint next;

static void *writer(void *arg)
{
    int me = *(int *)arg, i;

    for (i = 1; i <= EVENTS; i++) {
        struct event *event = &ring[atomic_fetch_add(&next, 1) % SLOTS];

        event->writer = me;
        event->number = i;
    }
    return 0;
}

int main(void)
{
    static int names[WRITERS] = {7, 8};
    pthread_t threads[WRITERS];
    int i;

    for (i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], 0, writer, &names[i]);
    for (i = 0; i < WRITERS; i++)
        pthread_join(threads[i], 0);
    __VERIFIER_assert(next == WRITERS * EVENTS);
    for (i = 0; i < SLOTS; i++)
        __VERIFIER_assert(ring[i].writer >= 7 && ring[i].number >= 1);
    return 0;
}
