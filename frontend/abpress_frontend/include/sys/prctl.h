#ifndef ABPRESS_SYS_PRCTL_H
#define ABPRESS_SYS_PRCTL_H

#define PR_SET_NAME 15
#define PR_GET_NAME 16

int prctl(int option, ...);

#endif
