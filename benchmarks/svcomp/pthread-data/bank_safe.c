/* A bank of three accounts under one lock: transfers keep the sum. */
#include <pthread.h>

#define ACCOUNTS 3

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int balance[ACCOUNTS] = {5, 5, 5};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

struct order {
    int from, to, amount;
};

static void *teller(void *arg)
{
    const struct order *o = arg;

    pthread_mutex_lock(&m);
    if (balance[o->from] >= o->amount) {
        balance[o->from] -= o->amount;
        balance[o->to] += o->amount;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

static void *auditor(void *arg)
{
    int i, sum = 0;

    pthread_mutex_lock(&m);
    for (i = 0; i < ACCOUNTS; i++)
        sum += balance[i];
    __VERIFIER_assert(sum == 15);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    struct order orders[2] = {{0, 1, 3}, {2, 1, 4}};
    pthread_t a, b, c;

    pthread_create(&a, 0, teller, &orders[0]);
    pthread_create(&b, 0, teller, &orders[1]);
    pthread_create(&c, 0, auditor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
