/* A log that grows: writers keep its place from before they took the lock again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *lines;
static int used, size = 1;

static void grow(void)
{
    int *larger = malloc((used + 1) * sizeof(int));

    if (!larger)
        abort();
    memcpy(larger, lines, used * sizeof(int));
    free(lines);
    lines = larger;
    size = used + 1;
}

static void *writer(void *arg)
{
    int *place;

    pthread_mutex_lock(&lock);
    if (used == size)
        grow();
    place = &lines[used++];
    *place = 1;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    *place += 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    lines = calloc(size, sizeof(int));
    if (!lines)
        abort();
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(lines);
    return 0;
}
