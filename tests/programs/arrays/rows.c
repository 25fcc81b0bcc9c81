// expect: true args: --engine abpress
/* Two indices that make one. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

short cells[10][20];

int main(void)
{
    unsigned char i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar();

    if (i >= 10 || j >= 20)
        return 0;
    cells[i][j] = -7;
    if (cells[i][j] != -7)
        reach_error();
    if (j != 3 && cells[4][3] != 0)
        reach_error();
    return 0;
}
