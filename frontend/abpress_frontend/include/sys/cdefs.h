#ifndef ABPRESS_SYS_CDEFS_H
#define ABPRESS_SYS_CDEFS_H

#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __P(args) args
#define __CONCAT(x, y) x##y
#define __STRING(x) #x

#endif
