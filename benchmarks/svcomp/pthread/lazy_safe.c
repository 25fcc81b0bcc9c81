/* Three threads share a counter under one lock; the third finds at most the sum. */
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
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add_one(void *arg)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *add_two(void *arg)
{
    pthread_mutex_lock(&m);
    data += 2;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *test(void *arg)
{
    pthread_mutex_lock(&m);
    __VERIFIER_assert(data <= 3);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, 0, add_one, 0);
    pthread_create(&b, 0, add_two, 0);
    pthread_create(&c, 0, test, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
