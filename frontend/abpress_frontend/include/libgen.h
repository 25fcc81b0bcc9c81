#ifndef ABPRESS_LIBGEN_H
#define ABPRESS_LIBGEN_H
char *dirname(char *path);
/* Of GNU, which string.h declares; here it means that of POSIX. */
#ifndef basename
char *basename(const char *path);
#endif
char *__xpg_basename(char *path);
#define basename __xpg_basename

#endif
