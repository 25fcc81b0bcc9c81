/* Threads that create threads: one inner node of the tree forgets to join a leaf. */
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

static int leaf[4] = {1, 2, 3, 4};
static int sum[2];

static void *add_leaf(void *arg)
{
    int i = (int)(long)arg;

    __sync_fetch_and_add(&sum[i / 2], leaf[i]);
    return 0;
}

static void *inner(void *arg)
{
    int k = *(int *)arg;
    pthread_t a, b;

    pthread_create(&a, 0, add_leaf, (void *)(long)(2 * k));
    pthread_create(&b, 0, add_leaf, (void *)(long)(2 * k + 1));
    pthread_join(a, 0);
    if (k == 0)
        pthread_join(b, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;

    pthread_create(&a, 0, inner, &zero);
    pthread_create(&b, 0, inner, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(sum[0] + sum[1] == 10);
    return 0;
}
