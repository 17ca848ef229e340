/* What the sources under test need of dspqueue.h, declarations only. */
#pragma once
typedef void *dspqueue_t;
