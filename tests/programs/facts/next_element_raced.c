// expect: false(no-data-race) args: --engine auto --property no-data-race
// Pointers into what is allocated are known up to multiples of an element's size: d + 1 is not d.
// NOTE(chosen-elements)
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

void *work(void *element) {
    *(int *)element = 1;
    return 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2)
        abort();
    int *d = malloc(n * sizeof *d);
    pthread_t thread;
    pthread_create(&thread, 0, work, d + 1);
    d[1] = 2;
    return 0;
}
