/* What the sources under test need of stdlib.h, declarations only. */
#pragma once
#include <stddef.h>
void *memalign(size_t alignment, size_t size);
void free(void *memory);
