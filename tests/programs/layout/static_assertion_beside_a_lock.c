// expect: input-error "a static assertion fails"
#include <pthread.h>

static pthread_mutex_t lock;
_Static_assert(sizeof(int) == 8, "not here");

int main(void) { return pthread_mutex_lock(&lock); }
