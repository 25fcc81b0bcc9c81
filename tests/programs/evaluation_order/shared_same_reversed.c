// expect: false(unreach-call)
// The same variable is read twice, the right operand first.
void reach_error(void);

#include <pthread.h>
int x;

void *other(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (x - x == 1)
        reach_error();
    return 0;
}
