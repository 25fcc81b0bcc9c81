/* Two threads add i and j to one another 5 times each: how far can the sums grow? */
#include <pthread.h>

#define N 5
#define LIMIT (144 - 1) /* fib(2 * N + 2) - 1 */

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int i = 1, j = 1;

static void *add_to_i(void *arg)
{
    int k;

    for (k = 0; k < N; k++)
        i += j;
    return arg;
}

static void *add_to_j(void *arg)
{
    int k;

    for (k = 0; k < N; k++)
        j += i;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, add_to_i, 0);
    pthread_create(&b, 0, add_to_j, 0);
    __VERIFIER_assert(i <= LIMIT && j <= LIMIT);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(i <= LIMIT && j <= LIMIT);
    return 0;
}
