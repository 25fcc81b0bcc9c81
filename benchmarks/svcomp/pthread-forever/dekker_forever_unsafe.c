/* Dekker's mutual exclusion, broken: after its turn came, second leaves its flag down. */
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

static int flag1, flag2, turn = 1;
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
        while (flag2) {
            if (turn != 1) {
                flag1 = 0;
                while (turn != 1)
                    ;
                flag1 = 1;
            }
        }
        critical();
        turn = 2;
        flag1 = 0;
    }
    return arg;
}

static void *second(void *arg)
{
    while (1) {
        flag2 = 1;
        while (flag1) {
            if (turn != 2) {
                flag2 = 0;
                while (turn != 2)
                    ;
            }
        }
        critical();
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
