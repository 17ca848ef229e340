/* mm_hf: fp16 x fp16, and the stages it shares with the other fp16 kernels. */
#include "dma.h"
#include "hmx.h"
#include "hmx_work.h"
#include "hvx.h"
#include "job.h"
#include "multiply_hf.h"

static void load_constants(void *bias) {
  hmx_load_bias2(bias);
  hmx_clear_hf();
}

/* Constants of the convert: scale 1.0, bias 0.0 for each of the 32 columns. */
void hf_prepare(const struct job *job) {
  uint8_t *bias = region(job, HMXWB_REGION_BIAS);
  hvx_store(bias, Q6_V_vsplat_R(0x3C00));
  hvx_store(bias + VECTOR, Q6_V_vzero());
  hmx_run(job, load_constants, bias);
}

/* Every output tile of a block of rows and a chunk of columns, to READ[parity]. */
void hf_multiply(void *product) {
  const struct hf_product *p = product;
  const struct job *job = p->job;
  const struct span rows = p->rows, columns = p->columns;
  const uint32_t stale = planted(job, HMXWB_FAULT_STALE_BUFFER) ? 0 : p->parity;
  const uint8_t *weight = buffer(job, HMXWB_REGION_WEIGHT0, stale);
  const uint8_t *act = region(job, HMXWB_REGION_ACT);
  uint8_t *out = buffer(job, HMXWB_REGION_READ0, p->parity);
  const uint32_t depth = job->k_tiles * HF_TILE;
  for (uint32_t r = 0; r < rows.count; r++)
    for (uint32_t c = 0; c < columns.count; c++)
      multiply_tile_hf(act + r * depth, weight + c * depth, job->k_tiles, out + (r * columns.count + c) * HF_TILE);
}

/* One output tile to rows of 32 results: fp16 64 bytes a row, f32 128 bytes a row. */
static void tile_to_rows(const uint8_t *tile, uint8_t *rows, uint32_t count, int wide) {
  const HVX_Vector one = Q6_V_vsplat_R(0x3C003C00);
  for (uint32_t pair = 0; pair < divide_up(count, 2); pair++) {
    const HVX_Vector v = hvx_load(tile + pair * VECTOR);
    if (wide) {
      const HVX_VectorPair w = hvx_multiply_hf_wide(v, one);
      hvx_store(rows + 2 * pair * VECTOR, Q6_V_lo_W(w));
      hvx_store(rows + (2 * pair + 1) * VECTOR, Q6_V_hi_W(w));
    } else {
      hvx_store(rows + pair * VECTOR, Q6_Vh_vdeal_Vh(v));
    }
  }
}

/* READ[parity] to memory. The rows leave by DMA, exactly M of them and N results wide. */
void hf_results(const struct job *job, struct span rows, struct span columns, uint32_t parity,
                struct hf_results *results) {
  const struct hmxwb_problem *p = job->problem;
  const int wide = p->out_type == HMXWB_F32;
  const uint32_t element = wide ? 4 : 2, row_bytes = TILE * element;
  const uint8_t *tiles = buffer(job, HMXWB_REGION_READ0, parity);
  uint8_t *staged = buffer(job, HMXWB_REGION_OUT_ROWS0, parity);
  const uint32_t first_row = rows.first * TILE, row_count = least(rows.count * TILE, p->m - first_row);
  dma_wait(results->ticket[parity & 1]);
  for (uint32_t c = 0; c < columns.count; c++) {
    const uint32_t first_column = (columns.first + c) * TILE;
    uint8_t *strip = staged + c * rows.count * TILE * row_bytes;
    for (uint32_t r = 0; r < rows.count; r++)
      tile_to_rows(tiles + (r * columns.count + c) * HF_TILE, strip + r * TILE * row_bytes,
                   least(TILE, row_count - r * TILE), wide);
    results->ticket[parity & 1] =
        dma_start(DMA_RESULT, job->memory.out + (uintptr_t)first_row * p->out_stride + first_column * element,
                  p->out_stride, strip, row_bytes, least(TILE, p->n - first_column) * element, row_count);
  }
}

/* Chunk c is multiplied while chunk c+1 is on its way. */
static void block_of_rows(const struct job *job, const uint8_t *tiles, uint32_t purpose, struct span rows) {
  const uint32_t piece = job->plan->column_tiles, chunks = divide_up(job->column_tiles, piece);
  struct hf_results results = {{DMA_NO_TICKET, DMA_NO_TICKET}};
  dma_ticket coming = weights_start_hf(job, tiles, purpose, span_at(job->column_tiles, piece, 0), 0);
  stage_hf(job, rows);
  for (uint32_t c = 0; c < chunks; c++) {
    const struct span columns = span_at(job->column_tiles, piece, c);
    const dma_ticket here = coming;
    if (c + 1 < chunks)
      coming = weights_start_hf(job, tiles, purpose, span_at(job->column_tiles, piece, c + 1), c + 1);
    if (!planted(job, HMXWB_FAULT_NO_WAIT)) dma_wait(here);
    if (purpose == DMA_WEIGHT)
      plant_in_hf_tiles(job, buffer(job, HMXWB_REGION_WEIGHT0, c), columns.count * job->k_tiles);
    struct hf_product product = {job, rows, columns, c};
    hmx_run(job, hf_multiply, &product);
    hf_results(job, rows, columns, c, &results);
  }
  dma_wait(dma_started());
}

void mm_hf(const struct job *job, const uint8_t *tiles, uint32_t purpose) {
  const uint32_t piece = job->plan->row_tiles;
  hf_prepare(job);
  for (uint32_t b = 0; b < divide_up(job->row_tiles, piece); b++)
    block_of_rows(job, tiles, purpose, span_at(job->row_tiles, piece, b));
}
