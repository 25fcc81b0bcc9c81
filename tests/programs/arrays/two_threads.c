// expect: true args: --engine abpress
/* Two threads write at different indices; nobody knows which. */
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int cells[100];
unsigned i, j;

static void *writer(void *arg)
{
    cells[i] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    if (i >= 100 || j >= 100 || i == j)
        return 0;
    pthread_create(&t, 0, writer, 0);
    cells[j] = 2;
    pthread_join(t, 0);
    if (cells[i] != 1 || cells[j] != 2)
        reach_error();
    return 0;
}
