/* What the sources under test need of assert.h, declarations only. */
#pragma once
#define assert(condition) ((void)0)
