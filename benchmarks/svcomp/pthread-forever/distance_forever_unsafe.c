/* How many tickets are out, broken: the two numbers are read one after the other. */
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
    unsigned serving;

    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    while (1) {
        serving = now_serving;
        __VERIFIER_assert(next_ticket - serving <= 2);
    }
}
