// expect: true args: --engine abpress
/* More elements than a pointer is split over: one array, read over written. */
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
    if (cells[j] != 6)
        reach_error();
    if (i != j && cells[i] != 5)
        reach_error();
    if (i == j && cells[i] != 6)
        reach_error();
    if (i != 1234 && j != 1234 && cells[1234] != 0)
        reach_error();
    return 0;
}
