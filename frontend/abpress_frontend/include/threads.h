#ifndef ABPRESS_THREADS_H
#define ABPRESS_THREADS_H
#include <abpress_types.h>
#include <time.h>

typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_t thrd_t;
typedef pthread_key_t tss_t;
typedef pthread_once_t once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);

#define thread_local _Thread_local
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_equal(thrd_t a, thrd_t b);
thrd_t thrd_current(void);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining);
void thrd_exit(int result);
int thrd_detach(thrd_t thread);
int thrd_join(thrd_t thread, int *result);
void thrd_yield(void);

int mtx_init(mtx_t *mutex, int kind);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);

int cnd_init(cnd_t *cond);
int cnd_signal(cnd_t *cond);
int cnd_broadcast(cnd_t *cond);
int cnd_wait(cnd_t *cond, mtx_t *mutex);
int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *deadline);
void cnd_destroy(cnd_t *cond);

void call_once(once_flag *flag, void (*routine)(void));

int tss_create(tss_t *key, tss_dtor_t destructor);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
void tss_delete(tss_t key);

#endif
