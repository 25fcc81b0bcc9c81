// expect: true args: --property no-data-race --engine static
// What calloc returns is NULL where the size is too large, and then the first element is none. The
// loop counts further than what is told apart, but only where the pointer is no longer NULL.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void *thread(void *argument) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) abort();
    int *own = calloc(n, sizeof *own);
    for (int i = 0; i < n; i++) own[i] = 1;
    free(own);
    return argument;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t id;
        pthread_create(&id, NULL, thread, NULL);
    }
    return 0;
}
