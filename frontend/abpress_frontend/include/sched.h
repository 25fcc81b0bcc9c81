#ifndef ABPRESS_SCHED_H
#define ABPRESS_SCHED_H
#include <abpress_base.h>
#include <time.h>

struct sched_param {
  int sched_priority;
};
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5

#define CPU_SETSIZE 1024
typedef struct {
  unsigned long __bits[1024 / (8 * sizeof(unsigned long))];
} cpu_set_t;
#define __ABP_CPU_BITS (8 * sizeof(unsigned long))
#define CPU_ZERO(set) ((void)memset((set), 0, sizeof(cpu_set_t)))
#define CPU_SET(cpu, set) \
  ((void)((set)->__bits[(cpu) / __ABP_CPU_BITS] |= 1UL << (cpu) % __ABP_CPU_BITS))
#define CPU_CLR(cpu, set) \
  ((void)((set)->__bits[(cpu) / __ABP_CPU_BITS] &= ~(1UL << (cpu) % __ABP_CPU_BITS)))
#define CPU_ISSET(cpu, set) \
  (((set)->__bits[(cpu) / __ABP_CPU_BITS] >> (cpu) % __ABP_CPU_BITS & 1UL) != 0)
void *memset(void *target, int value, size_t size);

#define CLONE_VM 0x100
#define CLONE_FS 0x200
#define CLONE_FILES 0x400
#define CLONE_SIGHAND 0x800
#define CLONE_THREAD 0x10000

int sched_yield(void);
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
int sched_getparam(pid_t process, struct sched_param *param);
int sched_setparam(pid_t process, const struct sched_param *param);
int sched_getscheduler(pid_t process);
int sched_setscheduler(pid_t process, int policy, const struct sched_param *param);
int sched_rr_get_interval(pid_t process, struct timespec *interval);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set);
int sched_getcpu(void);

#endif
