// expect: true args: --property no-data-race
// The memory is freed under the lock under which others use it, and where nobody can use it any more.
#include <pthread.h>
#include <stdlib.h>
int *cell, *other;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *thread(void *argument) {
    pthread_mutex_lock(&lock);
    if (cell)
        *cell = 1;
    pthread_mutex_unlock(&lock);
    *other = 1;
    return 0;
}
int main(void) {
    pthread_t one;
    cell = malloc(2 * sizeof *cell);
    other = malloc(sizeof *other);
    pthread_create(&one, 0, thread, 0);
    pthread_mutex_lock(&lock);
    free(cell);
    cell = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    free(other);
    return 0;
}
