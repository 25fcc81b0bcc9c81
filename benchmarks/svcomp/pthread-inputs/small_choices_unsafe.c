/* Threads pick an operation and an operand from small inputs; one choice breaks parity. */
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

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int value;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    int operand = __VERIFIER_nondet_int();
    int operation = __VERIFIER_nondet_int();

    __VERIFIER_assume(operand >= 0 && operand < 4);
    __VERIFIER_assume(operation == 0 || operation == 1);
    pthread_mutex_lock(&m);
    if (operation == 0)
        value += 2 * operand;
    else
        value -= operand;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(value % 2 == 0);
    return 0;
}
