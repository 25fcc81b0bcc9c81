/* Compound assignment of _Atomic variables is one step, even between different operators. */
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

static _Atomic unsigned bits;

static void *low(void *arg)
{
    bits |= 0x0f;
    bits ^= 0x05;
    return arg;
}

static void *high(void *arg)
{
    bits |= 0xf0;
    bits &= ~0x30u;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, low, 0);
    pthread_create(&b, 0, high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(bits == 0xca);
    return 0;
}
