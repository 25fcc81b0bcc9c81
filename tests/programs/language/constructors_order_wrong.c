// expect: false(unreach-call)
// A constructor with a number runs before one without, whatever the text's order.
#include <assert.h>

static int steps;

__attribute__((constructor)) static void plain(void) { assert(++steps == 1); }
__attribute__((constructor(200))) static void numbered(void) { ++steps; }

int main(void) { return 0; }
