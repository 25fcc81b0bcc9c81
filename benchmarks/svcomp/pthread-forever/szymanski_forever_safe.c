/* Szymanski's mutual exclusion, two threads for ever. */
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

/* 0 outside, 1 wants in, 2 waits for the door, 3 stands in the door, 4 is past the door */
static int flag1, flag2;
static int inside;

static void critical(void)
{
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
}

static void *first(void *arg)
{
    int other;

    while (1) {
        flag1 = 1;
        while (flag2 >= 3)
            ;
        flag1 = 3;
        if (flag2 == 1) {
            flag1 = 2;
            while (flag2 != 4)
                ;
        }
        flag1 = 4;
        /* no lower-numbered thread to wait for */
        critical();
        do
            other = flag2;
        while (other == 2 || other == 3);
        flag1 = 0;
    }
    return arg;
}

static void *second(void *arg)
{
    while (1) {
        flag2 = 1;
        while (flag1 >= 3)
            ;
        flag2 = 3;
        if (flag1 == 1) {
            flag2 = 2;
            while (flag1 != 4)
                ;
        }
        flag2 = 4;
        while (flag1 >= 2)
            ;
        critical();
        /* no higher-numbered thread to wait for */
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
