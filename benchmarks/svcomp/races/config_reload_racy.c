/* Requests keep a pointer to the configuration and read it after the read lock was released. */
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

struct configuration {
    int limit, burst;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct configuration current = {1, 2};

static void *request(void *arg)
{
    struct configuration *mine;

    pthread_rwlock_rdlock(&lock);
    mine = &current;
    pthread_rwlock_unlock(&lock);
    __VERIFIER_assert(mine->burst > 0 && mine->limit > 0);
    return arg;
}

static void *reload(void *arg)
{
    int limit = 5;

    pthread_rwlock_wrlock(&lock);
    current.limit = limit;
    current.burst = 2 * limit;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, request, 0);
    pthread_create(&b, 0, reload, 0);
    pthread_create(&c, 0, request, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
