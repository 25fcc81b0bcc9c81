// expect: true args: --engine abpress
/* Arrays in heap memory, of zeros. */
#include <stdlib.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    long *cells = calloc(50, sizeof(long));

    if (i >= 50)
        return 0;
    if (cells[i] != 0)
        reach_error();
    cells[i] = -1;
    cells[(i + 1) % 50] = 4;
    if (cells[i] != -1)
        reach_error();
    free(cells);
    return 0;
}
