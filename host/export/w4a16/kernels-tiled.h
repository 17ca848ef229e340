/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Expansion of Q4_0 tiles and fp16 multiply core for ggml-hexagon's HMX matrix multiply.
 *
 * To be included by htp/matmul-ops.c behind hmx-mm-kernels-tiled.h, which has the types.
 * The tile formats are the runtime's own: Q4_0 tiles as its repack writes them, fp16 tiles
 * in VTCM. The code from dsp-kernels/ is that of the kernel mm_w4a16_fused, as it was
 * verified; certificate.json says how. Nothing here has external linkage.
 */
#ifndef HMXWB_W4A16_KERNELS_TILED_H
#define HMXWB_W4A16_KERNELS_TILED_H

#include "expand_tile.h"
#include "multiply_hf.h"

/* The runtime's signatures. */

/* Tiles start_tile .. end_tile-1 of a chunk: state->src has packed tiles aligned_tile_size bytes
 * apart (512 bytes of nibbles, 32 fp16 scales, bytes that are not used), state->dst gets tiles of
 * 2048 bytes. Both are in VTCM, aligned to 128 and 2048 bytes. Any split of the tiles gives the same bytes. */
static void hmxwb_dequantize_q4_0(const tiled_dequantize_state_t *state, uint32_t start_tile, uint32_t end_tile) {
  const HVX_Vector numbers = hvx_load(centred);
  for (uint32_t t = start_tile; t < end_tile; t++) {
    const uint8_t *tile = state->src + t * state->aligned_tile_size;
    const HVX_Vector d = hvx_load(tile + NIBBLES);
    expand_tile(tile, Q6_V_lo_W(Q6_W_vshuff_VVR(d, d, -2)), numbers, (uint8_t *)state->dst + t * HF_TILE);
  }
}

/* output[r][c] = sum over k of activation[r][k] x weight[c][k], in tiles. `scales` are 256 bytes of
 * convert constants: 32 words with fp16 scale (low half) and bias (high half), then zeros. All in
 * VTCM, tiles aligned to 2048 bytes, scales to 256. The caller holds the HMX lock. */
static void hmxwb_core_dot_chunk_fp16(__fp16 *restrict output, const __fp16 *restrict activation,
                                      const __fp16 *restrict weight, const __fp16 *restrict scales,
                                      uint32_t n_row_tiles, uint32_t n_col_tiles, uint32_t n_dot_tiles) {
  const uint32_t depth = n_dot_tiles * HF_TILE;
  hmx_load_bias2(scales);
  for (uint32_t r = 0; r < n_row_tiles; r++)
    for (uint32_t c = 0; c < n_col_tiles; c++)
      multiply_tile_hf((const uint8_t *)activation + r * depth, (const uint8_t *)weight + c * depth, n_dot_tiles,
                       (uint8_t *)output + (r * n_col_tiles + c) * HF_TILE);
}

#endif
