/* Entries for `hmx bench --target qemu`: the parts of the skel whose instructions are counted, without the FastRPC
 * call around them. Built into a skel of its own; the skel for devices does not have them. */
#include "job.h"

#define ENTRY __attribute__((visibility("default"))) uint32_t

/* Expands `count` packed tiles: their nibbles, then their scales. */
ENTRY bench_expand(uint8_t *vtcm, uint8_t *packed, uint8_t *tiles, uint32_t count) {
  static const struct hmxwb_plan plan = {.tasks = 1};
  struct job job = {.plan = &plan, .vtcm = vtcm};
  expand_prepare(&job);
  expand_tiles(&job, packed, packed + count * NIBBLES, tiles, count);
  return HMXWB_OK;
}

/* A whole kernel. */
ENTRY bench_kernel(const struct hmxwb_problem *problem, const struct hmxwb_plan *plan,
                   const struct hmxwb_operands *operands, uint8_t *vtcm) {
  return (uint32_t)hmxwb_run_kernel(problem, plan, operands, vtcm);
}
