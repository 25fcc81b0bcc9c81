/* A table of buckets, with a lock for each of them in another array. */
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

#define BUCKETS 8

int length[BUCKETS], removed[BUCKETS];
pthread_mutex_t locks[BUCKETS];

static void *work(void *unused)
{
    unsigned key = __VERIFIER_nondet_int();
    unsigned i = (key >> 1) % BUCKETS;

    pthread_mutex_lock(&locks[key & 3]);
    length[i]++;
    removed[i]++;
    __VERIFIER_assert(length[i] == removed[i]);
    length[i]--;
    removed[i]--;
    pthread_mutex_unlock(&locks[key & 3]);
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
