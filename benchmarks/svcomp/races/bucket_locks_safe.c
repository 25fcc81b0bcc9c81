/* A table of lists with a lock per bucket: a key is inserted under the lock of its own bucket. */
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 2
#define LOCKS 3

struct node {
    int key;
    struct node *next;
};

static struct node *lists[BUCKETS];
static pthread_mutex_t locks[LOCKS];

static void insert(int key)
{
    struct node *node = malloc(sizeof(*node));
    pthread_mutex_t *lock = &locks[key % BUCKETS];

    if (!node)
        abort();
    node->key = key;
    pthread_mutex_lock(lock);
    node->next = lists[key % BUCKETS];
    lists[key % BUCKETS] = node;
    pthread_mutex_unlock(lock);
}

static void *inserter(void *arg)
{
    insert(*(int *)arg);
    return 0;
}

int main(void)
{
    static int keys[] = {1, 2, 3};
    pthread_t threads[3];
    int i;

    for (i = 0; i < LOCKS; i++)
        pthread_mutex_init(&locks[i], 0);
    for (i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, inserter, &keys[i]);
    for (i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
