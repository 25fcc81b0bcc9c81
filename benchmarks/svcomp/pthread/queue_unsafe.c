/* Ring-buffer queue under one mutex, broken: an item is announced before it is stored. */
#include <pthread.h>

#define SIZE 3
#define ITEMS 5

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int buffer[SIZE];
static int head, tail, count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int enqueue(int item)
{
    int slot;

    pthread_mutex_lock(&m);
    if (count == SIZE) {
        pthread_mutex_unlock(&m);
        return 0;
    }
    slot = tail;
    tail = (tail + 1) % SIZE;
    count++;
    pthread_mutex_unlock(&m);
    buffer[slot] = item;
    return 1;
}

static int dequeue(int *item)
{
    int done = 0;

    pthread_mutex_lock(&m);
    if (count > 0) {
        *item = buffer[head];
        head = (head + 1) % SIZE;
        count--;
        done = 1;
    }
    pthread_mutex_unlock(&m);
    return done;
}

static void *producer(void *arg)
{
    int i;

    for (i = 1; i <= ITEMS; i++)
        while (!enqueue(i))
            ;
    return arg;
}

static void *consumer(void *arg)
{
    int i, item = 0;

    for (i = 1; i <= ITEMS; i++) {
        while (!dequeue(&item))
            ;
        __VERIFIER_assert(item == i);
    }
    return arg;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    __VERIFIER_assert(count == 0);
    return 0;
}
