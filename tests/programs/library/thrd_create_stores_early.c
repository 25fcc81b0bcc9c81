// expect: true
// What thrd_create does comes before what the new thread does (C11 7.26.5.1p2).
#include <threads.h>
void reach_error(void);

thrd_t id;

int thread(void *argument) {
    if (!thrd_equal(id, thrd_current()))
        reach_error();
    return 0;
}

int main(void) {
    thrd_create(&id, thread, 0);
    thrd_join(id, 0);
    return 0;
}
