#ifndef ABPRESS_ARPA_INET_H
#define ABPRESS_ARPA_INET_H
#include <netinet/in.h>

in_addr_t inet_addr(const char *text);

#endif
