// expect: unknown "prctl does something else"
#include <sys/prctl.h>

int main(void) {
  char name[16];
  return prctl(PR_GET_NAME, name);
}
