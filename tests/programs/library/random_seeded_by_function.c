// expect: true
// One call of srand in the text is made twice.
#include <stdlib.h>
void reach_error(void);

int draw(void) {
    srand(3);
    return rand();
}

int main(void) {
    int first = draw();
    if (draw() != first)
        reach_error();
    return 0;
}
