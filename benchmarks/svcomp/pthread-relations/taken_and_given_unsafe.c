/* One thread takes as often as another one gives. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);

int n, left, right, moved;

static void *take(void *unused)
{
    for (int i = 0; i < n; i++) {
        left -= 1;
        if (left == moved)
            break;
        moved += 1;
    }
    return unused;
}

static void *give(void *unused)
{
    for (int i = 0; i < n; i++)
        right += 1;
    return unused;
}

int main(void)
{
    pthread_t t, u;
    int all = __VERIFIER_nondet_int();

    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000 || all < 0 || all > 100000)
        abort();
    left = all;
    pthread_create(&t, 0, take, 0);
    pthread_create(&u, 0, give, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(left + right == all);
    return 0;
}
