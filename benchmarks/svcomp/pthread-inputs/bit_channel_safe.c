/* A byte of input is sent bit by bit through a one-place buffer. */
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

extern unsigned char __VERIFIER_nondet_uchar(void);

static int place = -1;
static unsigned char sent, received;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *sender(void *arg)
{
    int i;

    for (i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        while (place != -1)
            pthread_cond_wait(&changed, &m);
        place = sent >> i & 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *receiver(void *arg)
{
    int i;

    for (i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        while (place == -1)
            pthread_cond_wait(&changed, &m);
        received |= (unsigned char)(place << i);
        place = -1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    sent = __VERIFIER_nondet_uchar();
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(received == (sent & 7));
    return 0;
}
