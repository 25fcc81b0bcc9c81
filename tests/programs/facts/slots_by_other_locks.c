// expect: false(no-data-race) args: --property no-data-race
// Both threads access element 0, each with the lock of some element.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int slots[2];
pthread_mutex_t locks[2];
void *thread(void *argument) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 2) abort();
    pthread_mutex_lock(&locks[i]);
    slots[0]++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, thread, 0);
}
