/* Nodes come from a pool and, when it is empty, from the heap; those with large values are freed. */
#include <pthread.h>
#include <stdlib.h>

#define NODES 1

struct node {
    struct node *next;
    int pooled;
    int value;
};

static struct node pool[NODES];
static struct node *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *get(void)
{
    struct node *node;

    pthread_mutex_lock(&lock);
    node = unused;
    if (node)
        unused = node->next;
    pthread_mutex_unlock(&lock);
    if (!node) {
        node = malloc(sizeof(*node));
        if (!node)
            abort();
        node->pooled = 0;
    }
    return node;
}

static void put(struct node *node)
{
    if (node->value > 1) {
        free(node);
        return;
    }
    pthread_mutex_lock(&lock);
    node->next = unused;
    unused = node;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    struct node *node = get();

    node->value = *(int *)arg;
    put(node);
    return 0;
}

int main(void)
{
    static int values[] = {1, 2};
    pthread_t a, b;
    int i;

    for (i = 0; i < NODES; i++) {
        pool[i].pooled = 1;
        pool[i].next = unused;
        unused = &pool[i];
    }
    pthread_create(&a, 0, worker, &values[0]);
    pthread_create(&b, 0, worker, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
