/* Cancelability (POSIX.1-2017). Nothing here cancels a thread: pthread_cancel is not modelled (it
   is refused where it is called), so only the state that can be asked for remains. */
#include <errno.h>
#include <pthread.h>

static _Thread_local int __abp_cancel_state;
static _Thread_local int __abp_cancel_type;

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (old != 0)
    *old = __abp_cancel_state;
  __abp_cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (old != 0)
    *old = __abp_cancel_type;
  __abp_cancel_type = type;
  return 0;
}

void pthread_testcancel(void) {}
