/* Thread-specific data by key: each thread finds its own pointer again. */
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

static pthread_key_t key;

static void *worker(void *arg)
{
    __VERIFIER_assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, arg);
    *(int *)pthread_getspecific(key) += 1;
    __VERIFIER_assert(pthread_getspecific(key) == arg);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 5;

    pthread_key_create(&key, 0);
    pthread_create(&a, 0, worker, &x);
    pthread_create(&b, 0, worker, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(x == 2 && y == 6);
    pthread_key_delete(key);
    return 0;
}
