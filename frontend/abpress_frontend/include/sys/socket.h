#ifndef ABPRESS_SYS_SOCKET_H
#define ABPRESS_SYS_SOCKET_H
#include <sys/types.h>

typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char __abp_data[126];
};

struct linger {
  int l_onoff;
  int l_linger;
};

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_LOCAL
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_ACCEPTCONN 30
#define SO_PROTOCOL 38
#define SO_DOMAIN 39
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 4096

int socket(int domain, int type, int protocol);
int bind(int descriptor, const struct sockaddr *address, socklen_t size);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *address, socklen_t *size);
int connect(int descriptor, const struct sockaddr *address, socklen_t size);
int shutdown(int descriptor, int how);
ssize_t send(int descriptor, const void *source, size_t size, int flags);
ssize_t recv(int descriptor, void *target, size_t size, int flags);
ssize_t sendto(int descriptor, const void *source, size_t size, int flags,
               const struct sockaddr *address, socklen_t address_size);
ssize_t recvfrom(int descriptor, void *target, size_t size, int flags, struct sockaddr *address,
                 socklen_t *address_size);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *size);
int getpeername(int descriptor, struct sockaddr *address, socklen_t *size);
int getsockopt(int descriptor, int level, int option, void *value, socklen_t *size);
int setsockopt(int descriptor, int level, int option, const void *value, socklen_t size);

#endif
