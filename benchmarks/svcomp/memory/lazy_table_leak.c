/* A table created by whoever needs it first, by compare-and-exchange; the loser forgets its own. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size;
};

static struct table *_Atomic shared;

static struct table *table(void)
{
    struct table *seen = atomic_load(&shared), *mine;

    if (seen)
        return seen;
    mine = malloc(sizeof(*mine));
    if (!mine)
        abort();
    mine->size = 16;
    if (atomic_compare_exchange_strong(&shared, &seen, mine))
        return mine;
    return seen;
}

static void *user(void *arg)
{
    return table()->size == 16 ? 0 : arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
