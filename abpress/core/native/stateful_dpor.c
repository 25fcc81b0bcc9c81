/* Persistent-set DPOR with stored states, as `abpress/reductions/stateful/stateful_dpor.py`: what is entered
 * at the steps of the path is what races with them, NOTE(unknown-paths). */
#include "dynamic.h"

void dpor_apply(core *c, uint32_t serial) {
    word words[2 * LANES];
    size_t length = summary_of(c, serial, words);
    for (size_t k = 0; k < length && !c->over; k += 2) {
        path_unordered(c, (int)words[k]);
        de_update(c, (int)words[k], 0, (uint32_t)words[k + 1]);
    }
}
