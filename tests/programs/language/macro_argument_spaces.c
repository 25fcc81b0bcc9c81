// expect: true
// Spaces in strings that are made of variable arguments are those of the call.
#include <assert.h>
#define STR(...) #__VA_ARGS__
#define TEXT(...) STR(__VA_ARGS__)
#define OPTIONAL(a, ...) TEXT(a __VA_OPT__(,) __VA_ARGS__)

int main(void) {
  assert(sizeof STR(a,b) == 4 && sizeof STR(a , b) == 6 && sizeof STR(a,  b) == 5);
  assert(sizeof OPTIONAL(a) == 2 && sizeof OPTIONAL(a, b) == 6);
  return 0;
}
