/* Condition-variable hand-over of several items; main looks while the taker may still run. */
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

static int num;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;

static void *put(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (num > 0)
            pthread_cond_wait(&empty, &m);
        num++;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *take(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (num == 0)
            pthread_cond_wait(&full, &m);
        num--;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    __VERIFIER_assert(num == 0);
    pthread_join(b, 0);
    return 0;
}
