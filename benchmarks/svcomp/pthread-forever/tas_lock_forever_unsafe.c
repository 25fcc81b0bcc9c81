/* Test-and-test-and-set lock, broken: released before the last write of the section. */
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

static int locked;
static int inside;

static void *client(void *arg)
{
    while (1) {
        while (__sync_lock_test_and_set(&locked, 1))
            while (locked)
                ;
        inside++;
        __VERIFIER_assert(inside == 1);
        __sync_lock_release(&locked);
        inside--;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, client, 0);
    client(0);
}
