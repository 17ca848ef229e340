/* What the sources under test need of stdio.h, declarations only. */
#pragma once
#include <stddef.h>
int snprintf(char *text, size_t size, const char *format, ...);
