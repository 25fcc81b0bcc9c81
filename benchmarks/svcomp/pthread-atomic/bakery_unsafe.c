/* Lamport's bakery for two threads, without the wait for the other's choice of a number. */
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

static int choosing[2], number[2];
static int inside;

static void enter(int me)
{
    int other = 1 - me;

    choosing[me] = 1;
    number[me] = number[other] + 1;
    choosing[me] = 0;
    while (number[other] != 0 &&
           (number[other] < number[me] || (number[other] == number[me] && other < me)))
        ;
}

static void *client(void *arg)
{
    int me = *(int *)arg;
    int i;

    for (i = 0; i <= me; i++) {
        enter(me);
        inside++;
        __VERIFIER_assert(inside == 1);
        inside--;
        number[me] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;

    pthread_create(&a, 0, client, &zero);
    pthread_create(&b, 0, client, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
