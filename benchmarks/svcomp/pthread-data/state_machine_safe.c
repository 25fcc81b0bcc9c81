/* A connection as a state machine (switch, goto) under a lock. */
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

enum state { CLOSED, OPENING, OPEN, CLOSING };

static enum state state = CLOSED;
static int packets;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *arg)
{
again:
    pthread_mutex_lock(&m);
    switch (state) {
    case CLOSED:
        state = OPENING;
        break;
    case OPENING:
        goto wait;
    case OPEN:
        packets++;
        state = CLOSING;
        pthread_mutex_unlock(&m);
        return arg;
    case CLOSING:
    default:
        __VERIFIER_assert(0);
    }
wait:
    pthread_mutex_unlock(&m);
    goto again;
}

static void *network(void *arg)
{
    int opened = 0;

    do {
        pthread_mutex_lock(&m);
        if (state == OPENING) {
            __VERIFIER_assert(packets == 0);
            state = OPEN;
            opened = 1;
        }
        pthread_mutex_unlock(&m);
    } while (!opened);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, network, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(state == CLOSING && packets == 1);
    return 0;
}
