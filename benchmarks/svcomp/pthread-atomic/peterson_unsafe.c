/* Peterson's mutual exclusion, broken: the turn is given away before the flag is raised. */
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

static int flag[2], turn;
static int inside;

static void enter(int me)
{
    int other = 1 - me;

    turn = other;
    flag[me] = 1;
    while (flag[other] == 1 && turn == other)
        ;
}

static void leave(int me)
{
    flag[me] = 0;
}

static void *client(void *arg)
{
    int me = *(int *)arg;

    for (int i = 0; i < 2; i++) {
        enter(me);
        inside++;
        __VERIFIER_assert(inside == 1);
        inside--;
        leave(me);
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
