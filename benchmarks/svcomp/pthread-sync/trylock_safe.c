/* pthread_mutex_trylock: who fails to get the lock stays away from the data. */
#include <errno.h>
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

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, entered;

static void *holder(void *arg)
{
    pthread_mutex_lock(&m);
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    entered++;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *trier(void *arg)
{
    int result = pthread_mutex_trylock(&m);

    if (result == 0) {
        inside++;
        __VERIFIER_assert(inside == 1);
        inside--;
        entered++;
        pthread_mutex_unlock(&m);
    } else {
        __VERIFIER_assert(result == EBUSY);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, trier, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(entered == 1 || entered == 2);
    return 0;
}
