/* Each thread averages its neighbours' cells in place, and the barrier comes only after that. */
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

#define CELLS 2
#define PHASES 2

static pthread_barrier_t phase;
static int cells[CELLS] = {0, 8};

static void *smooth(void *arg)
{
    int me = *(int *)arg, k;

    for (k = 0; k < PHASES; k++) {
        cells[me] = (cells[me] + cells[(me + 1) % CELLS]) / 2;
        pthread_barrier_wait(&phase);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[CELLS];
    int index[CELLS], i;

    pthread_barrier_init(&phase, 0, CELLS);
    for (i = 0; i < CELLS; i++) {
        index[i] = i;
        pthread_create(&threads[i], 0, smooth, &index[i]);
    }
    for (i = 0; i < CELLS; i++)
        pthread_join(threads[i], 0);
    pthread_barrier_destroy(&phase);
    __VERIFIER_assert(cells[0] <= 8 && cells[1] <= 8);
    return 0;
}
