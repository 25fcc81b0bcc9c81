#ifndef ABPRESS_EMMINTRIN_H
#define ABPRESS_EMMINTRIN_H
#include <xmmintrin.h>

#endif
