/* Threads return their results through pthread_join; another thread changes their input. */
#include <pthread.h>
#include <stdint.h>

void reach_error(void) {}

static int input[4] = {4, 1, 7, 2};

static void *maximum(void *arg)
{
    int from = (int)(intptr_t)arg;
    int a = input[from], b = input[from + 1];

    if (a > b)
        pthread_exit((void *)(intptr_t)a);
    return (void *)(intptr_t)b;
}

static void *change(void *arg)
{
    input[2] = 0;
    return arg;
}

int main(void)
{
    pthread_t low, high;
    void *x, *y;
    pthread_t other;

    pthread_create(&other, 0, change, 0);
    pthread_create(&low, 0, maximum, (void *)0);
    pthread_create(&high, 0, maximum, (void *)2);
    pthread_join(low, &x);
    pthread_join(high, &y);
    if ((intptr_t)x != 4 || (intptr_t)y != 7)
        reach_error();
    return 0;
}
