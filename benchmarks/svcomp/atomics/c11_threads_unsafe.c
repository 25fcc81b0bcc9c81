/* C11 <threads.h>: two threads that forget their mtx_t. */
#include <threads.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static mtx_t m;
static int count;

static int worker(void *arg)
{
    int i, n = *(int *)arg;

    for (i = 0; i < n; i++) {
        count++;
    }
    return n;
}

int main(void)
{
    thrd_t a, b;
    int one = 1, two = 2, x, y;

    mtx_init(&m, mtx_plain);
    thrd_create(&a, worker, &one);
    thrd_create(&b, worker, &two);
    thrd_join(a, &x);
    thrd_join(b, &y);
    __VERIFIER_assert(x + y == 3);
    __VERIFIER_assert(count == 3);
    mtx_destroy(&m);
    return 0;
}
