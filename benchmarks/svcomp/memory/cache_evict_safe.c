/* A cache whose entry is replaced: readers use the entry while they hold the lock. */
#include <pthread.h>
#include <stdlib.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct entry {
    int key, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *cached;

static struct entry *make(int key)
{
    struct entry *entry = malloc(sizeof(*entry));

    if (!entry)
        abort();
    entry->key = key;
    entry->value = key + 100;
    return entry;
}

static void *reader(void *arg)
{
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = cached;
    __VERIFIER_assert(entry->value == entry->key + 100);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *evictor(void *arg)
{
    struct entry *fresh = make(2), *old;

    pthread_mutex_lock(&lock);
    old = cached;
    cached = fresh;
    free(old);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    cached = make(1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, evictor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
