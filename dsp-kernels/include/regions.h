/* What the regions of a plan must be: bytes and alignment. C11 and C++17.
 *
 * check.c holds plans against this table, and exported runtimes lay VTCM out with it. The host's planner has its
 * own (host/plan/region.rs); tests compare the two. */
#ifndef HMXWB_REGIONS_H
#define HMXWB_REGIONS_H

#include "hmxwb.h"

#define HMXWB_TILE 32u /* rows, columns and depth of a tile */
#define HMXWB_HF_TILE 2048u /* bytes of an fp16 tile, and of a uint8 crouton */
#define HMXWB_NIBBLES 512u /* bytes of the weights of a 4-bit tile */
#define HMXWB_VECTOR 128u
#define HMXWB_UB_ROWS 64u /* rows of a uint8 crouton */
#define HMXWB_ROW_FACT 8u /* bytes of the scale and zero point of a row */
#define HMXWB_READ_GROUP 8u /* blocks that mm_w4a8 reads out before their sums are taken */

static inline int hmxwb_is_integer(uint32_t kernel) {
  return kernel == HMXWB_MM_W4A8 || kernel == HMXWB_MM_W4A8_CHANNEL;
}

static inline uint32_t hmxwb_element_bytes(uint32_t type) { return type == HMXWB_F16 ? 2 : 4; }

static inline uint32_t hmxwb_tiles(uint32_t count) { return (count + HMXWB_TILE - 1) / HMXWB_TILE; }

/* Bytes from row to row of the activation rows in VTCM. */
static inline uint32_t hmxwb_row_pitch(const struct hmxwb_problem *p) {
  return (p->k * hmxwb_element_bytes(p->act_type) + HMXWB_VECTOR - 1) / HMXWB_VECTOR * HMXWB_VECTOR;
}

/* Bytes that region `id` must have with `row_tiles` and `column_tiles` in VTCM at a time; 0: not used. */
static inline uint64_t hmxwb_region_bytes(const struct hmxwb_problem *p, uint32_t row_tiles, uint32_t column_tiles,
                                          uint32_t id) {
  const uint64_t k = hmxwb_tiles(p->k), rows = row_tiles, columns = column_tiles, tiles = columns * k;
  const int integer = hmxwb_is_integer(p->kernel), channel = p->kernel == HMXWB_MM_W4A8_CHANNEL;
  const int q4 = p->kernel != HMXWB_MM_HF;
  const int one_chunk = column_tiles >= hmxwb_tiles(p->n);
  const int one_group = p->kernel == HMXWB_MM_W4A8 && k <= HMXWB_READ_GROUP;
  switch (id) {
    case HMXWB_REGION_BIAS: return 512;
    case HMXWB_REGION_ACT: return rows * k * HMXWB_HF_TILE;
    case HMXWB_REGION_ACT_ROWS: return (uint64_t)hmxwb_row_pitch(p) * 2 * (integer ? 4 : 2);
    case HMXWB_REGION_ROW_FACTS: return integer ? rows * HMXWB_UB_ROWS * HMXWB_ROW_FACT : 0;
    case HMXWB_REGION_RAW0: return q4 ? tiles * HMXWB_NIBBLES : 0;
    case HMXWB_REGION_SCALE0: return !q4 ? 0 : (channel ? columns : (tiles + 1) / 2) * HMXWB_VECTOR;
    case HMXWB_REGION_RAW1:
    case HMXWB_REGION_SCALE1:
    case HMXWB_REGION_WEIGHT1: return one_chunk ? 0 : hmxwb_region_bytes(p, row_tiles, column_tiles, id - 1);
    case HMXWB_REGION_WEIGHT0: return integer ? 0 : tiles * HMXWB_HF_TILE;
    case HMXWB_REGION_FACTOR: return !integer ? 0 : 2 * HMXWB_VECTOR * (channel ? columns : tiles);
    case HMXWB_REGION_READ0:
      return HMXWB_HF_TILE * (!integer ? rows * columns : channel ? 4 : HMXWB_READ_GROUP * 3);
    case HMXWB_REGION_READ1:
      return (!integer && one_chunk) || one_group ? 0 : hmxwb_region_bytes(p, row_tiles, column_tiles, id - 1);
    case HMXWB_REGION_SUM: return p->kernel == HMXWB_MM_W4A8 ? HMXWB_UB_ROWS * HMXWB_VECTOR : 0;
    case HMXWB_REGION_OUT_ROWS0:
      return integer ? HMXWB_UB_ROWS * HMXWB_VECTOR
                     : rows * HMXWB_TILE * columns * HMXWB_TILE * hmxwb_element_bytes(p->out_type);
    case HMXWB_REGION_OUT_ROWS1:
      return !integer && one_chunk ? 0 : hmxwb_region_bytes(p, row_tiles, column_tiles, id - 1);
    default: return 0;
  }
}

/* Bytes that the start of region `id` must be a multiple of: 2048, 256 or 128. */
static inline uint32_t hmxwb_region_alignment(uint32_t id) {
  switch (id) {
    case HMXWB_REGION_ACT:
    case HMXWB_REGION_WEIGHT0:
    case HMXWB_REGION_WEIGHT1:
    case HMXWB_REGION_READ0:
    case HMXWB_REGION_READ1: return HMXWB_HF_TILE;
    case HMXWB_REGION_BIAS: return 256;
    default: return HMXWB_VECTOR;
  }
}

#endif
