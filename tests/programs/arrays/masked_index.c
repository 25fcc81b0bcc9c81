// expect: true args: --engine abpress --encoding bv
/* A ring buffer whose index is masked; bit-vectors. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned char ring[64];

int main(void)
{
    unsigned head = __VERIFIER_nondet_uint(), mask = 63;
    unsigned char value = (unsigned char)__VERIFIER_nondet_uint();

    ring[head & mask] = value;
    head++;
    ring[head & mask] = value + 1;
    if (ring[(head - 1) & mask] != value)
        reach_error();
    return 0;
}
