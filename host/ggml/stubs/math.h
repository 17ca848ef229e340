/* What the sources under test need of math.h, declarations only. */
#pragma once
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
float logf(float), expf(float), powf(float, float), sqrtf(float), floorf(float), fabsf(float), roundf(float);
