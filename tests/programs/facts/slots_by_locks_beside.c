// expect: true args: --property no-data-race --engine static
// Element i is guarded by lock i, whichever i, and for any number of threads.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int slots[4];
pthread_mutex_t locks[4];
void *thread(void *argument) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 4) abort();
    pthread_mutex_lock(&locks[i]);
    slots[i]++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 1000; i++) pthread_create(&t, 0, thread, 0);
}
