// expect: true
// What is read has no more characters than the width, and fits (C11 7.21.6.2).
#include <stdio.h>
void reach_error(void);

int main(void) {
    unsigned decimal = 0, hexadecimal = 0;
    unsigned short small = 0;
    short negative = 0;
    scanf("%2u %1x %5hu %3hd", &decimal, &hexadecimal, &small, &negative);
    if (decimal > 99 && decimal < 0u - 9 || hexadecimal > 15 || small > 65535)
        reach_error();
    if (negative < -99 || negative > 999)
        reach_error();
    return 0;
}
