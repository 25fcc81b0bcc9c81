// expect: true
// Under the mutex of both nobody can tell the order.
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
    pthread_mutex_lock(&m);
    if (x != y)
        reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}
