/* One thread adds two as often as the other one, who has counted as far, takes two away. */
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

int rounds, up, down, balance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *give(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        up++;
        balance += 2;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *take(void *unused)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        down++;
        if (balance > 0)
            balance -= 2;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;

    rounds = __VERIFIER_nondet_int();
    if (rounds < 0 || rounds > 100000)
        return 0;
    pthread_create(&t1, 0, give, 0);
    pthread_create(&t2, 0, take, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    __VERIFIER_assert(up == down && balance == 0);
    return 0;
}
