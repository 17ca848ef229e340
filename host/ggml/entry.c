/* ggml-hexagon's matrix multiply, whole, with entries that a guest can call. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matmul-ops.c"

#define ENTRY __attribute__((visibility("default"))) uint32_t

struct dot {
  __fp16 *output;
  const __fp16 *activation, *weight, *scales;
  uint32_t row_tiles, column_tiles, dot_tiles;
};

ENTRY core_dot(const struct dot *d) {
  core_dot_chunk_fp16(d->output, d->activation, d->weight, d->scales, d->row_tiles, d->column_tiles, d->dot_tiles);
  return 0;
}

/* Scale 1.0 for every column, as its matrix multiply sets it. */
ENTRY set_scales(void *scales) {
  hmx_init_column_scales(scales, Q6_V_vsplat_R(0x3c00));
  return 0;
}

static tiled_dequantize_state_t tiles_at(__fp16 *dst, const uint8_t *src, uint32_t tile_bytes) {
  tiled_dequantize_state_t state = {.dst = dst, .src = src, .aligned_tile_size = tile_bytes};
  return state;
}

ENTRY dequantize_q4_0(__fp16 *dst, const uint8_t *src, uint32_t tiles) {
  tiled_dequantize_state_t state = tiles_at(dst, src, 640);
  dequantize_tiled_weight_to_fp16_task_q4_0(&state, 0, tiles);
  return tiles;
}

ENTRY dequantize_q8_0(__fp16 *dst, const uint8_t *src, uint32_t tiles) {
  tiled_dequantize_state_t state = tiles_at(dst, src, 1152);
  dequantize_tiled_weight_to_fp16_task_q8_0(&state, 0, tiles);
  return tiles;
}
