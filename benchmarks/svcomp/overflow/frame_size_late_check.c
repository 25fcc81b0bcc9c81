/* The size of a frame is computed by one thread, and checked afterwards. */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define MOST 10000

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int width, height;

static void *resize(void *arg)
{
    int w = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int();

    if (w < 0 || h < 0)
        return arg;
    pthread_mutex_lock(&lock);
    width = w;
    height = h;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *draw(void *arg)
{
    int size;

    pthread_mutex_lock(&lock);
    size = width * height;
    if (width > MOST || height > MOST)
        size = 0;
    pthread_mutex_unlock(&lock);
    __VERIFIER_assert(size >= 0 && size <= MOST * MOST);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, resize, 0);
    pthread_create(&b, 0, draw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
