/* Expansion of chunks of 4-bit tiles to fp16 tiles: expand_tile.h, tile by tile. */
#include "dma.h"
#include "expand_tile.h"
#include "hvx.h"
#include "job.h"

/* Where the lookup table lies: behind the convert constants. */
static uint8_t *table(const struct job *job) { return region(job, HMXWB_REGION_BIAS) + 256; }

/* Writes the lookup table. */
void expand_prepare(const struct job *job) {
  for (uint32_t i = 0; i < VECTOR / 4; i++) vtcm_store_word(table(job) + 4 * i, centred[i]);
}

/* Tiles first .. last-1. */
static void expand_range(const struct job *job, const uint8_t *nibbles, const uint8_t *scales, uint8_t *tiles,
                         uint32_t first, uint32_t last) {
  const HVX_Vector numbers = hvx_load(table(job));
  for (uint32_t t = first; t < last;) {
    const HVX_Vector d = hvx_load(scales + t / 2 * VECTOR);
    const HVX_VectorPair twice = Q6_W_vshuff_VVR(d, d, -2);
    const int odd = planted(job, HMXWB_FAULT_NEIGHBOUR_SCALE) ? !(t % 2) : (int)(t % 2);
    expand_tile(nibbles + t * NIBBLES, odd ? Q6_V_hi_W(twice) : Q6_V_lo_W(twice), numbers, tiles + t * HF_TILE);
    if (++t < last && t % 2 != 0) {
      expand_tile(nibbles + t * NIBBLES, odd ? Q6_V_lo_W(twice) : Q6_V_hi_W(twice), numbers, tiles + t * HF_TILE);
      t++;
    }
  }
}

/* All tiles of a chunk, cut into the plan's tasks. Tasks share nothing. */
void expand_tiles(const struct job *job, uint8_t *nibbles, const uint8_t *scales, uint8_t *tiles, uint32_t count) {
  const uint32_t tasks = job->plan->tasks;
  plant_in_nibbles(job, nibbles, count);
  for (uint32_t i = 0; i < tasks; i++) {
    const uint32_t task = job->plan->order ? tasks - 1 - i : i;
    const uint32_t first = (uint32_t)((uint64_t)count * task / tasks);
    const uint32_t last = (uint32_t)((uint64_t)count * (task + 1) / tasks);
    expand_range(job, nibbles, scales, tiles, first, last);
  }
  plant_in_hf_tiles(job, tiles, count);
}
