/* Workers started through a table of function pointers add under a lock. */
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

static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int doubled(int x)
{
    return 2 * x;
}

static int squared(int x)
{
    return x * x;
}

static int negated(int x)
{
    return -x;
}

struct job {
    int (*operation)(int);
    int operand;
};

static struct job jobs[] = {{doubled, 5}, {squared, 3}, {negated, 4}};

static void *run(void *arg)
{
    struct job *job = arg;
    int result = job->operation(job->operand);

    pthread_mutex_lock(&m);
    total += result;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    void *(*entry)(void *) = run;
    pthread_t t[3];
    int i;

    for (i = 0; i < 3; i++)
        pthread_create(&t[i], 0, entry, &jobs[i]);
    for (i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    __VERIFIER_assert(total == 15);
    return 0;
}
