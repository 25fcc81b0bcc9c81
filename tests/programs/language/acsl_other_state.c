// expect: false(unreach-call) args: --property unreach-call
// The assertion does not hold of the state after the other thread has written.
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
    //@ assert x == 0;
    pthread_join(id, NULL);
    return 0;
}
