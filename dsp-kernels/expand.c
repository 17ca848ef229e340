/* Expansion of 4-bit tiles to fp16 tiles on HVX: value (q - 8) * d, one rounding. */
#include "dma.h"
#include "hvx.h"
#include "job.h"

/* The fp16 numbers q - 8, for q = 0..15. */
static const uint16_t centred[16] = {0xC800, 0xC700, 0xC600, 0xC500, 0xC400, 0xC200, 0xC000, 0xBC00,
                                     0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};

/* Where the lookup table lies: behind the convert constants. */
static uint8_t *table(const struct job *job) { return region(job, HMXWB_REGION_BIAS) + 256; }

/* Writes the lookup table: entry i in the low half of word i. */
void expand_prepare(const struct job *job) {
  hvx_store(table(job), Q6_V_vzero());
  for (uint32_t i = 0; i < 16; i++) vtcm_store_word(table(job) + 4 * i, centred[i]);
}

/* One tile. `scale` holds each column's d twice, side by side.
 *
 * A source vector holds 4 pairs of k (p = 0..3) of 32 columns. Interleaving its halves puts
 * pairs 0,2 and 1,3 into neighbouring bytes, so that one lookup, which sends even and odd
 * bytes to different vectors, takes them apart again: first vector pairs 0,1, second 2,3. */
static void expand_tile(const uint8_t *nibbles, HVX_Vector scale, HVX_Vector numbers, uint8_t *tile, int swapped) {
  for (uint32_t v = 0; v < 4; v++) {
    const HVX_Vector mixed = Q6_Vb_vshuff_Vb(hvx_load(nibbles + v * VECTOR));
    const HVX_Vector above = Q6_Vuh_vlsr_VuhR(mixed, 4);
    const HVX_VectorPair even = Q6_Wh_vlut16_VbVhR_nomatch(swapped ? above : mixed, numbers, 0);
    const HVX_VectorPair odd = Q6_Wh_vlut16_VbVhR_nomatch(swapped ? mixed : above, numbers, 0);
    const HVX_VectorPair first = Q6_W_vshuff_VVR(Q6_V_lo_W(odd), Q6_V_lo_W(even), -2);
    const HVX_VectorPair second = Q6_W_vshuff_VVR(Q6_V_hi_W(odd), Q6_V_hi_W(even), -2);
    uint8_t *to = tile + v * 4 * VECTOR;
    hvx_store(to, hvx_multiply_hf(Q6_V_lo_W(first), scale));
    hvx_store(to + VECTOR, hvx_multiply_hf(Q6_V_hi_W(first), scale));
    hvx_store(to + 2 * VECTOR, hvx_multiply_hf(Q6_V_lo_W(second), scale));
    hvx_store(to + 3 * VECTOR, hvx_multiply_hf(Q6_V_hi_W(second), scale));
  }
}

/* Tiles first .. last-1. */
static void expand_range(const struct job *job, const uint8_t *nibbles, const uint8_t *scales, uint8_t *tiles,
                         uint32_t first, uint32_t last) {
  const HVX_Vector numbers = hvx_load(table(job));
  const int swapped = planted(job, HMXWB_FAULT_SWAPPED_NIBBLES);
  for (uint32_t t = first; t < last;) {
    const HVX_Vector d = hvx_load(scales + t / 2 * VECTOR);
    const HVX_VectorPair twice = Q6_W_vshuff_VVR(d, d, -2);
    const int odd = planted(job, HMXWB_FAULT_NEIGHBOUR_SCALE) ? !(t % 2) : (int)(t % 2);
    expand_tile(nibbles + t * NIBBLES, odd ? Q6_V_hi_W(twice) : Q6_V_lo_W(twice), numbers, tiles + t * HF_TILE,
                swapped);
    if (++t < last && t % 2 != 0) {
      expand_tile(nibbles + t * NIBBLES, odd ? Q6_V_lo_W(twice) : Q6_V_hi_W(twice), numbers, tiles + t * HF_TILE,
                  swapped);
      t++;
    }
  }
}

/* All tiles of a chunk, cut into the plan's tasks. Tasks share nothing. */
void expand_tiles(const struct job *job, const uint8_t *nibbles, const uint8_t *scales, uint8_t *tiles,
                  uint32_t count) {
  const uint32_t tasks = job->plan->tasks;
  for (uint32_t i = 0; i < tasks; i++) {
    const uint32_t task = job->plan->order ? tasks - 1 - i : i;
    const uint32_t first = (uint32_t)((uint64_t)count * task / tasks);
    const uint32_t last = (uint32_t)((uint64_t)count * (task + 1) / tasks);
    expand_range(job, nibbles, scales, tiles, first, last);
  }
  plant_in_hf_tiles(job, tiles, count);
}
