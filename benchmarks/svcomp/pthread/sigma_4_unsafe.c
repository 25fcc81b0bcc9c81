/* 4 threads mark the array element that a shared index names later. */
#include <pthread.h>

#define N 4

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int marked[N + 1];
static int idx;

static void *mark(void *arg)
{
    marked[idx] = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[N];
    int i, sum = 0;

    for (i = 0; i < N; i++) {
        idx++;
        pthread_create(&threads[i], 0, mark, 0);
    }
    for (i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (i = 1; i <= N; i++)
        sum += marked[i];
    __VERIFIER_assert(sum == N);
    return 0;
}
