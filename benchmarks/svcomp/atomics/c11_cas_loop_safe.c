/* Two threads apply different operations to one atomic variable by compare-exchange loops. */
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

static _Atomic int value = 1;

static void *add(void *arg)
{
    int old = atomic_load(&value);

    while (!atomic_compare_exchange_strong(&value, &old, old + 3))
        ;
    return arg;
}

static void *multiply(void *arg)
{
    int old = atomic_load_explicit(&value, memory_order_relaxed);

    while (!atomic_compare_exchange_strong_explicit(&value, &old, old * 5, memory_order_acq_rel,
                                                    memory_order_acquire))
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int v;

    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, multiply, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    v = value;
    __VERIFIER_assert(v == 20 || v == 8);
    return 0;
}
