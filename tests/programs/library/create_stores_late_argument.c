// expect: false(unreach-call)
// The same for a local variable of which the new thread is told the address.
#include <pthread.h>
void reach_error(void);

void *thread(void *argument) {
    if (!pthread_equal(*(pthread_t *)argument, pthread_self()))
        reach_error();
    return 0;
}

int main(void) {
    pthread_t id = 0;
    pthread_create(&id, 0, thread, &id);
    pthread_join(id, 0);
    return 0;
}
