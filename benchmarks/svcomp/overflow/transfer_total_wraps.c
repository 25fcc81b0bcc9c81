/* Readings of two sensors are checked for a limit that their sum does not keep. */
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

#define MOST 2000000000

extern int __VERIFIER_nondet_int(void);

static sem_t ready;
static int readings[2];
static int total;

static void *sensor(void *arg)
{
    int *reading = arg, value = __VERIFIER_nondet_int();

    if (value < 0)
        value = 0;
    if (value > MOST)
        value = MOST;
    *reading = value;
    sem_post(&ready);
    return 0;
}

static void *adder(void *arg)
{
    sem_wait(&ready);
    sem_wait(&ready);
    total = readings[0] + readings[1];
    return arg;
}

int main(void)
{
    pthread_t a, b, c;

    sem_init(&ready, 0, 0);
    pthread_create(&a, 0, sensor, &readings[0]);
    pthread_create(&b, 0, sensor, &readings[1]);
    pthread_create(&c, 0, adder, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    sem_destroy(&ready);
    __VERIFIER_assert(total >= readings[0]);
    return 0;
}
