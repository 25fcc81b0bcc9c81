/* Two threads take two locks in opposite orders, but only inside a third lock. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *forwards(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    return arg;
}

static void *backwards(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&gate);
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, 0, forwards, 0);
    pthread_create(&t2, 0, backwards, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
