#ifndef ABPRESS_SYS_SENDFILE_H
#define ABPRESS_SYS_SENDFILE_H
#include <sys/types.h>

ssize_t sendfile(int target, int source, off_t *offset, size_t size);

#endif
