#ifndef ABPRESS_LIBGEN_H
#define ABPRESS_LIBGEN_H
char *dirname(char *path);

#endif
