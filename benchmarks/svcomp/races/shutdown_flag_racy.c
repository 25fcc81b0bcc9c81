/* A worker handles ticks until a volatile flag tells it to stop: volatile is not atomic. */
#include <pthread.h>
#include <sched.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define MOST 3

static volatile int stop;
static int ticks;

static void *worker(void *arg)
{
    while (!stop && ticks < MOST) {
        ticks++;
        sched_yield();
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, worker, 0);
    stop = 1;
    pthread_join(t, 0);
    __VERIFIER_assert(ticks <= MOST);
    return 0;
}
