#ifndef ABPRESS_SYS_PARAM_H
#define ABPRESS_SYS_PARAM_H
#include <limits.h>
#include <sys/types.h>

#define MAXPATHLEN 4096
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))

#endif
