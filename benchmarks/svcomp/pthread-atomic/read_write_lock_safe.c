/* Reader-writer lock of a writer bit and a reader count, updated atomically. */
#include <pthread.h>

#define WRITERS 2
#define READERS 2

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void assume_abort_if_not(int cond)
{
    if (!cond)
        abort();
}

static int writing, readers;
static int data;

static void take_write_lock(void)
{
    __VERIFIER_atomic_begin();
    assume_abort_if_not(writing == 0 && readers == 0);
    writing = 1;
    __VERIFIER_atomic_end();
}

static void take_read_lock(void)
{
    __VERIFIER_atomic_begin();
    assume_abort_if_not(writing == 0);
    readers++;
    __VERIFIER_atomic_end();
}

static void drop_read_lock(void)
{
    __VERIFIER_atomic_begin();
    readers--;
    __VERIFIER_atomic_end();
}

static void *writer(void *arg)
{
    take_write_lock();
    data++;
    data++;
    writing = 0;
    return arg;
}

static void *reader(void *arg)
{
    int seen;

    take_read_lock();
    seen = data;
    __VERIFIER_assert(data == seen && seen % 2 == 0);
    drop_read_lock();
    return arg;
}

int main(void)
{
    pthread_t w[WRITERS], r[READERS];
    int i;

    for (i = 0; i < WRITERS; i++)
        pthread_create(&w[i], 0, writer, 0);
    for (i = 0; i < READERS; i++)
        pthread_create(&r[i], 0, reader, 0);
    for (i = 0; i < WRITERS; i++)
        pthread_join(w[i], 0);
    for (i = 0; i < READERS; i++)
        pthread_join(r[i], 0);
    return 0;
}
