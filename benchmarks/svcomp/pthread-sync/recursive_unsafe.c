/* A recursive mutex, given back for good before the second of two related data is updated. */
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

static pthread_mutex_t m;
static int a, b;

static void add_to_a(void)
{
    pthread_mutex_lock(&m);
    a++;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    add_to_a();
    pthread_mutex_unlock(&m);
    b++;
    return arg;
}

static void *observer(void *arg)
{
    pthread_mutex_lock(&m);
    __VERIFIER_assert(a == b);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t w, o;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&w, 0, worker, 0);
    pthread_create(&o, 0, observer, 0);
    pthread_join(w, 0);
    pthread_join(o, 0);
    pthread_mutex_destroy(&m);
    return 0;
}
