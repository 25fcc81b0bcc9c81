/* The generator of Python's `random.Random`, the Mersenne Twister, and what is drawn with it. */
#include <math.h>

#include "hunt.h"

enum { WORDS = 624, SHIFT = 397 };

static uint32_t next(chance *c) {
    uint32_t *its = c->its;
    if (c->at >= WORDS) {
        for (size_t k = 0; k < WORDS; k++) {
            uint32_t y = (its[k] & 0x80000000u) | (its[(k + 1) % WORDS] & 0x7fffffffu);
            its[k] = its[(k + SHIFT) % WORDS] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        c->at = 0;
    }
    uint32_t y = its[c->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

double chance_random(chance *c) {
    uint32_t high = next(c) >> 5, low = next(c) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

size_t chance_below(chance *c, size_t n) {
    int bits = 0;
    while (n >> bits != 0) bits++;
    if (bits == 0 || bits > 32) return 0;
    for (;;) {
        size_t found = next(c) >> (32 - bits);
        if (found < n) return found;
    }
}

size_t chance_index(chance *c, size_t n) { return (size_t)(chance_random(c) * (double)n); }

double chance_exponential(chance *c, double mean) {
    return -log(1.0 - chance_random(c)) / (1.0 / mean);
}
