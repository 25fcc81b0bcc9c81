/* Message passing with the __atomic builtins, acquire and release. */
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

static int data;
static int flag;

static void *sender(void *arg)
{
    data = 42;
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return arg;
}

static void *receiver(void *arg)
{
    while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        ;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __VERIFIER_assert(data == 42);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
