// expect: false(unreach-call)
// What ends the program may come before or after what violates; from left to right it would not be so.
void reach_error(void);

#include <stdlib.h>
int leave(void) { exit(0); return 0; }
int wrong(void) { reach_error(); return 0; }

int main(void) {
    int r = leave() + wrong();
    if (0)
        reach_error();
    return 0;
}
