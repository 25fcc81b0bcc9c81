// expect: false(unreach-call) args: --engine abpress
/* A local array has other arbitrary contents each time that its scope is entered. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    int before = 0;

    if (i >= 100)
        return 0;
    for (int round = 0; round < 2; round++) {
        int cells[100];

        if (round == 1 && cells[i] != before)
            reach_error();
        before = cells[i];
    }
    return 0;
}
