/* Peterson's mutual exclusion, broken: the second thread raises its flag only once. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static int flag1, flag2, turn;
static int inside;

static void critical(void)
{
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
}

static void *first(void *arg)
{
    while (1) {
        flag1 = 1;
        turn = 2;
        while (flag2 && turn == 2)
            ;
        critical();
        flag1 = 0;
    }
    return arg;
}

static void *second(void *arg)
{
    flag2 = 1;
    while (1) {
        turn = 1;
        while (flag1 && turn == 1)
            ;
        critical();
        flag2 = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
