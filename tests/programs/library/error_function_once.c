// expect: false(unreach-call)
#include <pthread.h>
extern void reach_error(void);
pthread_once_t once = PTHREAD_ONCE_INIT;
int main(void) { return pthread_once(&once, reach_error); }
