/* One thread allocates a string under a lock, another fills it; both orders are fine. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void reach_error(void) {}

static char *v;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *arg)
{
    pthread_mutex_lock(&m);
    v = calloc(8, sizeof(char));
    pthread_mutex_unlock(&m);
    return arg;
}

static void *fill(void *arg)
{
    pthread_mutex_lock(&m);
    if (v)
        strcpy(v, "Bigshot");
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, allocate, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (v && v[0] != 'B' && v[0] != 0)
        reach_error();
    return 0;
}
