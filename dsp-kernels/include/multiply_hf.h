/* One fp16 output tile on HMX. */
#ifndef HMXWB_MULTIPLY_HF_H
#define HMXWB_MULTIPLY_HF_H

#include "hmx.h"
#include "tile.h"

/* All K of one output tile: `k_tiles` neighbouring tiles of both operands, 2048-aligned in VTCM.
 * The accumulator keeps the sum from packet to packet. The bias registers are loaded before. */
static inline void multiply_tile_hf(const uint8_t *act, const uint8_t *weight, uint32_t k_tiles, uint8_t *out) {
  hmx_clear_hf();
  for (uint32_t k = 0; k < k_tiles; k += HMX_DEEP_MAX)
    hmx_multiply_hf(act + k * HF_TILE, weight + k * HF_TILE, least(HMX_DEEP_MAX, k_tiles - k));
  hmx_store_hf(out);
}

#endif
