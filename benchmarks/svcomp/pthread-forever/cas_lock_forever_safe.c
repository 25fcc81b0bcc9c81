/* Spin lock by compare-and-swap, two threads for ever; main idles for ever. */
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

static int locked;
static int inside;

static void critical(void)
{
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
}

static void *client(void *arg)
{
    while (1) {
        while (!__sync_bool_compare_and_swap(&locked, 0, 1))
            ;
        critical();
        locked = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    while (1)
        ;
}
