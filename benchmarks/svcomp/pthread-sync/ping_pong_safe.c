/* Ping-pong: two threads take turns by a turn variable, a mutex and a broadcast condition. */
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

#define TURNS 2

static int turn, steps;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *player(void *arg)
{
    int me = *(int *)arg;
    int i;

    for (i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&m);
        while (turn != me)
            pthread_cond_wait(&changed, &m);
        __VERIFIER_assert(steps == 2 * i + me);
        steps++;
        turn = 1 - me;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int zero = 0, one = 1;

    pthread_create(&a, 0, player, &zero);
    pthread_create(&b, 0, player, &one);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
