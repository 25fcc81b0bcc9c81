/* A writer stamps a pair before and after; readers take what has one even stamp. */
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

unsigned stamp;
int first, second;

static void *work(void *unused)
{
    unsigned before = stamp;
    int one = first, other = second;
    unsigned after = stamp;

    if (before % 2 == 0 && before == after)
        __VERIFIER_assert(one == other);
    return unused;
}

static void *change(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        stamp = stamp + 1;
        first = i;
        second = i;
        stamp = stamp + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, change, 0);
    while (1)
        pthread_create(&t, 0, work, 0);
}
