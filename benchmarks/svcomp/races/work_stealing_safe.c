/* A queue of jobs that a thief steals from: owner and thief take jobs under the lock. */
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

#define JOBS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs[JOBS] = {1, 2, 4};
static int top, bottom = JOBS;

static int take(void)
{
    int job = 0;

    pthread_mutex_lock(&lock);
    if (bottom > top)
        job = jobs[--bottom];
    pthread_mutex_unlock(&lock);
    return job;
}

static int steal(void)
{
    int job = 0;

    pthread_mutex_lock(&lock);
    if (bottom > top)
        job = jobs[top++];
    pthread_mutex_unlock(&lock);
    return job;
}

static void *thief(void *arg)
{
    int *stolen = arg;

    *stolen = steal();
    *stolen += steal();
    return 0;
}

int main(void)
{
    pthread_t t;
    int mine = 0, stolen = 0, job;

    pthread_create(&t, 0, thief, &stolen);
    while ((job = take()) != 0)
        mine += job;
    pthread_join(t, 0);
    __VERIFIER_assert(mine + stolen == 7);
    return 0;
}
