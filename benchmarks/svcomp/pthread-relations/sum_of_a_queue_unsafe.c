/* A consumer adds up what a producer has put into a queue of any length. */
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

int *queue;
int n, put, got, sum_put, sum_got;

static void *produce(void *unused)
{
    for (int i = 0; i < n; i++) {
        put = put + 1;
        queue[put - 1] = __VERIFIER_nondet_int() & 255;
        sum_put += queue[put - 1];
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < n; i++) {
        while (got == put)
            ;
        sum_got += queue[got];
        got = got + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t t, u;

    n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000)
        abort();
    queue = malloc(n * sizeof(int));
    pthread_create(&t, 0, produce, 0);
    pthread_create(&u, 0, consume, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(sum_put == sum_got);
    return 0;
}
