// expect: true args: --engine abpress
/* What was never written is arbitrary, but stays what it is. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    int cells[100];

    if (i >= 100 || j >= 100)
        return 0;
    if (cells[i] != cells[i])
        reach_error();
    cells[j] = 3;
    if (i == j && cells[i] != 3)
        reach_error();
    return 0;
}
