/* Lamport's fast mutual exclusion (1987, second algorithm), two threads for ever. */
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

static int x, y; /* 0 is no thread; the threads are 1 and 2 */
static int b1, b2;
static int inside;

static void critical(void)
{
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
}

static void *first(void *arg)
{
    while (1) {
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x != 1) {
            b1 = 0;
            while (b2)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        critical();
        y = 0;
        b1 = 0;
    }
    return arg;
}

static void *second(void *arg)
{
    while (1) {
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x != 2) {
            b2 = 0;
            while (b1)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        critical();
        y = 0;
        b2 = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
