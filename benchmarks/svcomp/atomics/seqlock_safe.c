/* A sequence lock: the reader retries when the writer was at work. */
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *arg)
{
    int i;

    for (i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&left, i);
        atomic_store(&right, i);
        atomic_fetch_add(&sequence, 1);
    }
    return arg;
}

static void *reader(void *arg)
{
    unsigned before;
    int l, r;

    do {
        before = atomic_load(&sequence);
        l = atomic_load(&left);
        r = atomic_load(&right);
    } while (before % 2 == 1 || atomic_load(&sequence) != before);
    __VERIFIER_assert(l == r);
    return arg;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
