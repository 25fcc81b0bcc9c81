// expect: false(unreach-call) args: --property unreach-call
/* A peer may send anything, and its address may be any. */
#include <netinet/in.h>
#include <sys/socket.h>

void reach_error(void);

int main(void) {
  struct sockaddr_in name = {0};
  socklen_t size = sizeof name;
  char byte = 0;
  int server = socket(AF_INET, SOCK_DGRAM, 0);
  if (server < 0)
    return 1;
  if (recvfrom(server, &byte, 1, 0, (struct sockaddr *)&name, &size) == 1 && byte == 'q')
    if (name.sin_zero[3] == 9)
      reach_error();
  return 0;
}
