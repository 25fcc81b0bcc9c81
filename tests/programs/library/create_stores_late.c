// expect: false(unreach-call)
// The new thread may run before its id is stored (POSIX.1-2024 pthread_create, application usage).
#include <pthread.h>
void reach_error(void);

pthread_t id;

void *thread(void *argument) {
    if (!pthread_equal(id, pthread_self()))
        reach_error();
    return 0;
}

int main(void) {
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
    return 0;
}
