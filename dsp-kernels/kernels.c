/* Entry of all kernels. */
#include "kernels.h"

#include "dma.h"
#include "job.h"

int hmxwb_run_kernel(const struct hmxwb_problem *problem, const struct hmxwb_plan *plan,
                     const struct hmxwb_operands *operands, uint8_t *vtcm) {
  struct job job = {problem, plan, *operands, vtcm, 0, 0, 0, 0};
  const int status = check_job(&job);
  if (status != HMXWB_OK) return status;
  dma_reset();
  switch (problem->kernel) {
    case HMXWB_MM_HF: mm_hf(&job, job.memory.weight, DMA_WEIGHT); break;
    case HMXWB_MM_W4A8: mm_w4a8(&job); break;
    case HMXWB_MM_W4A8_CHANNEL: mm_w4a8_channel(&job); break;
    case HMXWB_MM_W4A16_FUSED: mm_w4a16_fused(&job); break;
    case HMXWB_MM_W4A16_TWOPASS: mm_w4a16_twopass(&job); break;
    default: return HMXWB_E_PROBLEM;
  }
  return HMXWB_OK;
}
