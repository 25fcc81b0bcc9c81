#ifndef ABPRESS_STDNORETURN_H
#define ABPRESS_STDNORETURN_H

#define noreturn _Noreturn

#endif
