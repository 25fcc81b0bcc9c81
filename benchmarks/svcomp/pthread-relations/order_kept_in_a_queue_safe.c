/* Items that do not fall go through a queue of any length: they are taken in their order. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int *queue;
int n, front, back, fallen;

static void *put(void *unused)
{
    int last = 0;

    for (int i = 0; i < n; i++) {
        int item = queue[back];
        if (item < last)
            abort();
        last = item;
        __VERIFIER_atomic_begin();
        back++;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *take(void *unused)
{
    int last = 0;

    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        if (front >= back)
            abort();
        int item = queue[front];
        front++;
        __VERIFIER_atomic_end();
        if (item < last)
            fallen = 1;
        last = item;
    }
    return unused;
}

int main(void)
{
    pthread_t t, u;

    n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        abort();
    queue = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        queue[i] = __VERIFIER_nondet_int();
    pthread_create(&t, 0, put, 0);
    pthread_create(&u, 0, take, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    __VERIFIER_assert(!fallen);
    return 0;
}
