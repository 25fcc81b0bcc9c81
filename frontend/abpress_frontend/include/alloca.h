#ifndef ABPRESS_ALLOCA_H
#define ABPRESS_ALLOCA_H
#include <stddef.h>

void *alloca(size_t size);

#endif
