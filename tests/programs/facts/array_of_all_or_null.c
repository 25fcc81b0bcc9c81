// expect: false(no-data-race) args: --property no-data-race
// Executions end where the pointer is NULL, but it may also lead to what all threads write.
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
int all[40];
void *thread(void *argument) {
    int *some = NULL;
    if (__VERIFIER_nondet_int() == 1) some = all;
    for (int i = 0; i < 40; i++) some[i] = 1;
    return argument;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, thread, NULL);
    pthread_create(&other, NULL, thread, NULL);
    return 0;
}
