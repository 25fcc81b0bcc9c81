// expect: false(unreach-call) args: --engine abpress
/* What was never written is arbitrary, but stays what it is. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int cells[100];
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    int x;

    if (i >= 100 || j >= 100)
        return 0;
    cells[50] = 1;
    x = cells[i];
    if (x == 17 && cells[j] == 18 && cells[i] + cells[50] == 18 && cells[j] == 18)
        reach_error();
    return 0;
}
