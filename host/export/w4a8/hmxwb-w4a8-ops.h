/* Shared by host and DSP: parameters of the op HMXWB_W4A8 and its use of VTCM. C11 and C++17.
 *
 * The host chooses how much of a product is in VTCM at a time and sends that as kernel parameters;
 * the DSP lays the regions out from them and from the shapes of the tensors. */
#pragma once

#include <assert.h>
#include <stdint.h>

#include "hmxwb.h"
#include "regions.h"

/* Format of weights and parameters: first word of the parameters. Another number is refused. */
#define HMXWB_W4A8_FORMAT 0x48573438u

/* kernel_params of the op. */
struct hmxwb_w4a8_kernel_params {
  uint32_t format; /* HMXWB_W4A8_FORMAT */
  uint32_t row_tiles; /* row tiles (64 rows) of activations in VTCM at a time */
  uint32_t column_tiles; /* column tiles (32 columns) of a chunk of weights */
  uint32_t vtcm_size; /* bytes of VTCM that this takes */
};

#ifdef __cplusplus
static_assert(sizeof(struct hmxwb_w4a8_kernel_params) <= 128, "kernel_params of an op are 128 bytes");
#else
_Static_assert(sizeof(struct hmxwb_w4a8_kernel_params) <= 128, "kernel_params of an op are 128 bytes");
#endif

#define HMXWB_PLAN_GUARD 128u /* unused bytes behind each region */
#define HMXWB_PLAN_LARGEST_CHUNK 32u /* column tiles of a chunk; larger ones gain nothing */

/* out[m][n] = sum over k of act[m][k] * weight[n][k], f32 in and out. Strides in bytes. */
static inline struct hmxwb_problem hmxwb_w4a8_problem(uint32_t m, uint32_t n, uint32_t k, uint32_t act_stride,
                                                      uint32_t out_stride) {
  struct hmxwb_problem p;
  p.version = HMXWB_ABI_VERSION;
  p.kernel = HMXWB_MM_W4A8;
  p.m = m;
  p.n = n;
  p.k = k;
  p.act_type = HMXWB_F32;
  p.out_type = HMXWB_F32;
  p.act_stride = act_stride;
  p.out_stride = out_stride;
  p.usr = 0;
  p.fault = HMXWB_FAULT_NONE;
  p.reserved = 0;
  return p;
}

/* Places the regions one after another, strictest alignment first, in `plan`; returns the bytes of VTCM they
 * take. Offsets above 4 GiB do not fit the plan: compare the returned number with what there is. */
static inline uint64_t hmxwb_lay_out(const struct hmxwb_problem *p, uint32_t row_tiles, uint32_t column_tiles,
                                     uint32_t vtcm_size, struct hmxwb_plan *plan) {
  uint64_t end = 0;
  plan->version = HMXWB_ABI_VERSION;
  plan->kernel = p->kernel;
  plan->vtcm_size = vtcm_size;
  plan->row_tiles = row_tiles;
  plan->column_tiles = column_tiles;
  plan->tasks = 1;
  plan->order = 0;
  plan->reserved = 0;
  for (uint32_t alignment = 2048; alignment >= 128; alignment /= 2)
    for (uint32_t id = 0; id < HMXWB_REGIONS; id++) {
      const uint64_t size = hmxwb_region_bytes(p, row_tiles, column_tiles, id);
      if (hmxwb_region_alignment(id) != alignment) continue;
      plan->region[id].offset = 0;
      plan->region[id].size = (uint32_t)size;
      if (size == 0) continue;
      end = (end + alignment - 1) / alignment * alignment;
      plan->region[id].offset = (uint32_t)end;
      end += size + HMXWB_PLAN_GUARD;
    }
  return end;
}

/* The largest number of row tiles, or of column tiles beside `row_tiles`, from 1 to `limit` that fits in
 * `vtcm_size` bytes; 1 when none does. */
static inline uint32_t hmxwb_most_tiles(const struct hmxwb_problem *p, uint32_t row_tiles, uint32_t limit,
                                        uint32_t vtcm_size) {
  struct hmxwb_plan plan;
  uint32_t good = 1, bad = limit + 1;
  while (bad - good > 1) {
    const uint32_t middle = good + (bad - good) / 2;
    const uint64_t bytes = row_tiles != 0 ? hmxwb_lay_out(p, row_tiles, middle, vtcm_size, &plan)
                                          : hmxwb_lay_out(p, middle, 1, vtcm_size, &plan);
    if (bytes <= vtcm_size)
      good = middle;
    else
      bad = middle;
  }
  return good;
}

/* Plans a problem for `vtcm_size` bytes: as many row tiles as fit, because weights are read once for each block of
 * rows; blocks of equal size; then the largest chunk of columns. Returns the bytes of VTCM it takes: more than
 * `vtcm_size` when even the smallest choice does not fit, and then the plan is of no use. */
static inline uint64_t hmxwb_make_plan(const struct hmxwb_problem *p, uint32_t vtcm_size, struct hmxwb_plan *plan) {
  const uint32_t side = hmxwb_is_integer(p->kernel) ? HMXWB_UB_ROWS : HMXWB_TILE;
  const uint32_t all_rows = (p->m + side - 1) / side, all_columns = hmxwb_tiles(p->n);
  const uint32_t most = hmxwb_most_tiles(p, 0, all_rows, vtcm_size), blocks = (all_rows + most - 1) / most;
  const uint32_t rows = (all_rows + blocks - 1) / blocks;
  const uint32_t limit = all_columns < HMXWB_PLAN_LARGEST_CHUNK ? all_columns : HMXWB_PLAN_LARGEST_CHUNK;
  return hmxwb_lay_out(p, rows, hmxwb_most_tiles(p, rows, limit, vtcm_size), vtcm_size, plan);
}

/* The parameters of a product. 0 when it does not fit in `vtcm_size` bytes of VTCM, or is empty. */
static inline int hmxwb_w4a8_make_params(uint32_t m, uint32_t n, uint32_t k, uint32_t vtcm_size,
                                         struct hmxwb_w4a8_kernel_params *params) {
  struct hmxwb_plan plan;
  const struct hmxwb_problem problem = hmxwb_w4a8_problem(m, n, k, k * 4, n * 4);
  if (m == 0 || n == 0 || k == 0) return 0;
  const uint64_t bytes = hmxwb_make_plan(&problem, vtcm_size, &plan);
  params->format = HMXWB_W4A8_FORMAT;
  params->row_tiles = plan.row_tiles;
  params->column_tiles = plan.column_tiles;
  params->vtcm_size = (uint32_t)bytes;
  return bytes <= vtcm_size;
}
