// expect: false(unreach-call) args: --engine abpress
/* The indices may be equal. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int cells[2000];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();

    if (i >= 2000 || j >= 2000)
        return 0;
    cells[i] = 5;
    cells[j] = 6;
    if (i > 1990 && cells[i] != 5)
        reach_error();
    return 0;
}
