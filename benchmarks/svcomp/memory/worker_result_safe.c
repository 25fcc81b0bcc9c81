/* Workers return their results in heap objects, which main frees. */
#include <pthread.h>
#include <stdlib.h>

extern void abort(void);
void reach_error(void) {}

static void __VERIFIER_assert(int cond)
{
    if (!cond) {
        reach_error();
        abort();
    }
}

struct result {
    int count;
    int largest;
};

static int numbers[] = {3, 1, 4, 1};

static void *scan(void *arg)
{
    int *from = arg, i;
    struct result *result = malloc(sizeof(*result));

    if (!result)
        abort();
    result->count = 0;
    result->largest = 0;
    for (i = 0; i < 2; i++) {
        result->count++;
        if (from[i] > result->largest)
            result->largest = from[i];
    }
    return result;
}

int main(void)
{
    pthread_t a, b;
    void *low, *high;
    struct result *first, *second;

    pthread_create(&a, 0, scan, &numbers[0]);
    pthread_create(&b, 0, scan, &numbers[2]);
    pthread_join(a, &low);
    pthread_join(b, &high);
    first = low;
    second = high;
    __VERIFIER_assert(first->count + second->count == 4 && second->largest == 4);
    free(first);
    free(second);
    return 0;
}
