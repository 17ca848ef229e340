/* Checks a request before anything is touched. The plan comes from the host, and a wrong
 * one would let a kernel write anywhere: every region is held against what the kernel needs. */
#include "dma.h"
#include "job.h"

#define MOST 0xFFFFFFu /* rows, columns, depth */

_Static_assert(TILE == HMXWB_TILE && HF_TILE == HMXWB_HF_TILE && NIBBLES == HMXWB_NIBBLES && VECTOR == HMXWB_VECTOR &&
                   UB_ROWS == HMXWB_UB_ROWS && sizeof(struct row_fact) == HMXWB_ROW_FACT,
               "sizes in the table of the regions");

static int row_fits(uint32_t stride, uint32_t count, uint32_t element) {
  return stride % element == 0 && stride / element >= count;
}

static int check_problem(const struct hmxwb_problem *p) {
  const int integer = hmxwb_is_integer(p->kernel);
  if (p->version != HMXWB_ABI_VERSION) return HMXWB_E_VERSION;
  if (p->kernel < HMXWB_MM_HF || p->kernel > HMXWB_MM_W4A16_TWOPASS) return HMXWB_E_PROBLEM;
  if (p->m == 0 || p->n == 0 || p->k == 0 || p->m > MOST || p->n > MOST || p->k > MOST) return HMXWB_E_PROBLEM;
  if (p->act_type != HMXWB_F32 && (integer || p->act_type != HMXWB_F16)) return HMXWB_E_PROBLEM;
  if (p->out_type != HMXWB_F32 && p->out_type != (integer ? HMXWB_I32 : HMXWB_F16)) return HMXWB_E_PROBLEM;
  if (!row_fits(p->act_stride, p->k, hmxwb_element_bytes(p->act_type))) return HMXWB_E_PROBLEM;
  if (!row_fits(p->out_stride, p->n, hmxwb_element_bytes(p->out_type))) return HMXWB_E_PROBLEM;
#if !defined(HMXWB_FAULTS)
  if (p->fault != HMXWB_FAULT_NONE) return HMXWB_E_PROBLEM;
#endif
  return HMXWB_OK;
}

static uint64_t matrix_bytes(uint32_t rows, uint32_t stride, uint32_t columns, uint32_t element) {
  return (uint64_t)(rows - 1) * stride + (uint64_t)columns * element;
}

static int check_operands(const struct job *job) {
  const struct hmxwb_problem *p = job->problem;
  const uint64_t tiles = (uint64_t)job->k_tiles * job->column_tiles;
  uint64_t weight = tiles * Q4_TILE, scratch = 0;
  if (p->kernel == HMXWB_MM_HF) weight = tiles * HF_TILE;
  if (p->kernel == HMXWB_MM_W4A8_CHANNEL) weight = tiles * NIBBLES + (uint64_t)job->column_tiles * VECTOR;
  if (p->kernel == HMXWB_MM_W4A16_TWOPASS) scratch = tiles * HF_TILE;
  if (job->memory.act_size < matrix_bytes(p->m, p->act_stride, p->k, hmxwb_element_bytes(p->act_type)) ||
      job->memory.out_size < matrix_bytes(p->m, p->out_stride, p->n, hmxwb_element_bytes(p->out_type)) ||
      job->memory.weight_size < weight || job->memory.scratch_size < scratch)
    return HMXWB_E_BUFFER;
  return HMXWB_OK;
}

static int overlaps(struct hmxwb_region a, struct hmxwb_region b) {
  return a.size != 0 && b.size != 0 && a.offset < (uint64_t)b.offset + b.size && b.offset < (uint64_t)a.offset + a.size;
}

static int check_plan(const struct job *job) {
  const struct hmxwb_plan *plan = job->plan;
  if (plan->kernel != job->problem->kernel || plan->row_tiles == 0 || plan->column_tiles == 0 || plan->tasks == 0 ||
      plan->order > 1)
    return HMXWB_E_PLAN;
  for (uint32_t id = 0; id < HMXWB_REGIONS; id++) {
    const struct hmxwb_region r = plan->region[id];
    if (r.size < hmxwb_region_bytes(job->problem, plan->row_tiles, plan->column_tiles, id) || r.offset % hmxwb_region_alignment(id) != 0 || (uint64_t)r.offset + r.size > plan->vtcm_size)
      return HMXWB_E_PLAN;
    for (uint32_t other = 0; other < id; other++)
      if (overlaps(r, plan->region[other])) return HMXWB_E_PLAN;
  }
  return HMXWB_OK;
}

int check_job(struct job *job) {
  const struct hmxwb_problem *p = job->problem;
  int status = check_problem(p);
  if (status != HMXWB_OK) return status;
  if (job->plan->version != HMXWB_ABI_VERSION) return HMXWB_E_VERSION;
  job->tile_rows = hmxwb_is_integer(p->kernel) ? UB_ROWS : TILE;
  job->row_tiles = divide_up(p->m, job->tile_rows);
  job->column_tiles = divide_up(p->n, TILE);
  job->k_tiles = divide_up(p->k, TILE);
  status = check_operands(job);
  return status != HMXWB_OK ? status : check_plan(job);
}
