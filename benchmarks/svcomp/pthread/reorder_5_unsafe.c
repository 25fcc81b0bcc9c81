/* Five threads set or check a pair (a, b) in two unsynchronised steps. */
#include <pthread.h>

#define SETTERS 4
#define CHECKERS 1

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int a, b;

static void *setter(void *arg)
{
    a = 1;
    b = -1;
    return arg;
}

static void *checker(void *arg)
{
    __VERIFIER_assert((a == 0 && b == 0) || (a == 1 && b == -1));
    return arg;
}

int main(void)
{
    pthread_t s[SETTERS], c[CHECKERS];
    int i;

    for (i = 0; i < SETTERS; i++)
        pthread_create(&s[i], 0, setter, 0);
    for (i = 0; i < CHECKERS; i++)
        pthread_create(&c[i], 0, checker, 0);
    for (i = 0; i < SETTERS; i++)
        pthread_join(s[i], 0);
    for (i = 0; i < CHECKERS; i++)
        pthread_join(c[i], 0);
    return 0;
}
