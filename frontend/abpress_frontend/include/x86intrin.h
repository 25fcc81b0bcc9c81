#ifndef ABPRESS_X86INTRIN_H
#define ABPRESS_X86INTRIN_H
#include <xmmintrin.h>

#endif
