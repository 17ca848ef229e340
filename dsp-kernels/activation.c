/* Activations on their way to HMX, fp16: rows from memory to tiles.
 *
 * Two rows are in flight while the two before them are converted. Rows past M and columns
 * past K become zeros: DMA brings exactly K elements, the rest of the row buffer was
 * zeroed beforehand. */
#include "dma.h"
#include "hvx.h"
#include "job.h"
#include "rows.h"

/* A pair of f32 rows: 32 columns of both make one tile line. */
static void pair_from_f32(const struct row_feed *feed, uint32_t step, uint8_t *tiles, uint32_t k_tiles) {
  const HVX_Vector zero = Q6_V_vzero();
  const uint8_t *row0 = rows_at(feed, step, 0), *row1 = rows_at(feed, step, 1);
  for (uint32_t k = 0; k < k_tiles; k++) {
    const HVX_Vector a = row0 ? hvx_load(row0 + k * VECTOR) : zero;
    const HVX_Vector b = row1 ? hvx_load(row1 + k * VECTOR) : zero;
    hvx_store(tiles + k * HF_TILE, hvx_narrow_sf(a, b));
  }
}

/* A pair of fp16 rows: a vector of each makes the lines of two tiles. */
static void pair_from_hf(const struct row_feed *feed, uint32_t step, uint8_t *tiles, uint32_t k_tiles) {
  const HVX_Vector zero = Q6_V_vzero();
  const uint8_t *row0 = rows_at(feed, step, 0), *row1 = rows_at(feed, step, 1);
  for (uint32_t k = 0; k < k_tiles; k += 2) {
    const HVX_Vector a = row0 ? hvx_load(row0 + k / 2 * VECTOR) : zero;
    const HVX_Vector b = row1 ? hvx_load(row1 + k / 2 * VECTOR) : zero;
    const HVX_VectorPair w = Q6_W_vshuff_VVR(b, a, -2);
    hvx_store(tiles + k * HF_TILE, Q6_V_lo_W(w));
    if (k + 1 < k_tiles) hvx_store(tiles + (k + 1) * HF_TILE, Q6_V_hi_W(w));
  }
}

void stage_hf(const struct job *job, struct span rows) {
  const uint32_t pairs = TILE / 2, steps = rows.count * pairs;
  struct row_feed feed;
  rows_open(&feed, job, rows.first * TILE, 2);
  for (uint32_t step = 0; step < steps; step++) {
    uint8_t *tiles = region(job, HMXWB_REGION_ACT) + step / pairs * job->k_tiles * HF_TILE + step % pairs * VECTOR;
    rows_next(&feed, step, steps);
    if (job->problem->act_type == HMXWB_F32)
      pair_from_f32(&feed, step, tiles, job->k_tiles);
    else
      pair_from_hf(&feed, step, tiles, job->k_tiles);
  }
}
