/* The matrix kernels. What each does and how it uses VTCM: docs/kernels.md. */
#ifndef HMXWB_KERNELS_H
#define HMXWB_KERNELS_H

#include "hmxwb.h"

/* The memory a kernel works on. Sizes in bytes. */
struct hmxwb_operands {
  const uint8_t *act;
  const uint8_t *weight;
  uint8_t *scratch; /* mm_w4a16_twopass only: fp16 tiles */
  uint8_t *out;
  uint64_t act_size;
  uint64_t weight_size;
  uint64_t scratch_size;
  uint64_t out_size;
};

/* Runs a kernel: checks problem, plan and operands first, touches nothing when one is wrong.
 * HMXWB_OK or one of HMXWB_E_*. */
int hmxwb_run_kernel(const struct hmxwb_problem *problem, const struct hmxwb_plan *plan,
                     const struct hmxwb_operands *operands, uint8_t *vtcm);

#endif
