/* An image shared by two threads, with a count: the count is read again after it was decremented. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct image {
    int width;
};

static atomic_int references, drawn;

static void put(struct image *image)
{
    atomic_fetch_sub(&references, 1);
    if (atomic_load(&references) == 0)
        free(image);
}

static void *viewer(void *arg)
{
    struct image *image = arg;

    atomic_fetch_add(&drawn, image->width);
    put(image);
    return 0;
}

int main(void)
{
    struct image *image = malloc(sizeof(*image));
    pthread_t a, b;

    if (!image)
        abort();
    atomic_init(&references, 2);
    image->width = 640;
    pthread_create(&a, 0, viewer, image);
    pthread_create(&b, 0, viewer, image);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
