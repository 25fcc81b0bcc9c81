/* How many tickets of two threads are out, with wrap-around; main reads both numbers at once. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned next_ticket, now_serving;

static void *client(void *arg)
{
    unsigned mine;

    while (1) {
        mine = __sync_fetch_and_add(&next_ticket, 1);
        while (now_serving != mine)
            ;
        now_serving++;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assert(next_ticket - now_serving <= 2);
        __VERIFIER_atomic_end();
    }
}
