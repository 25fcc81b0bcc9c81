/* Two takers and one giver on a condition variable; the takers test again after waking. */
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

static int items;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *taker(void *arg)
{
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&more, &m);
    __VERIFIER_assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *giver(void *arg)
{
    int i;

    for (i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b, g;

    pthread_create(&a, 0, taker, 0);
    pthread_create(&b, 0, taker, 0);
    pthread_create(&g, 0, giver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(g, 0);
    __VERIFIER_assert(items == 0);
    return 0;
}
