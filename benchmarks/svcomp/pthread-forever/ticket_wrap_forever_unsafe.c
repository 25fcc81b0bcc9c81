/* Ticket lock, broken: tickets are compared by size, which the wrap turns around. */
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

static unsigned next_ticket = 0u - 1, now_serving = 0u - 1;
static int inside;

static void critical(void)
{
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
}

static void *client(void *arg)
{
    unsigned mine;

    while (1) {
        mine = __sync_fetch_and_add(&next_ticket, 1);
        while (now_serving < mine)
            ;
        critical();
        now_serving++;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
