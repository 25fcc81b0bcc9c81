/* 4 threads mark the array element that their argument names. */
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

static void *mark(void *arg)
{
    marked[*(int *)arg] = 1;
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int number[N];
    int i, sum = 0;

    for (i = 0; i < N; i++) {
        number[i] = i + 1;
        pthread_create(&threads[i], 0, mark, &number[i]);
    }
    for (i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (i = 1; i <= N; i++)
        sum += marked[i];
    __VERIFIER_assert(sum == N);
    return 0;
}
