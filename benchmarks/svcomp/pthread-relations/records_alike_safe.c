/* Records of three fields that compare as equal compare alike with a third one. */
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

extern int __VERIFIER_nondet_int(void);

int a[3], b[3], c[3];
int result1, result2, result3, i1, i2, i3;

static int sign(int x, int y)
{
    return x < y ? -1 : x > y;
}

static void *worker1(void *unused)
{
    result1 = 0;
    i1 = 0;
    while (i1 < 3 && result1 == 0) {
        result1 = sign(a[i1], b[i1]);
        i1++;
    }
    return unused;
}

static void *worker2(void *unused)
{
    result2 = 0;
    i2 = 0;
    while (i2 < 3 && result2 == 0) {
        result2 = sign(a[i2], c[i2]);
        i2++;
    }
    return unused;
}

static void *worker3(void *unused)
{
    result3 = 0;
    i3 = 0;
    while (i3 < 3 && result3 == 0) {
        result3 = sign(b[i3], c[i3]);
        i3++;
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;

    for (int i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
        c[i] = __VERIFIER_nondet_int();
    }
    i1 = __VERIFIER_nondet_int();
    i2 = __VERIFIER_nondet_int();
    i3 = __VERIFIER_nondet_int();
    pthread_create(&t1, 0, worker1, 0);
    pthread_create(&t2, 0, worker2, 0);
    pthread_create(&t3, 0, worker3, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    if (result1 == 0)
        __VERIFIER_assert(result2 == result3);
    return 0;
}
