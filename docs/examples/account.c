// Two threads withdraw any amounts. Nothing holds the balance between test and update; with -D LOCKED
// a mutex does.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int balance = 100;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *withdraw(void *unused)
{
    int x = __VERIFIER_nondet_int();
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    if (0 <= x && x <= balance)
        balance -= x;
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, withdraw, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance >= 0);
}
