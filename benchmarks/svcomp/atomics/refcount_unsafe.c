/* A reference count by builtins, broken: decrement and test are two steps. */
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

struct object {
    int references;
    int alive;
};

static int freed;

static void put(struct object *o)
{
    __sync_sub_and_fetch(&o->references, 1);
    if (__atomic_load_n(&o->references, __ATOMIC_SEQ_CST) == 0) {
        o->alive = 0;
        __VERIFIER_assert(__atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST) == 1);
    }
}

static void *user(void *arg)
{
    struct object *o = arg;

    __VERIFIER_assert(o->alive);
    put(o);
    return 0;
}

int main(void)
{
    struct object *o = malloc(sizeof(*o));
    pthread_t a, b;

    if (o == NULL)
        return 0;
    o->references = 2;
    o->alive = 1;
    pthread_create(&a, 0, user, o);
    pthread_create(&b, 0, user, o);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(!o->alive);
    free(o);
    return 0;
}
