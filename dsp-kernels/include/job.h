/* One run of a kernel: the problem, the plan, and where everything is. Internal. */
#ifndef HMXWB_JOB_H
#define HMXWB_JOB_H

#include "kernels.h"
#include "regions.h"
#include "tile.h"

#define READ_GROUP HMXWB_READ_GROUP

struct job {
  const struct hmxwb_problem *problem;
  const struct hmxwb_plan *plan;
  struct hmxwb_operands memory;
  uint8_t *vtcm;
  uint32_t k_tiles; /* K/32, rounded up */
  uint32_t column_tiles; /* N/32, rounded up */
  uint32_t row_tiles; /* M/32 or M/64, rounded up */
  uint32_t tile_rows; /* 32 or 64 */
};

/* A part of the work: row tiles or column tiles. */
struct span {
  uint32_t first;
  uint32_t count;
};

/* Start of a region. */
static inline uint8_t *region(const struct job *job, uint32_t id) { return job->vtcm + job->plan->region[id].offset; }

/* One of the two buffers of a region, for work item `i`. */
static inline uint8_t *buffer(const struct job *job, uint32_t id0, uint32_t i) { return region(job, id0 + (i & 1u)); }

/* Span number `i` when `total` is cut into pieces of `piece`. */
static inline struct span span_at(uint32_t total, uint32_t piece, uint32_t i) {
  const struct span s = {i * piece, least(piece, total - i * piece)};
  return s;
}

/* Whether a fault is planted; builds without HMXWB_FAULTS know none. */
static inline int planted(const struct job *job, uint32_t fault) {
#if defined(HMXWB_FAULTS)
  return job->problem->fault == fault;
#else
  (void)job;
  (void)fault;
  return 0;
#endif
}

/* check.c: HMXWB_OK, or what is wrong with the request. Fills the sizes of `job`. */
int check_job(struct job *job);

/* activation.c: rows of activations to fp16 tiles, or to uint8 croutons with a scale and zero point a row. */
void stage_hf(const struct job *job, struct span rows);
void stage_ub(const struct job *job, struct span rows);

#define NOT_A_NUMBER 0x7FC00000u /* bits of the default NaN */

/* The scale and zero point of an activation row, as they lie in HMXWB_REGION_ROW_FACTS. */
struct row_fact {
  uint32_t scale; /* bits of an f32; the default NaN for a row with a value that is not finite */
  uint32_t zero_point; /* 0..255 */
};

/* expand.c: 4-bit tiles in VTCM to fp16 tiles in VTCM. */
void expand_prepare(const struct job *job);
void expand_tiles(const struct job *job, uint8_t *nibbles, const uint8_t *scales, uint8_t *tiles, uint32_t count);

/* weights.c: bringing weight chunks to VTCM. */
uint32_t weights_start_q4(const struct job *job, struct span columns, uint32_t parity);
uint32_t weights_start_hf(const struct job *job, const uint8_t *tiles, uint32_t purpose, struct span columns,
                          uint32_t parity);

/* fault.c: damage that tests plant; nothing in other builds. */
void plant_in_nibbles(const struct job *job, uint8_t *nibbles, uint32_t count);
void plant_in_hf_tiles(const struct job *job, uint8_t *tiles, uint32_t count);
void plant_in_n_tiles(const struct job *job, uint8_t *tiles, uint32_t count);

/* mm_hf.c: multiply and result stages that all fp16 kernels share. */
void hf_prepare(const struct job *job);
struct hf_product {
  const struct job *job;
  struct span rows;
  struct span columns;
  uint32_t parity;
};
void hf_multiply(void *product); /* HMX work on a struct hf_product */
struct hf_results {
  uint32_t ticket[2]; /* of the transfers out of each buffer */
};
void hf_results(const struct job *job, struct span rows, struct span columns, uint32_t parity,
                struct hf_results *results);

/* The kernels, after the checks. */
void mm_hf(const struct job *job, const uint8_t *tiles, uint32_t purpose);
void mm_w4a16_fused(const struct job *job);
void mm_w4a16_twopass(const struct job *job);
void mm_w4a8(const struct job *job);
void mm_w4a8_channel(const struct job *job);

#endif
