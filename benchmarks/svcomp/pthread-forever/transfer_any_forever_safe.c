/* Any amount that is there goes from an account to another and back, for ever. */
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

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned a = 100, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *there(void *arg)
{
    unsigned amount;

    while (1) {
        amount = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (a >= amount) {
            a -= amount;
            b += amount;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *back(void *arg)
{
    unsigned amount;

    while (1) {
        amount = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (b >= amount) {
            b -= amount;
            a += amount;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t s, t;

    pthread_create(&s, 0, there, 0);
    pthread_create(&t, 0, back, 0);
    while (1) {
        pthread_mutex_lock(&m);
        __VERIFIER_assert(a + b == 100);
        pthread_mutex_unlock(&m);
    }
}
