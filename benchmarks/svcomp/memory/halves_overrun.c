/* Two threads fill the halves of an array whose length is an input; the second writes one too many. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part {
    int *cells;
    int from, to;
};

static void *fill(void *arg)
{
    struct part *part = arg;
    int i;

    for (i = part->from; i < part->to; i++)
        part->cells[i] = i;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *cells;
    struct part low, high;
    pthread_t a, b;

    if (n < 1 || n > 4)
        return 0;
    cells = malloc(n * sizeof(int));
    if (!cells)
        return 1;
    low.cells = high.cells = cells;
    low.from = 0;
    low.to = high.from = n / 2;
    high.to = n + 1;
    pthread_create(&a, 0, fill, &low);
    pthread_create(&b, 0, fill, &high);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(cells);
    return 0;
}
