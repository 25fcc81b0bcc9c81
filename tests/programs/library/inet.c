// expect: true
// Addresses of the internet are read exactly.
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>

int main(void) {
  struct sockaddr_in name;
  assert(inet_pton(AF_INET, "127.0.0.1", &name.sin_addr) == 1);
  assert(name.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
  assert(inet_pton(AF_INET, "1.2.3.256", &name.sin_addr) == 0);
  assert(inet_pton(AF_INET, "1.02.3.4", &name.sin_addr) == 0);
  assert(inet_pton(77, "1.2.3.4", &name.sin_addr) == -1 && errno == EAFNOSUPPORT);
  assert(inet_addr("192.168.0.10") == htonl(0xc0a8000a));
  return 0;
}
