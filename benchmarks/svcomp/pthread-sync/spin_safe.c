/* Two threads count under a pthread spin lock. */
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

static pthread_spinlock_t s;
static int count;

static void *worker(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        pthread_spin_lock(&s);
        count++;
        pthread_spin_unlock(&s);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(count == 4);
    pthread_spin_destroy(&s);
    return 0;
}
