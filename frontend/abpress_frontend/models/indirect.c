/* Library functions that have no model in C, as bodies for calls through pointers. */
#include <abpress.h>
#include <stdlib.h>

void __abp_call_free(void *block) { free(block); }

void *__abp_call_malloc(size_t size) { return malloc(size); }

void __abp_call_abort(void) { abort(); }

void __abp_call_exit(int status) { exit(status); }
