// expect: unknown "access out of the bounds of cells" args: --engine abpress
extern int __VERIFIER_nondet_int(void);

unsigned char cells[40];

int main(void)
{
    int i = __VERIFIER_nondet_int();

    if (i < 40)
        cells[i] = 1;
    return 0;
}
