/* Dining philosophers: each takes the left fork first. */
#include <pthread.h>

#define N 3

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

static pthread_mutex_t fork_lock[N];
static int used[N];

static void *philosopher(void *arg)
{
    int left = *(int *)arg;
    int right = (left + 1) % N;
    int first = left, second = right;

    pthread_mutex_lock(&fork_lock[first]);
    pthread_mutex_lock(&fork_lock[second]);
    used[left]++;
    used[right]++;
    __VERIFIER_assert(used[left] == 1 && used[right] == 1);
    used[left]--;
    used[right]--;
    pthread_mutex_unlock(&fork_lock[second]);
    pthread_mutex_unlock(&fork_lock[first]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    int id[N];
    int i;

    for (i = 0; i < N; i++)
        pthread_mutex_init(&fork_lock[i], 0);
    for (i = 0; i < N; i++) {
        id[i] = i;
        pthread_create(&threads[i], 0, philosopher, &id[i]);
    }
    for (i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
