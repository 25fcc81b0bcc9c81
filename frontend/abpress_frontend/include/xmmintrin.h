#ifndef ABPRESS_XMMINTRIN_H
#define ABPRESS_XMMINTRIN_H

void _mm_pause(void);
unsigned int _mm_getcsr(void);
void _mm_setcsr(unsigned int value);

#endif
