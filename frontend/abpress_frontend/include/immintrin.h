#ifndef ABPRESS_IMMINTRIN_H
#define ABPRESS_IMMINTRIN_H
#include <xmmintrin.h>

#endif
