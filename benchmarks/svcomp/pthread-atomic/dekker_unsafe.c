/* Dekker's mutual exclusion, broken: the flag is raised after the look at the other's. */
#include <pthread.h>

void reach_error(void) {}

static int flag1, flag2, turn = 1;
static int owner;

static void critical(int me)
{
    owner = me;
    if (owner != me)
        reach_error();
}

static void *first(void *arg)
{
    while (1) {
        while (flag2 && turn != 1)
            ;
        flag1 = 1;
        critical(1);
        turn = 2;
        flag1 = 0;
    }
    return arg;
}

static void *second(void *arg)
{
    while (1) {
        while (flag1 && turn != 2)
            ;
        flag2 = 1;
        critical(2);
        turn = 1;
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
