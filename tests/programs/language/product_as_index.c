// expect: true args: --engine abpress
/* The index is a product of inputs, of a pointer that is not known before: only on a path it is
   seen that integers cannot say that, and the search begins again with bit-vectors. */
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

char cells[8];
char *where;

static void *writer(void *arg)
{
    unsigned row = __VERIFIER_nondet_uint(), column = __VERIFIER_nondet_uint();

    __VERIFIER_assume(row < 2 && column < 2);
    where[row * column] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    where = cells;
    pthread_create(&t, 0, writer, 0);
    if (cells[2] != 0)
        reach_error();
    pthread_join(t, 0);
    if (cells[2] != 0)
        reach_error();
    return 0;
}
