/* HMX work that may run beside HVX work. Internal.
 *
 * Every HMX packet of a kernel is executed by a function that is started here: a runtime with a
 * thread of its own for HMX runs it there. In the skel and on this computer there is one thread
 * (hmx_work.c): work runs at its start, or with `order` 1 in the plan when it is waited for. */
#ifndef HMXWB_HMX_WORK_H
#define HMXWB_HMX_WORK_H

#include <stddef.h>

#include "job.h"

typedef void (*hmx_function)(void *data);

/* Work that was started. `data` must live until the wait. */
struct hmx_work {
  hmx_function function; /* NULL: nothing to wait for */
  void *data;
};

#define HMX_NO_WORK {NULL, NULL}

/* Starts work. The one before must have been waited for. */
struct hmx_work hmx_start(const struct job *job, hmx_function function, void *data);

/* Returns when the work is done, at once if there is none. */
void hmx_wait(struct hmx_work work);

/* Work that nothing runs beside. */
static inline void hmx_run(const struct job *job, hmx_function function, void *data) {
  hmx_wait(hmx_start(job, function, data));
}

#endif
