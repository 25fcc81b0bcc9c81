/* Every return path unlocks. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int budget = 1;

static int spend(void)
{
    pthread_mutex_lock(&m);
    if (budget == 0) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    budget--;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *worker(void *arg)
{
    spend();
    return arg;
}

int main(void)
{
    pthread_t t[3];
    int i;

    for (i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
