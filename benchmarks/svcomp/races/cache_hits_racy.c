/* A cache behind a reader-writer lock; readers count their hits with a plain addition. */
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

#define ENTRIES 2

struct entry {
    int key, value;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry entries[ENTRIES];
static int hits;

static int lookup(int key)
{
    int value = -1, i;

    pthread_rwlock_rdlock(&lock);
    for (i = 0; i < ENTRIES; i++) {
        if (entries[i].key == key) {
            value = entries[i].value;
            hits++;
            break;
        }
    }
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *reader(void *arg)
{
    int value = lookup(1);

    __VERIFIER_assert(value == 10 || value == 11);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    entries[0].value = 11;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    entries[0].key = 1;
    entries[0].value = 10;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    __VERIFIER_assert(hits == 2);
    return 0;
}
