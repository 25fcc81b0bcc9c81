// expect: true args: --engine abpress
/* Many writes in a row to an array that no other thread sees. */
#include <string.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    int cells[250];

    memset(cells, 0, sizeof(cells));
    if (i < 250 && cells[i] != 0)
        reach_error();
    return 0;
}
