#ifndef ABPRESS_XMMINTRIN_H
#define ABPRESS_XMMINTRIN_H

void _mm_pause(void);

#endif
