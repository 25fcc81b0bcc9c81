/* pthread_once: the initialisation runs once and is complete for everybody. */
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

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, runs;

static void initialise(void)
{
    runs++;
    value = 42;
}

static void *user(void *arg)
{
    pthread_once(&once, initialise);
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
