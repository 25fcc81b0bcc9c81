// expect: unknown "access out of the bounds of cells" args: --engine abpress
extern unsigned __VERIFIER_nondet_uint(void);

int cells[2000];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();

    if (i <= 2000)
        cells[i] = 1;
    return 0;
}
