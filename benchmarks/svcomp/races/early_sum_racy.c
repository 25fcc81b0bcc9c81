/* Statistics per thread, padded, summed by main when all threads but the last are joined. */
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

#define THREADS 2
#define REQUESTS 2

struct statistics {
    int requests;
    int bytes;
    char padding[56];
};

static struct statistics statistics[THREADS];

static void *serve(void *arg)
{
    struct statistics *mine = arg;
    int i;

    for (i = 0; i < REQUESTS; i++) {
        mine->requests++;
        mine->bytes += 100;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int i, bytes = 0;

    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, serve, &statistics[i]);
    for (i = 0; i < THREADS - 1; i++)
        pthread_join(threads[i], 0);
    pthread_detach(threads[THREADS - 1]);
    for (i = 0; i < THREADS; i++)
        bytes += statistics[i].bytes;
    __VERIFIER_assert(bytes <= THREADS * REQUESTS * 100);
    return 0;
}
