/* The two ways to multiply 4-bit weights with fp16 activations. */
#include "dma.h"
#include "hmx_work.h"
#include "hvx.h"
#include "job.h"

static struct span columns_of(const struct job *job, uint32_t chunk) {
  return span_at(job->column_tiles, job->plan->column_tiles, chunk);
}

static void expand_chunk(const struct job *job, struct span columns, uint32_t chunk) {
  expand_tiles(job, buffer(job, HMXWB_REGION_RAW0, chunk), buffer(job, HMXWB_REGION_SCALE0, chunk),
               buffer(job, HMXWB_REGION_WEIGHT0, chunk), columns.count * job->k_tiles);
}

/* Fused: three chunks are in work at a time. While chunk c is multiplied, chunk c+1 is
 * expanded and chunk c+2 comes from memory. The multiply of c and the expansion of c+1
 * touch different buffers, so either may run first, or both at once. */
static void fused_block(const struct job *job, struct span rows) {
  const uint32_t chunks = divide_up(job->column_tiles, job->plan->column_tiles);
  struct hf_results results = {{DMA_NO_TICKET, DMA_NO_TICKET}};
  const int waits = !planted(job, HMXWB_FAULT_NO_WAIT);
  dma_ticket next = weights_start_q4(job, columns_of(job, 0), 0);
  stage_hf(job, rows);
  if (waits) dma_wait(next);
  if (chunks > 1) next = weights_start_q4(job, columns_of(job, 1), 1);
  expand_chunk(job, columns_of(job, 0), 0);
  for (uint32_t c = 0; c < chunks; c++) {
    const struct span columns = columns_of(job, c);
    const dma_ticket ready = next;
    if (c + 2 < chunks) next = weights_start_q4(job, columns_of(job, c + 2), c + 2);
    struct hf_product product = {job, rows, columns, c};
    const struct hmx_work multiply = hmx_start(job, hf_multiply, &product);
    if (c + 1 < chunks) {
      if (waits) dma_wait(ready);
      expand_chunk(job, columns_of(job, c + 1), c + 1);
    }
    hmx_wait(multiply);
    hf_results(job, rows, columns, c, &results);
  }
  dma_wait(dma_started());
}

void mm_w4a16_fused(const struct job *job) {
  const uint32_t piece = job->plan->row_tiles;
  hf_prepare(job);
  expand_prepare(job);
  for (uint32_t b = 0; b < divide_up(job->row_tiles, piece); b++)
    fused_block(job, span_at(job->row_tiles, piece, b));
}

/* Expands the whole matrix to fp16 tiles in memory. */
static void expand_to_memory(const struct job *job) {
  const uint32_t chunks = divide_up(job->column_tiles, job->plan->column_tiles);
  dma_ticket coming = weights_start_q4(job, columns_of(job, 0), 0);
  dma_ticket leaving[2] = {DMA_NO_TICKET, DMA_NO_TICKET};
  for (uint32_t c = 0; c < chunks; c++) {
    const struct span columns = columns_of(job, c);
    const uint32_t bytes = job->k_tiles * HF_TILE;
    const dma_ticket here = coming;
    if (c + 1 < chunks) coming = weights_start_q4(job, columns_of(job, c + 1), c + 1);
    if (!planted(job, HMXWB_FAULT_NO_WAIT)) dma_wait(here);
    dma_wait(leaving[c & 1]);
    expand_chunk(job, columns, c);
    leaving[c & 1] = dma_start(DMA_SCRATCH_OUT, job->memory.scratch + (uintptr_t)columns.first * bytes, bytes,
                               buffer(job, HMXWB_REGION_WEIGHT0, c), bytes, bytes, columns.count);
  }
  dma_wait(dma_started());
}

void mm_w4a16_twopass(const struct job *job) {
  expand_prepare(job);
  expand_to_memory(job);
  mm_hf(job, job->memory.scratch, DMA_SCRATCH_IN);
}
