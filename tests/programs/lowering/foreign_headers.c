// expect: true args: --property no-deadlock
/* As a program looks that was preprocessed with other headers. */
typedef unsigned long pthread_t;
typedef union {
  struct {
    int lock;
    unsigned int count;
    int owner, kind, spins;
    struct {
      void *previous, *next;
    } list;
  } data;
  char size[40];
  long align;
} pthread_mutex_t;
enum { PTHREAD_MUTEX_TIMED_NP, PTHREAD_MUTEX_RECURSIVE_NP };
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern void abort(void);

struct guarded {
  pthread_mutex_t mutex;
  int value;
};

unsigned long number = 5;
pthread_mutex_t recursive = {{0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0, {(void *)0, (void *)0}}};
pthread_mutex_t both[2] = {{{0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0, {0, 0}}}, {{0}}};
struct guarded one = {{{0, 0, 0, 0, 0, {0, 0}}}, 7};

int main(void) {
  pthread_mutex_t local = {{0, 0, 0, PTHREAD_MUTEX_RECURSIVE_NP, 0, {0, 0}}};
  struct guarded two = {{{0, 0, 0, 0, 0, {0, 0}}}, 8};
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&both[0]);
  pthread_mutex_lock(&both[0]);
  pthread_mutex_lock(&both[1]);
  pthread_mutex_lock(&local);
  pthread_mutex_lock(&local);
  pthread_mutex_lock(&one.mutex);
  pthread_mutex_lock(&two.mutex);
  local = (pthread_mutex_t){{0, 0, 0, 0, 0, {0, 0}}};
  pthread_mutex_lock(&local);
  if (number != 5 || one.value != 7 || two.value != 8)
    abort();
  return 0;
}
