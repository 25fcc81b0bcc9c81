#ifndef ABPRESS_MEMORY_H
#define ABPRESS_MEMORY_H
#include <string.h>
#endif
