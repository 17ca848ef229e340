/* HMX work on the thread of the kernel: see hmx_work.h. */
#include "hmx_work.h"

struct hmx_work hmx_start(const struct job *job, hmx_function function, void *data) {
  struct hmx_work work = {function, data};
  if (job->plan->order != 0) return work;
  function(data);
  work.function = NULL;
  return work;
}

void hmx_wait(struct hmx_work work) {
  if (work.function) work.function(work.data);
}
