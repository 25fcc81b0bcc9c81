/* Tickets for one place; all begins as inputs of which an assumption says what they are. */
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

int ticket1, ticket2, ticket3, ticket4;
_Atomic int next, serving, inside;

static void *worker1(void *unused)
{
    ticket1 = next++;
    if (ticket1 > serving)
        abort();
    __VERIFIER_assert(inside == 0);
    inside = 1;
    inside = 0;
    serving++;
    return unused;
}

static void *worker2(void *unused)
{
    ticket2 = next++;
    if (ticket2 > serving)
        abort();
    __VERIFIER_assert(inside == 0);
    inside = 1;
    inside = 0;
    serving++;
    return unused;
}

static void *worker3(void *unused)
{
    ticket3 = next++;
    if (ticket3 > serving)
        abort();
    __VERIFIER_assert(inside == 0);
    inside = 1;
    inside = 0;
    serving++;
    return unused;
}

static void *worker4(void *unused)
{
    ticket4 = next++;
    if (ticket4 > serving)
        abort();
    __VERIFIER_assert(inside == 0);
    inside = 1;
    inside = 0;
    serving++;
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3, t4;

    ticket1 = __VERIFIER_nondet_int();
    ticket2 = __VERIFIER_nondet_int();
    ticket3 = __VERIFIER_nondet_int();
    ticket4 = __VERIFIER_nondet_int();
    next = __VERIFIER_nondet_int();
    serving = __VERIFIER_nondet_int();
    inside = __VERIFIER_nondet_int();
    if (!(next == serving && inside == serving && serving == 0))
        abort();
    pthread_create(&t1, 0, worker1, 0);
    pthread_create(&t2, 0, worker2, 0);
    pthread_create(&t3, 0, worker3, 0);
    pthread_create(&t4, 0, worker4, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    pthread_join(t4, 0);
    return 0;
}
