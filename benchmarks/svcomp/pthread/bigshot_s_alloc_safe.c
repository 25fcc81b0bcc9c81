/* One thread allocates a string, then another fills it; no memory is an error. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void reach_error(void) {}

static char *v;

static void *allocate(void *arg)
{
    v = malloc(8 * sizeof(char));
    return arg;
}

static void *fill(void *arg)
{
    if (v)
        strcpy(v, "Bigshot");
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, allocate, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(b, 0);
    if (!v || v[0] != 'B')
        reach_error();
    return 0;
}
