// expect: true args: --property unreach-call
// Headers of glibc declare addresses of sockets so, under _GNU_SOURCE.
#include <assert.h>

struct sockaddr {
  unsigned short sa_family;
  char sa_data[14];
};
typedef union {
  const struct sockaddr *restrict plain;
  const char *restrict other;
} any_address __attribute__((__transparent_union__));
extern int socket(int domain, int type, int protocol);
extern int bind(int descriptor, any_address address, unsigned size);

int main(void) {
  struct sockaddr one = {2, ""};
  int done = bind(socket(2, 1, 0), &one, sizeof one);
  assert(done == 0 || done == -1);
  return 0;
}
