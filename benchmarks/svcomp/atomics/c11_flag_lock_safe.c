/* A spin lock made of a C11 atomic_flag. */
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

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int count;

static void *worker(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        while (atomic_flag_test_and_set(&taken))
            ;
        count++;
        atomic_flag_clear(&taken);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(count == 4);
    return 0;
}
