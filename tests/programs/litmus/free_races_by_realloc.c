// expect: false(no-data-race) args: --property no-data-race
// realloc frees the old memory, and reads it: another thread only reads it, too.
#include <pthread.h>
#include <stdlib.h>
int *cell;
int seen;
void *thread(void *argument) {
    seen = *(int *)argument;
    return 0;
}
int main(void) {
    pthread_t one;
    cell = calloc(2, sizeof *cell);
    pthread_create(&one, 0, thread, cell);
    cell = realloc(cell, 3 * sizeof *cell);
    pthread_join(one, 0);
    free(cell);
    return 0;
}
