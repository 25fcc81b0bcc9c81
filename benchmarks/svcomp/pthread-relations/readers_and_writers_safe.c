/* Any number of threads read two numbers, or write both. */
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
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int readers, writing, value, copy;

static void *work(void *unused)
{
    if (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        if (writing || readers)
            abort();
        writing = 1;
        __VERIFIER_atomic_end();
        value = value ^ 1;
        copy = copy ^ 1;
        writing = 0;
    } else {
        int first;

        __VERIFIER_atomic_begin();
        if (writing)
            abort();
        readers++;
        __VERIFIER_atomic_end();
        first = value;
        __VERIFIER_assert(copy == first);
        __VERIFIER_atomic_begin();
        readers--;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
