// expect: true
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  char bytes[2] = {1, 2};
  int server = socket(AF_INET, SOCK_STREAM, 0);
  int client;
  if (server < 0)
    return 1;
  assert(server == 3);
  memset(&name, 0, sizeof name);
  name.sin_family = AF_INET;
  name.sin_port = htons(0x1f90);
  assert(name.sin_port == 0x901f && ntohs(name.sin_port) == 0x1f90);
  assert(htonl(INADDR_LOOPBACK) == 0x0100007f && ntohl(htonl(77)) == 77);
  if (bind(server, (struct sockaddr *)&name, sizeof name) != 0)
    return 1;
  if (listen(server, 1) != 0)
    return 1;
  client = accept(server, (struct sockaddr *)&name, &size);
  assert(client == 4 || client == -1);
  if (client < 0)
    return 1;
  ssize_t count = recv(client, bytes, 1, 0);
  assert(count >= -1 && count <= 1 && bytes[1] == 2);
  count = send(client, bytes, 2, 0);
  assert(count >= -1 && count <= 2 && count != 0);
  assert(setsockopt(9, SOL_SOCKET, SO_REUSEADDR, &size, sizeof size) == -1 && errno == EBADF);
  close(client);
  return 0;
}
