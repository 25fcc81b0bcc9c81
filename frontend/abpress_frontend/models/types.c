/* The pthread types in one place, for programs that arrive preprocessed with other headers. */
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
