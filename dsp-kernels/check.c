/* Checks a request before anything is touched. The plan comes from the host, and a wrong
 * one would let a kernel write anywhere: every region is held against what the kernel needs. */
#include "dma.h"
#include "job.h"
#include "rows.h"

#define MOST 0xFFFFFFu /* rows, columns, depth */

static int is_integer(uint32_t kernel) { return kernel == HMXWB_MM_W4A8 || kernel == HMXWB_MM_W4A8_CHANNEL; }

static int is_q4(uint32_t kernel) { return kernel != HMXWB_MM_HF; }

static uint32_t element_bytes(uint32_t type) { return type == HMXWB_F16 ? 2 : 4; }

static int row_fits(uint32_t stride, uint32_t count, uint32_t element) {
  return stride % element == 0 && stride / element >= count;
}

static int check_problem(const struct hmxwb_problem *p) {
  const int integer = is_integer(p->kernel);
  if (p->version != HMXWB_ABI_VERSION) return HMXWB_E_VERSION;
  if (p->kernel < HMXWB_MM_HF || p->kernel > HMXWB_MM_W4A16_TWOPASS) return HMXWB_E_PROBLEM;
  if (p->m == 0 || p->n == 0 || p->k == 0 || p->m > MOST || p->n > MOST || p->k > MOST) return HMXWB_E_PROBLEM;
  if (p->act_type != HMXWB_F32 && (integer || p->act_type != HMXWB_F16)) return HMXWB_E_PROBLEM;
  if (p->out_type != HMXWB_F32 && p->out_type != (integer ? HMXWB_I32 : HMXWB_F16)) return HMXWB_E_PROBLEM;
  if (!row_fits(p->act_stride, p->k, element_bytes(p->act_type))) return HMXWB_E_PROBLEM;
  if (!row_fits(p->out_stride, p->n, element_bytes(p->out_type))) return HMXWB_E_PROBLEM;
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
  if (job->memory.act_size < matrix_bytes(p->m, p->act_stride, p->k, element_bytes(p->act_type)) ||
      job->memory.out_size < matrix_bytes(p->m, p->out_stride, p->n, element_bytes(p->out_type)) ||
      job->memory.weight_size < weight || job->memory.scratch_size < scratch)
    return HMXWB_E_BUFFER;
  return HMXWB_OK;
}

/* Bytes that a region must have. The host's planner has the same table (host/plan.rs). */
static uint64_t needed(const struct job *job, uint32_t id) {
  const struct hmxwb_problem *p = job->problem;
  const struct hmxwb_plan *plan = job->plan;
  const uint64_t k = job->k_tiles, rows = plan->row_tiles, columns = plan->column_tiles, tiles = columns * k;
  const int integer = is_integer(p->kernel), channel = p->kernel == HMXWB_MM_W4A8_CHANNEL;
  const int one_chunk = plan->column_tiles >= job->column_tiles;
  const int one_group = p->kernel == HMXWB_MM_W4A8 && k <= READ_GROUP;
  switch (id) {
    case HMXWB_REGION_BIAS: return 512;
    case HMXWB_REGION_ACT: return rows * k * HF_TILE;
    case HMXWB_REGION_ACT_ROWS: return (uint64_t)rows_pitch(job) * 2 * (integer ? 4 : 2);
    case HMXWB_REGION_ROW_FACTS: return integer ? rows * UB_ROWS * sizeof(struct row_fact) : 0;
    case HMXWB_REGION_RAW0: return is_q4(p->kernel) ? tiles * NIBBLES : 0;
    case HMXWB_REGION_SCALE0:
      return !is_q4(p->kernel) ? 0 : channel ? columns * VECTOR : (tiles + 1) / 2 * VECTOR;
    case HMXWB_REGION_RAW1:
    case HMXWB_REGION_SCALE1:
    case HMXWB_REGION_WEIGHT1: return one_chunk ? 0 : needed(job, id - 1);
    case HMXWB_REGION_WEIGHT0: return integer ? 0 : tiles * HF_TILE;
    case HMXWB_REGION_FACTOR: return !integer ? 0 : 2 * VECTOR * (channel ? columns : tiles);
    case HMXWB_REGION_READ0:
      return !integer ? rows * columns * HF_TILE : channel ? 4 * HF_TILE : READ_GROUP * 3 * HF_TILE;
    case HMXWB_REGION_READ1: return (!integer && one_chunk) || one_group ? 0 : needed(job, id - 1);
    case HMXWB_REGION_SUM: return p->kernel == HMXWB_MM_W4A8 ? UB_ROWS * VECTOR : 0;
    case HMXWB_REGION_OUT_ROWS0:
      return integer ? UB_ROWS * VECTOR : rows * TILE * columns * TILE * element_bytes(p->out_type);
    case HMXWB_REGION_OUT_ROWS1: return !integer && one_chunk ? 0 : needed(job, id - 1);
    default: return 0;
  }
}

static uint32_t alignment(uint32_t id) {
  switch (id) {
    case HMXWB_REGION_ACT:
    case HMXWB_REGION_WEIGHT0:
    case HMXWB_REGION_WEIGHT1:
    case HMXWB_REGION_READ0:
    case HMXWB_REGION_READ1: return 2048;
    case HMXWB_REGION_BIAS: return 256;
    default: return VECTOR;
  }
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
    if (r.size < needed(job, id) || r.offset % alignment(id) != 0 || (uint64_t)r.offset + r.size > plan->vtcm_size)
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
  job->tile_rows = is_integer(p->kernel) ? UB_ROWS : TILE;
  job->row_tiles = divide_up(p->m, job->tile_rows);
  job->column_tiles = divide_up(p->n, TILE);
  job->k_tiles = divide_up(p->k, TILE);
  status = check_operands(job);
  return status != HMXWB_OK ? status : check_plan(job);
}
