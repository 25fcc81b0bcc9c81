/* Hand-made once: the flag is set before the initialisation is done. */
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

static int once;
static int value, runs;

static void initialise(void)
{
    runs++;
    value = 42;
}

static void run_once(int *flag, void (*f)(void))
{
    if (__sync_bool_compare_and_swap(flag, 0, 1))
        f();
}

static void *user(void *arg)
{
    run_once(&once, initialise);
    __VERIFIER_assert(value == 42 && runs == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
