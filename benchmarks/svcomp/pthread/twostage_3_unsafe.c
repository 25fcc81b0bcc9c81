/* Two-stage locking: the reader overlooks the gap between the two data. */
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

static int first, second;
static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    int t;

    pthread_mutex_lock(&ma);
    first = 1;
    pthread_mutex_unlock(&ma);

    pthread_mutex_lock(&ma);
    t = first;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    second = t + 1;
    pthread_mutex_unlock(&mb);
    return arg;
}

static void *reader(void *arg)
{
    int t1, t2;

    pthread_mutex_lock(&ma);
    t1 = first;
    pthread_mutex_unlock(&ma);
    if (t1 == 0)
        return arg;
    pthread_mutex_lock(&mb);
    t2 = second;
    pthread_mutex_unlock(&mb);
    __VERIFIER_assert(t2 == t1 + 1);
    return arg;
}

int main(void)
{
    pthread_t w1, w2, r;

    pthread_create(&w1, 0, writer, 0);
    pthread_create(&w2, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w1, 0);
    pthread_join(w2, 0);
    pthread_join(r, 0);
    return 0;
}
