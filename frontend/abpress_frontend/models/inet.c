/* Addresses of the internet as texts (POSIX arpa/inet.h). Four numbers with dots are read and written
   exactly; texts of IPv6 are a bound of the tool. */
#include <abpress.h>
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Whether a text is four numbers up to 255, without needless zeros, and nothing else. */
static int __abp_dotted(const char *text, in_addr_t *address) {
  in_addr_t found = 0;
  unsigned int number;
  int part;
  size_t i = 0;
  for (part = 0; part < 4; part++) {
    size_t begin = i;
    number = 0;
    if (part > 0) {
      if (text[i] != '.')
        return 0;
      begin = ++i;
    }
    while (text[i] >= '0' && text[i] <= '9') {
      if (i > begin && number == 0)
        return 0;
      number = number * 10 + (unsigned int)(text[i] - '0');
      if (number > 255)
        return 0;
      i++;
    }
    if (i == begin)
      return 0;
    found = found | number << 8 * part;
  }
  if (text[i] != 0)
    return 0;
  *address = found;
  return 1;
}

int inet_pton(int family, const char *text, void *target) {
  struct in_addr address;
  if (family == AF_INET6)
    __abp_cut("an address of IPv6 is read from a text");
  if (family != AF_INET) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  if (!__abp_dotted(text, &address.s_addr))
    return 0;
  *(struct in_addr *)target = address;
  return 1;
}

/* Fewer parts, and numbers that are octal or hexadecimal, may be read as well: as anything. */
int inet_aton(const char *text, struct in_addr *target) {
  struct in_addr address;
  if (!__abp_dotted(text, &address.s_addr)) {
    if (__abp_nondet_bool())
      return 0;
    address.s_addr = __abp_nondet_uint();
  }
  *target = address;
  return 1;
}

in_addr_t inet_addr(const char *text) {
  in_addr_t address;
  return __abp_dotted(text, &address) ? address : (in_addr_t)__abp_nondet_uint();
}

/* The text, and its length. */
static size_t __abp_show_dotted(in_addr_t address, char *text) {
  size_t i = 0;
  int part;
  for (part = 0; part < 4; part++) {
    unsigned int number = address >> 8 * part & 255;
    if (part > 0)
      text[i++] = '.';
    if (number >= 100)
      text[i++] = (char)('0' + number / 100);
    if (number >= 10)
      text[i++] = (char)('0' + number / 10 % 10);
    text[i++] = (char)('0' + number % 10);
  }
  text[i] = 0;
  return i;
}

const char *inet_ntop(int family, const void *source, char *text, socklen_t size) {
  char shown[INET_ADDRSTRLEN];
  if (family == AF_INET6)
    __abp_cut("an address of IPv6 is shown as a text");
  if (family != AF_INET) {
    errno = EAFNOSUPPORT;
    return 0;
  }
  if (__abp_show_dotted(((const struct in_addr *)source)->s_addr, shown) >= size) {
    errno = ENOSPC;
    return 0;
  }
  return strcpy(text, shown);
}

static char __abp_shown_address[INET_ADDRSTRLEN];

char *inet_ntoa(struct in_addr address) {
  __abp_show_dotted(address.s_addr, __abp_shown_address);
  return __abp_shown_address;
}
