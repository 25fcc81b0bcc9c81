/* 2 threads insert 4 messages each into a shared hash table by compare-and-swap. */
#define SIZE 128
#define THREADS 2
#define MESSAGES 4

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

static int table[SIZE];

static int take_slot(int h, int message)
{
    return __sync_bool_compare_and_swap(&table[h], 0, message);
}

static void *insert(void *arg)
{
    int id = *(int *)arg;
    int k, message, h;

    for (k = 1; k <= MESSAGES; k++) {
        message = k * 11 + id;
        h = (message * 7) % SIZE;
        while (!take_slot(h, message))
            h = (h + 1) % SIZE;
        __VERIFIER_assert(table[h] == message);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int ids[THREADS];
    int i;

    for (i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], 0, insert, &ids[i]);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
