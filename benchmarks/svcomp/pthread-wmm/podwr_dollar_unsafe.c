/* Store buffering, named as instrumented litmus tests are: one write buffer per variable. */
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static void assume_abort_if_not(int cond)
{
    if (!cond)
        abort();
}

static int __unbuffered_cnt;
static int __unbuffered_p0_EAX = 0;
static int __unbuffered_p1_EAX = 0;
static int x = 0;
static _Bool x$w_buff0_used;
static int x$w_buff0;
static int y = 0;
static _Bool y$w_buff0_used;
static int y$w_buff0;
static _Bool main$tmp_guard0;
static _Bool main$tmp_guard1;

static void *P0(void *arg)
{
    __VERIFIER_atomic_begin();
    x$w_buff0 = 1;
    x$w_buff0_used = (_Bool)1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __unbuffered_p0_EAX = y;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = x$w_buff0_used ? x$w_buff0 : x;
    x$w_buff0_used = x$w_buff0_used ? (_Bool)0 : x$w_buff0_used;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __unbuffered_cnt = __unbuffered_cnt + 1;
    __VERIFIER_atomic_end();
    return arg;
}

static void *P1(void *arg)
{
    _Bool weak$$choice0;

    __VERIFIER_atomic_begin();
    y$w_buff0 = 1;
    y$w_buff0_used = (_Bool)1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    weak$$choice0 = __VERIFIER_nondet_bool();
    y = weak$$choice0 && y$w_buff0_used ? y$w_buff0 : y;
    y$w_buff0_used = weak$$choice0 ? (_Bool)0 : y$w_buff0_used;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __unbuffered_p1_EAX = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    y = y$w_buff0_used ? y$w_buff0 : y;
    y$w_buff0_used = y$w_buff0_used ? (_Bool)0 : y$w_buff0_used;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __unbuffered_cnt = __unbuffered_cnt + 1;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t0;
    pthread_t t1;

    pthread_create(&t0, ((void *)0), P0, ((void *)0));
    pthread_create(&t1, ((void *)0), P1, ((void *)0));
    __VERIFIER_atomic_begin();
    main$tmp_guard0 = __unbuffered_cnt == 2;
    __VERIFIER_atomic_end();
    assume_abort_if_not(main$tmp_guard0);
    __VERIFIER_atomic_begin();
    main$tmp_guard1 = !(__unbuffered_p0_EAX == 0 && __unbuffered_p1_EAX == 0);
    __VERIFIER_atomic_end();
    __VERIFIER_assert(main$tmp_guard1);
    return 0;
}
