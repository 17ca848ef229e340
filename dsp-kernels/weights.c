/* Brings chunks of packed weights to VTCM. */
#include "dma.h"
#include "hvx.h"
#include "job.h"

/* 4-bit tiles of some columns: nibbles to RAW, scales to SCALE, each without gaps. A scale
 * vector holds two tiles; the unused half of the last one is zeroed. */
uint32_t weights_start_q4(const struct job *job, struct span columns, uint32_t parity) {
  const uint32_t tiles = columns.count * job->k_tiles;
  const uint8_t *from = job->memory.weight + (uintptr_t)columns.first * job->k_tiles * Q4_TILE;
  uint8_t *raw = buffer(job, HMXWB_REGION_RAW0, parity);
  uint8_t *scales = buffer(job, HMXWB_REGION_SCALE0, parity);
  if (tiles % 2 != 0) hvx_store(scales + tiles / 2 * VECTOR, Q6_V_vzero());
  (void)dma_start(DMA_WEIGHT, raw, NIBBLES, from, Q4_TILE, NIBBLES, tiles);
  return dma_start(DMA_WEIGHT, scales, SCALES, from + NIBBLES, Q4_TILE, SCALES, tiles);
}

/* fp16 tiles of some columns to WEIGHT. */
uint32_t weights_start_hf(const struct job *job, const uint8_t *tiles, uint32_t purpose, struct span columns,
                          uint32_t parity) {
  const uint32_t bytes = job->k_tiles * HF_TILE;
  return dma_start(purpose, buffer(job, HMXWB_REGION_WEIGHT0, parity), bytes,
                   tiles + (uintptr_t)columns.first * bytes, bytes, bytes, columns.count);
}
