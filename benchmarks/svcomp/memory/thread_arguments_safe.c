/* A thread gets its arguments in a heap object, which it frees. */
#include <pthread.h>
#include <stdlib.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct arguments {
    int from, to;
};

static int sums[2];

static void *add(void *arg)
{
    struct arguments *range = arg;
    int i;

    for (i = range->from; i < range->to; i++)
        sums[range->from > 0] += i;
    free(range);
    return 0;
}

static pthread_t start(int from, int to)
{
    struct arguments *range = malloc(sizeof(*range));
    pthread_t t;

    if (!range)
        abort();
    range->from = from;
    range->to = to;
    pthread_create(&t, 0, add, range);
    return t;
}

int main(void)
{
    pthread_t a = start(0, 2), b = start(2, 4);

    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(sums[0] + sums[1] == 6);
    return 0;
}
