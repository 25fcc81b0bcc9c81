/* Money goes from an account to another and back, for ever; the sum stays. */
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

#define SUM 100u

static unsigned a = SUM, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *there(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (a >= 3) {
            a -= 3;
            b += 3;
        }
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *back(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (b >= 1) {
            b -= 1;
            a += 1;
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
        __VERIFIER_assert(a + b == SUM);
        pthread_mutex_unlock(&m);
    }
}
