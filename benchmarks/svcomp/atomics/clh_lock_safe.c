/* CLH queue lock (Craig, Landin, Hagersten): every waiter spins on its predecessor's cell. */
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct cell {
    atomic_int locked;
};

static struct cell cells[3];
static struct cell *_Atomic tail = &cells[2];
static int inside;

static void *client(void *arg)
{
    struct cell *mine = arg;
    struct cell *before;

    atomic_store(&mine->locked, 1);
    before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->locked))
        ;
    inside++;
    __VERIFIER_assert(inside == 1);
    inside--;
    atomic_store(&mine->locked, 0);
    return 0;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, client, &cells[0]);
    pthread_create(&b, 0, client, &cells[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
