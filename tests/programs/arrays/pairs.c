// expect: true args: --engine abpress
/* Structures of integers of one type: twice the index, and the member. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair {
    int first, second;
} pairs[40];

int main(void)
{
    int i = __VERIFIER_nondet_int();

    if (i < 0 || i >= 40)
        return 0;
    pairs[i].first = 1;
    pairs[i].second = 2;
    if (pairs[i].first != 1 || pairs[i].second != 2 || (i != 3 && pairs[3].first != 0))
        reach_error();
    return 0;
}
