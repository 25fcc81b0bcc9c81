// expect: false(unreach-call)
// A memory order is an argument as any other: its effects take place, and here that is the error.
#include <stdatomic.h>
void reach_error(void);

_Atomic int x;
int calls;

int order(void) {
    calls++;
    return memory_order_seq_cst;
}

int main(void) {
    int expected = 0;
    atomic_store_explicit(&x, 1, order());
    __atomic_load_n(&calls, order());
    atomic_compare_exchange_strong_explicit(&x, &expected, 2, order(), order());
    atomic_thread_fence(order());
    if (calls == 5)
        reach_error();
    return 0;
}
