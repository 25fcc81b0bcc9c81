// expect: true args: --property unreach-call,no-data-race
// An ACSL assertion speaks of one state: x is not read twice, and nobody who runs reads it.
#include <pthread.h>
#include <stddef.h>
int x;
void *thread(void *argument) {
    x = -1;
    return argument;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    //@ assert x < 0 || x == 0;
    pthread_join(id, NULL);
    return 0;
}
