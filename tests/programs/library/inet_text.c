// expect: true
// Addresses of the internet are shown exactly.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void) {
  struct in_addr address = {htonl(0xc0a8000a)};
  char text[INET_ADDRSTRLEN];
  assert(inet_ntop(AF_INET, &address, text, sizeof text) == text);
  assert(strcmp(text, "192.168.0.10") == 0);
  assert(inet_ntop(AF_INET, &address, text, 12) == 0 && errno == ENOSPC);
  return 0;
}
