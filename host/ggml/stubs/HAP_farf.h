/* What the sources under test need of HAP_farf.h, declarations only. */
#pragma once
#define FARF(level, ...) ((void)0)
