// expect: true
// Without srand, the numbers are those of srand(1) (C11 7.22.2.2p2).
#include <stdlib.h>
void reach_error(void);

int main(void) {
    int first = rand();
    srand(1);
    if (rand() != first)
        reach_error();
    return 0;
}
