/* The first reader takes the room for all readers, the last one leaves it. */
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

pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
int readers, taken, value;

static void *work(void *unused)
{
    if (__VERIFIER_nondet_int()) {
        while (!__sync_bool_compare_and_swap(&taken, 0, 1))
            ;
        value = 1;
        value = 0;
        taken = 0;
    } else {
        pthread_mutex_lock(&desk);
        readers++;
        if (readers == 1)
            while (!__sync_bool_compare_and_swap(&taken, 0, 1))
                ;
        pthread_mutex_unlock(&desk);
        __VERIFIER_assert(value == 0);
        pthread_mutex_lock(&desk);
        readers--;
        taken = 0;
        pthread_mutex_unlock(&desk);
    }
    return unused;
}

int main(void)
{
    pthread_t t;

    while (1)
        pthread_create(&t, 0, work, 0);
}
