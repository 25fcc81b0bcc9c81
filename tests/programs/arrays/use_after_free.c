// expect: unknown "accessed outside its lifetime" args: --engine abpress
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    int *cells = malloc(50 * sizeof(int));

    if (i >= 50)
        return 0;
    cells[i] = 1;
    if (i == 7)
        free(cells);
    cells[i] = 2;
    return 0;
}
