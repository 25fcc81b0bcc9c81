// expect: false(valid-deref) args: --property valid-deref
/* The name of a thread has up to 15 characters. */
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
  char name[16];
  char copy[8];
  int i = 0;
  if (pthread_getname_np(pthread_self(), name, sizeof name) != 0)
    return 1;
  do
    copy[i] = name[i];
  while (name[i++] != 0);
  return 0;
}
