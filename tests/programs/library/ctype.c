// expect: true
#include <assert.h>
#include <ctype.h>

int main(void) {
  assert(isalpha('a') && isalpha('Z') && !isalpha('1') && isdigit('0') && !isdigit('a'));
  assert(isalnum('z') && isalnum('9') && !isalnum('_') && isspace('\n') && !isspace('x'));
  assert(isupper('A') && !isupper('a') && islower('q') && isxdigit('F') && !isxdigit('g'));
  assert(toupper('a') == 'A' && toupper('1') == '1' && tolower('Q') == 'q');
  assert(isprint(' ') && !isgraph(' ') && ispunct('!') && !ispunct('a') && iscntrl(127));
  assert(isblank('\t') && isascii(127) && !isascii(128));
  return 0;
}
