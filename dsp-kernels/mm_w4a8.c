/* mm_w4a8: int4 x uint8, a scale for each block of 32 along k.
 *
 * HMX multiplies one block at a time; the exact sum leaves HMX and HVX adds
 * (sum - zero point * sum of the weights) * d to the running f32 sums of the output tile. */
#include "dma.h"
#include "hmx.h"
#include "hmx_work.h"
#include "integer.h"

#define BYTES 3u /* of a sum over one block */

struct tile {
  uint32_t row_tile; /* within the block of rows */
  uint32_t first_row;
  const uint8_t *act;
  const uint8_t *weight;
  const uint8_t *factors; /* of the first block */
  uint32_t zero_points[LINES];
};

static void factor_tiles(const struct job *job, uint32_t parity, uint32_t count) {
  const uint8_t *nibbles = buffer(job, HMXWB_REGION_RAW0, parity);
  const uint8_t *scales = buffer(job, HMXWB_REGION_SCALE0, parity);
  uint8_t *factors = region(job, HMXWB_REGION_FACTOR);
  const HVX_Vector one = Q6_V_vsplat_R(0x3C003C00);
  for (uint32_t t = 0; t < count; t++) {
    const HVX_Vector d = hvx_load(scales + t / 2 * VECTOR);
    const HVX_VectorPair twice = Q6_W_vshuff_VVR(d, d, -2);
    const int second = planted(job, HMXWB_FAULT_NEIGHBOUR_SCALE) ? !(t & 1) : (int)(t & 1);
    const HVX_VectorPair wide = hvx_multiply_hf_wide(second ? Q6_V_hi_W(twice) : Q6_V_lo_W(twice), one);
    hvx_store(factors + t * FACTORS, Q6_V_lo_W(wide));
    hvx_store(factors + t * FACTORS + VECTOR, negated_sum(Q6_V_vzero(), nibbles + t * NIBBLES));
  }
}

struct group {
  const struct job *job;
  const struct tile *tile;
  uint32_t number;
};

/* HMX: the blocks of a group, each read out. */
static void multiply_group(void *data) {
  const struct group *group = data;
  const struct job *job = group->job;
  const struct tile *tile = group->tile;
  const struct span blocks = span_at(job->k_tiles, READ_GROUP, group->number);
  uint8_t *to = buffer(job, HMXWB_REGION_READ0, group->number);
  for (uint32_t i = 0; i < blocks.count; i++) {
    const uint32_t b = blocks.first + i;
    hmx_multiply_n(tile->act + b * HMX_CROUTON, tile->weight + b * NIBBLES);
    readout(job, to + i * BYTES * HMX_CROUTON, BYTES);
  }
}

/* HVX: one block's sums, corrected and scaled, to the running sums. */
static void add_block(const struct job *job, const struct tile *tile, const uint8_t *read, const uint8_t *factors,
                      int first) {
  const struct spread f = spread_factors(factors);
  const int raw = job->problem->out_type == HMXWB_I32;
  uint8_t *sums = region(job, HMXWB_REGION_SUM);
  for (uint32_t line = 0; line < divide_up(rows_of(job, tile->first_row), 4); line++) {
    HVX_Vector words[4];
    readout_line(read, line, BYTES, words);
    for (uint32_t j = 0; j < 4; j++) {
      uint8_t *sum = sums + (line * 4 + j) * VECTOR;
      const HVX_Vector before = first ? Q6_V_vzero() : hvx_load(sum);
      const HVX_Vector exact = Q6_Vw_vmpyiacc_VwVwRub(words[j], f.negated[j], (int32_t)tile->zero_points[line]);
      hvx_store(sum, raw ? Q6_Vw_vadd_VwVw(before, exact)
                         : hvx_add_sf(before, hvx_multiply_sf(Q6_Vsf_equals_Vw(exact), f.scale[j])));
    }
  }
}

static void add_group(const struct job *job, const struct tile *tile, uint32_t group) {
  const struct span blocks = span_at(job->k_tiles, READ_GROUP, group);
  const uint8_t *read = buffer(job, HMXWB_REGION_READ0, group);
  for (uint32_t i = 0; i < blocks.count; i++)
    add_block(job, tile, read + i * BYTES * HMX_CROUTON, tile->factors + (blocks.first + i) * FACTORS,
              blocks.first + i == 0);
}

/* The sums of group g are taken while HMX is at group g+1: different buffers, either order. */
static void multiply_tile(const struct job *job, const struct tile *tile) {
  const uint32_t groups = divide_up(job->k_tiles, READ_GROUP);
  struct group group = {job, tile, 0};
  hmx_run(job, multiply_group, &group);
  for (uint32_t g = 0; g < groups; g++) {
    struct hmx_work next = HMX_NO_WORK;
    group.number = g + 1;
    if (g + 1 < groups) next = hmx_start(job, multiply_group, &group);
    add_group(job, tile, g);
    hmx_wait(next);
  }
}

static uint32_t tile_results(const struct job *job, const struct tile *tile, uint32_t column_tile, uint8_t *rows) {
  for (uint32_t line = 0; line < divide_up(rows_of(job, tile->first_row), 4); line++) {
    HVX_Vector words[4];
    for (uint32_t j = 0; j < 4; j++)
      words[j] = hvx_load(region(job, HMXWB_REGION_SUM) + (line * 4 + j) * VECTOR);
    line_to_rows(job, words, tile->row_tile, line, rows);
  }
  return integer_results(job, tile->first_row, column_tile, rows);
}

static void block_of_rows(const struct job *job, struct span rows) {
  const uint32_t piece = job->plan->column_tiles, chunks = divide_up(job->column_tiles, piece);
  dma_ticket coming = weights_start_q4(job, span_at(job->column_tiles, piece, 0), 0);
  dma_ticket leaving[2] = {DMA_NO_TICKET, DMA_NO_TICKET};
  uint32_t done = 0;
  stage_ub(job, rows);
  for (uint32_t chunk = 0; chunk < chunks; chunk++) {
    const struct span columns = span_at(job->column_tiles, piece, chunk);
    const uint32_t count = columns.count * job->k_tiles;
    const dma_ticket here = coming;
    const uint8_t *weight = buffer(job, HMXWB_REGION_RAW0, planted(job, HMXWB_FAULT_STALE_BUFFER) ? 0 : chunk);
    if (chunk + 1 < chunks) coming = weights_start_q4(job, span_at(job->column_tiles, piece, chunk + 1), chunk + 1);
    if (!planted(job, HMXWB_FAULT_NO_WAIT)) dma_wait(here);
    plant_in_n_tiles(job, buffer(job, HMXWB_REGION_RAW0, chunk), count);
    factor_tiles(job, chunk, count);
    for (uint32_t r = 0; r < rows.count; r++)
      for (uint32_t c = 0; c < columns.count; c++, done++) {
        struct tile tile = {r,
                            (rows.first + r) * UB_ROWS,
                            region(job, HMXWB_REGION_ACT) + r * job->k_tiles * HMX_CROUTON,
                            weight + c * job->k_tiles * NIBBLES,
                            region(job, HMXWB_REGION_FACTOR) + c * job->k_tiles * FACTORS,
                            {0}};
        zero_points(job, r, tile.zero_points);
        multiply_tile(job, &tile);
        dma_wait(leaving[done & 1]);
        leaving[done & 1] =
            tile_results(job, &tile, columns.first + c, buffer(job, HMXWB_REGION_OUT_ROWS0, done));
      }
  }
  dma_wait(dma_started());
}

void mm_w4a8(const struct job *job) {
  const uint32_t piece = job->plan->row_tiles;
  readout_prepare(job);
  for (uint32_t b = 0; b < divide_up(job->row_tiles, piece); b++)
    block_of_rows(job, span_at(job->row_tiles, piece, b));
}
