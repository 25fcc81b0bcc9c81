// expect: true args: --engine abpress
/* A table that is never written. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const unsigned char ones[64] = {
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6,
};

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();

    if (x >= 64)
        return 0;
    if (ones[x] > 6 || (x != 0 && ones[x] == 0))
        reach_error();
    if (ones[x] == 6 && x != 63)
        reach_error();
    return 0;
}
