#ifndef ABPRESS_SYS_SEM_H
#define ABPRESS_SYS_SEM_H
#include <stddef.h>
#include <sys/ipc.h>

#define _SEM_SEMUN_UNDEFINED 1
#define SEM_UNDO 0x1000
#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17

struct sembuf {
  unsigned short sem_num;
  short sem_op;
  short sem_flg;
};
struct semid_ds {
  struct ipc_perm sem_perm;
  time_t sem_otime;
  unsigned long __reserved2;
  time_t sem_ctime;
  unsigned long __reserved4;
  unsigned long sem_nsems;
  unsigned long __reserved3[2];
};

int semget(key_t key, int count, int flags);
int semop(int id, struct sembuf *operations, size_t count);
int semctl(int id, int number, int command, ...);

#endif
