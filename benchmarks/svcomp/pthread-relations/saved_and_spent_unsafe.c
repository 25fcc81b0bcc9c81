/* Threads spend what is saved: both together stay the same. */
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

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int saved = 100, spent;

static void *work(void *unused)
{
    int some = __VERIFIER_nondet_int();

    if (some < 0)
        return unused;
    pthread_mutex_lock(&lock);
    if (some <= saved) {
        saved -= some;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        spent += some;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    __VERIFIER_assert(saved + spent == 100);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
