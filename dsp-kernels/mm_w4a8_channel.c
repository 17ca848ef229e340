/* mm_w4a8_channel: int4 x uint8, one scale for each column: HMX adds up all of K, one readout a tile. */
#include "dma.h"
#include "hmx.h"
#include "hmx_work.h"
#include "integer.h"

/* One output tile of a block of rows and a chunk of columns. */
struct place {
  uint32_t row_tile; /* within the block of rows */
  uint32_t column; /* within the chunk */
};

struct chunk {
  struct span rows;
  struct span columns;
  const uint8_t *weight;
};

static struct place place_of(const struct chunk *chunk, uint32_t i) {
  const struct place p = {i / chunk->columns.count, i % chunk->columns.count};
  return p;
}

/* Tiles, and behind all tiles of the matrix the scales. */
static uint32_t start_weights(const struct job *job, struct span columns, uint32_t parity) {
  const uint32_t depth = job->k_tiles * NIBBLES;
  const uint8_t *tiles = job->memory.weight;
  const uint8_t *scales = tiles + (uintptr_t)job->column_tiles * depth;
  (void)dma_start(DMA_WEIGHT, buffer(job, HMXWB_REGION_RAW0, parity), depth, tiles + (uintptr_t)columns.first * depth,
                  depth, depth, columns.count);
  return dma_start(DMA_WEIGHT, buffer(job, HMXWB_REGION_SCALE0, parity), VECTOR, scales + columns.first * VECTOR,
                   VECTOR, VECTOR, columns.count);
}

static void factor_columns(const struct job *job, uint32_t parity, uint32_t count) {
  const uint8_t *nibbles = buffer(job, HMXWB_REGION_RAW0, parity);
  const uint8_t *scales = buffer(job, HMXWB_REGION_SCALE0, parity);
  uint8_t *factors = region(job, HMXWB_REGION_FACTOR);
  for (uint32_t c = 0; c < count; c++) {
    const HVX_Vector scale = hvx_load(scales + c * VECTOR);
    HVX_Vector negated = Q6_V_vzero();
    for (uint32_t k = 0; k < job->k_tiles; k++)
      negated = negated_sum(negated, nibbles + (c * job->k_tiles + k) * NIBBLES);
    hvx_store(factors + c * FACTORS, planted(job, HMXWB_FAULT_NEIGHBOUR_SCALE) ? Q6_V_vror_VR(scale, 4) : scale);
    hvx_store(factors + c * FACTORS + VECTOR, negated);
  }
}

struct product {
  const struct job *job;
  const struct chunk *chunk;
  uint32_t tile;
};

/* HMX: all of K, then the readout. */
static void multiply(void *data) {
  const struct product *product = data;
  const struct job *job = product->job;
  const struct place p = place_of(product->chunk, product->tile);
  const uint8_t *act = region(job, HMXWB_REGION_ACT) + p.row_tile * job->k_tiles * HMX_CROUTON;
  const uint8_t *weight = product->chunk->weight + p.column * job->k_tiles * NIBBLES;
  for (uint32_t k = 0; k < job->k_tiles; k += HMX_DEEP_MAX)
    hmx_multiply_n_deep(act + k * HMX_CROUTON, weight + k * NIBBLES, least(HMX_DEEP_MAX, job->k_tiles - k));
  readout(job, buffer(job, HMXWB_REGION_READ0, product->tile), readout_bytes(job->k_tiles));
}

/* HVX: zero point, column scale, row scale; and off to memory. */
static uint32_t finish(const struct job *job, const struct chunk *chunk, uint32_t i, uint8_t *rows) {
  const struct place p = place_of(chunk, i);
  const uint32_t row = (chunk->rows.first + p.row_tile) * UB_ROWS;
  const struct spread f = spread_factors(region(job, HMXWB_REGION_FACTOR) + p.column * FACTORS);
  const uint8_t *read = buffer(job, HMXWB_REGION_READ0, i);
  uint32_t zeros[LINES];
  zero_points(job, p.row_tile, zeros);
  for (uint32_t line = 0; line < divide_up(rows_of(job, row), 4); line++) {
    HVX_Vector words[4];
    readout_line(read, line, readout_bytes(job->k_tiles), words);
    for (uint32_t j = 0; j < 4; j++) {
      words[j] = Q6_Vw_vmpyiacc_VwVwRub(words[j], f.negated[j], (int32_t)zeros[line]);
      if (job->problem->out_type != HMXWB_I32) words[j] = hvx_multiply_sf(Q6_Vsf_equals_Vw(words[j]), f.scale[j]);
    }
    line_to_rows(job, words, p.row_tile, line, rows);
  }
  return integer_results(job, row, chunk->columns.first + p.column, rows);
}

/* Tile i is finished by HVX while HMX is at tile i+1: different buffers, either order. */
static void multiply_chunk(const struct job *job, const struct chunk *chunk, dma_ticket leaving[2]) {
  const uint32_t tiles = chunk->rows.count * chunk->columns.count;
  struct product product = {job, chunk, 0};
  hmx_run(job, multiply, &product);
  for (uint32_t i = 0; i < tiles; i++) {
    struct hmx_work next = HMX_NO_WORK;
    product.tile = i + 1;
    if (i + 1 < tiles) next = hmx_start(job, multiply, &product);
    dma_wait(leaving[i & 1]);
    leaving[i & 1] = finish(job, chunk, i, buffer(job, HMXWB_REGION_OUT_ROWS0, i));
    hmx_wait(next);
  }
}

static void block_of_rows(const struct job *job, struct span rows) {
  const uint32_t piece = job->plan->column_tiles, chunks = divide_up(job->column_tiles, piece);
  dma_ticket coming = start_weights(job, span_at(job->column_tiles, piece, 0), 0);
  dma_ticket leaving[2] = {DMA_NO_TICKET, DMA_NO_TICKET};
  stage_ub(job, rows);
  for (uint32_t c = 0; c < chunks; c++) {
    const uint32_t stale = planted(job, HMXWB_FAULT_STALE_BUFFER) ? 0 : c;
    const struct chunk chunk = {rows, span_at(job->column_tiles, piece, c), buffer(job, HMXWB_REGION_RAW0, stale)};
    const dma_ticket here = coming;
    if (c + 1 < chunks) coming = start_weights(job, span_at(job->column_tiles, piece, c + 1), c + 1);
    if (!planted(job, HMXWB_FAULT_NO_WAIT)) dma_wait(here);
    plant_in_n_tiles(job, buffer(job, HMXWB_REGION_RAW0, c), chunk.columns.count * job->k_tiles);
    factor_columns(job, c, chunk.columns.count);
    multiply_chunk(job, &chunk, leaving);
  }
  dma_wait(dma_started());
}

void mm_w4a8_channel(const struct job *job) {
  const uint32_t piece = job->plan->row_tiles;
  readout_prepare(job);
  for (uint32_t b = 0; b < divide_up(job->row_tiles, piece); b++)
    block_of_rows(job, span_at(job->row_tiles, piece, b));
}
