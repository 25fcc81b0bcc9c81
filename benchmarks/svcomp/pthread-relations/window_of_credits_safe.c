/* A sender has as many credits as there are free places, of any number; a receiver gives them back. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int places, credits, under_way;

static void *send(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (credits > 0) {
            credits--;
            under_way++;
            __VERIFIER_assert(under_way <= places);
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *receive(void *unused)
{
    while (1) {
        pthread_mutex_lock(&lock);
        if (under_way > 0) {
            under_way--;
            credits++;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;

    places = __VERIFIER_nondet_int();
    if (places < 1 || places > 100000)
        return 0;
    credits = places;
    pthread_create(&t1, 0, send, 0);
    pthread_create(&t2, 0, receive, 0);
    pthread_join(t1, 0);
    return 0;
}
