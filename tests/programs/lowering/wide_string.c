// expect: unsupported "wide_string.c:5:21: wide string literal L"
#include <wchar.h>

int main(void) {
  wchar_t text[4] = L"abc";
  return text[0];
}
