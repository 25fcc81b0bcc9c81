/* Quick RCU (McKenney, Desnoyers): two readers, one updater. */
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

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int idx;           /* the counter that new readers use */
static int ctr[2] = {1, 0}; /* readers of either counter, plus one for the current */
static int progress[2];   /* 0 outside, 1 in its read-side section, 2 done */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int enter(void)
{
    int k, entered = 0;

    do {
        k = idx;
        __VERIFIER_atomic_begin();
        if (ctr[k] > 0) {
            ctr[k]++;
            entered = 1;
        }
        __VERIFIER_atomic_end();
    } while (!entered);
    return k;
}

static void leave(int k)
{
    __VERIFIER_atomic_begin();
    ctr[k]--;
    __VERIFIER_atomic_end();
}

static void *reader(void *arg)
{
    int me = *(int *)arg;
    int k = enter();

    progress[me] = 1;
    progress[me] = 2;
    leave(k);
    return 0;
}

static int sum_in_any_order(void)
{
    int sum;

    if (__VERIFIER_nondet_bool()) {
        sum = ctr[0];
        return sum + ctr[1];
    }
    sum = ctr[1];
    return sum + ctr[0];
}

static void flip(void)
{
    int old;

    pthread_mutex_lock(&m);
    old = idx;
    __VERIFIER_atomic_begin();
    ctr[1 - old]++;
    __VERIFIER_atomic_end();
    idx = 1 - old;
    __VERIFIER_atomic_begin();
    ctr[old]--;
    __VERIFIER_atomic_end();
    while (ctr[old] > 0)
        ;
    pthread_mutex_unlock(&m);
}

static void synchronize_qrcu(void)
{
    int sum = sum_in_any_order();

    if (sum <= 1)
        sum = sum_in_any_order();
    if (sum > 1)
        flip();
}

static void *updater(void *arg)
{
    int before[2];
    int i;

    for (i = 0; i < 2; i++)
        before[i] = progress[i];
    synchronize_qrcu();
    for (i = 0; i < 2; i++)
        __VERIFIER_assert(!(before[i] == 1 && progress[i] == 1));
    return arg;
}

int main(void)
{
    pthread_t r0, r1, u;
    int zero = 0, one = 1;

    pthread_create(&r0, 0, reader, &zero);
    pthread_create(&r1, 0, reader, &one);
    pthread_create(&u, 0, updater, 0);
    pthread_join(r0, 0);
    pthread_join(r1, 0);
    pthread_join(u, 0);
    return 0;
}
