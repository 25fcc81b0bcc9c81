// expect: false(unreach-call)
// x may be read before the mutex is taken.
void reach_error(void);

#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *other(void *unused) {
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int r = pthread_mutex_lock(&m) + x;
    if (r != y)
        reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}
