/* Double-checked initialisation of a singleton, broken: the first check is a plain read. */
#include <pthread.h>
#include <stdlib.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct settings {
    int width, height;
};

static pthread_mutex_t creating = PTHREAD_MUTEX_INITIALIZER;
static struct settings *instance;

static struct settings *settings(void)
{
    struct settings *s = instance;

    if (s)
        return s;
    pthread_mutex_lock(&creating);
    s = instance;
    if (!s) {
        s = malloc(sizeof(*s));
        if (!s)
            abort();
        s->width = 80;
        s->height = 25;
        instance = s;
    }
    pthread_mutex_unlock(&creating);
    return s;
}

static void *window(void *arg)
{
    struct settings *s = settings();

    __VERIFIER_assert(s->width * s->height == 2000);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, window, 0);
    pthread_create(&b, 0, window, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
