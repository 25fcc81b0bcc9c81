/* A function that locks calls another one that locks: the mutex is of the default kind. */
#define _GNU_SOURCE
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

static pthread_mutex_t lock;
static int balance = 100, entries;

static void log_change(void)
{
    pthread_mutex_lock(&lock);
    entries++;
    pthread_mutex_unlock(&lock);
}

static void *withdraw(void *arg)
{
    int amount = *(int *)arg;

    pthread_mutex_lock(&lock);
    if (balance >= amount) {
        balance -= amount;
        log_change();
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    static int amounts[2] = {60, 70};
    pthread_t a, b;

    pthread_mutex_init(&lock, 0);
    pthread_create(&a, 0, withdraw, &amounts[0]);
    pthread_create(&b, 0, withdraw, &amounts[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&lock);
    __VERIFIER_assert(entries == 1 && balance >= 30);
    return 0;
}
