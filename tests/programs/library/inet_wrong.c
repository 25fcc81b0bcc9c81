// expect: false(valid-deref) args: --property valid-deref
// The longest address has 15 characters and an end.
#include <arpa/inet.h>
#include <stdlib.h>

int main(void) {
  struct in_addr address = {htonl(0xffffffff)};
  char *text = malloc(15);
  inet_ntop(AF_INET, &address, text, INET_ADDRSTRLEN);
  free(text);
  return 0;
}
