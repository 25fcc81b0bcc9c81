// expect: true args: --property unreach-call --property valid-deref
// The address of a peer goes into memory that had no values.
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

struct client {
  int socket;
  struct sockaddr_in address;
};

int main(void) {
  struct client *client = malloc(sizeof *client);
  socklen_t size = sizeof client->address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener >= 0) {
    client->socket = accept(listener, (struct sockaddr *)&client->address, &size);
    if (client->socket >= 0)
      assert(client->address.sin_port >= 0);
  }
  free(client);
  return 0;
}
