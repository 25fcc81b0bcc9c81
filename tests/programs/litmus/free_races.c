// expect: false(no-data-race) args: --property no-data-race
// To free memory is to write it (C17 7.22.3p2): both orders of the two are undefined.
#include <pthread.h>
#include <stdlib.h>
int *cell;
void *thread(void *argument) {
    *cell = 1;
    return 0;
}
int main(void) {
    pthread_t one;
    cell = malloc(2 * sizeof *cell);
    pthread_create(&one, 0, thread, 0);
    free(cell);
    pthread_join(one, 0);
    return 0;
}
