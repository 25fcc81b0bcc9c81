/* A complete heap cell is published through a global pointer. */
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

struct cell {
    int key, value;
};

static struct cell *shared;

static void *publisher(void *arg)
{
    struct cell *c = calloc(1, sizeof(*c));

    c->key = 3;
    c->value = 9;
    shared = c;
    return arg;
}

static void *subscriber(void *arg)
{
    struct cell *c = shared;

    if (c != 0)
        __VERIFIER_assert(c->value == c->key * c->key);
    return arg;
}

int main(void)
{
    pthread_t a, b, d;

    pthread_create(&a, 0, publisher, 0);
    pthread_create(&b, 0, subscriber, 0);
    pthread_create(&d, 0, subscriber, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(d, 0);
    free(shared);
    return 0;
}
