/* Expansion of one 4-bit tile to an fp16 tile on HVX: value (q - 8) * d, one rounding. */
#ifndef HMXWB_EXPAND_TILE_H
#define HMXWB_EXPAND_TILE_H

#include "hvx.h"
#include "tile.h"

/* The fp16 numbers q - 8 for q = 0..15, as the lookup wants them: entry q in the low half of word q. */
static const uint32_t centred[32] __attribute__((aligned(128))) = {
    0xC800, 0xC700, 0xC600, 0xC500, 0xC400, 0xC200, 0xC000, 0xBC00,
    0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};

/* One tile: 512 bytes of nibbles (byte 32*p + n: k = 2p low, k = 2p+1 high) to 2048 bytes.
 * `scale` holds each column's d twice, side by side; `numbers` is `centred`.
 *
 * A source vector holds 4 pairs of k (p = 0..3) of 32 columns. Interleaving its halves puts
 * pairs 0,2 and 1,3 into neighbouring bytes, so that one lookup, which sends even and odd
 * bytes to different vectors, takes them apart again: first vector pairs 0,1, second 2,3. */
static inline void expand_tile(const uint8_t *nibbles, HVX_Vector scale, HVX_Vector numbers, uint8_t *tile) {
  for (uint32_t v = 0; v < 4; v++) {
    const HVX_Vector mixed = Q6_Vb_vshuff_Vb(hvx_load(nibbles + v * VECTOR));
    const HVX_Vector above = Q6_Vuh_vlsr_VuhR(mixed, 4);
    const HVX_VectorPair even = Q6_Wh_vlut16_VbVhR_nomatch(mixed, numbers, 0);
    const HVX_VectorPair odd = Q6_Wh_vlut16_VbVhR_nomatch(above, numbers, 0);
    const HVX_VectorPair first = Q6_W_vshuff_VVR(Q6_V_lo_W(odd), Q6_V_lo_W(even), -2);
    const HVX_VectorPair second = Q6_W_vshuff_VVR(Q6_V_hi_W(odd), Q6_V_hi_W(even), -2);
    uint8_t *to = tile + v * 4 * VECTOR;
    hvx_store(to, hvx_multiply_hf(Q6_V_lo_W(first), scale));
    hvx_store(to + VECTOR, hvx_multiply_hf(Q6_V_hi_W(first), scale));
    hvx_store(to + 2 * VECTOR, hvx_multiply_hf(Q6_V_lo_W(second), scale));
    hvx_store(to + 3 * VECTOR, hvx_multiply_hf(Q6_V_hi_W(second), scale));
  }
}

#endif
