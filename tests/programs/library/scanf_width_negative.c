// expect: false(unreach-call)
// A minus sign is read for unsigned numbers, too (C11 7.21.6.2p12).
#include <stdio.h>
void reach_error(void);

int main(void) {
    unsigned decimal = 0;
    scanf("%2u", &decimal);
    if (decimal > 99)
        reach_error();
    return 0;
}
