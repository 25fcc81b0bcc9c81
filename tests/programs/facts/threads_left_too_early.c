// expect: false(no-data-race) args: --property no-data-race
// A thread says that it has ended, and goes on.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int data, left;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *thread(void *argument) {
    __VERIFIER_atomic_begin();
    left--;
    __VERIFIER_atomic_end();
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 1; i++) {
        __VERIFIER_atomic_begin();
        left++;
        __VERIFIER_atomic_end();
        pthread_create(&t, 0, thread, 0);
    }
    __VERIFIER_atomic_begin();
    int some = left;
    __VERIFIER_atomic_end();
    return some ? 0 : data;
}
