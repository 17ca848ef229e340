/* Stages that the int4 x uint8 kernels share: see integer.h. Why the accumulator is read
 * in bytes: docs/kernels.md. */
#include "integer.h"

#include "dma.h"
#include "hmx.h"
#include "hmx_work.h"

#define EIGHTS 0x88888888u
#define LOW_NIBBLES 0x0F0F0F0F
#define ONES 0x01010101

/* A sum over K is at most 255 * 8 * K in size; three bytes hold less than 2^23. */
uint32_t readout_bytes(uint32_t k_tiles) { return k_tiles * TILE <= 0x7FFFFFu / (255 * 8) ? 3 : 4; }

static void clear(void *none) {
  (void)none;
  hmx_clear();
}

/* The convert stores bits [31:24] of the accumulator shifted left by the exponent, which
 * lies at bit 10 of the word: exponents 24, 16, 8, 0 bring out bytes 0, 1, 2, 3. */
void readout_prepare(const struct job *job) {
  uint8_t *bias = region(job, HMXWB_REGION_BIAS);
  for (int32_t i = 0; i < 4; i++) hvx_store(bias + i * (int32_t)VECTOR, Q6_V_vsplat_R((24 - 8 * i) << 10));
  hmx_run(job, clear, NULL);
}

void readout(const struct job *job, uint8_t *to, uint32_t bytes) {
  const uint8_t *bias = region(job, HMXWB_REGION_BIAS);
  for (uint32_t i = 0; i < bytes; i++) {
    hmx_load_bias(bias + i * VECTOR);
    if (i + 1 == bytes) {
      hmx_store_ub(to + i * HMX_CROUTON);
      return;
    }
#if defined(HMXWB_FAULTS)
    if (planted(job, HMXWB_FAULT_SATURATING_READOUT)) {
      hmx_store_ub_retain_saturated(to + i * HMX_CROUTON);
      continue;
    }
#endif
    hmx_store_ub_retain(to + i * HMX_CROUTON);
  }
}

void readout_line(const uint8_t *from, uint32_t line, uint32_t bytes, HVX_Vector words[4]) {
  const uint8_t *at = from + line * VECTOR;
  const HVX_Vector byte2 = hvx_load(at + 2 * HMX_CROUTON);
  const HVX_VectorPair low = Q6_W_vshuff_VVR(hvx_load(at + HMX_CROUTON), hvx_load(at), -1);
  const HVX_VectorPair high = bytes == 3 ? Q6_Wh_vunpack_Vb(byte2)
                                         : Q6_W_vshuff_VVR(hvx_load(at + 3 * HMX_CROUTON), byte2, -1);
  const HVX_VectorPair first = Q6_W_vshuff_VVR(Q6_V_lo_W(high), Q6_V_lo_W(low), -2);
  const HVX_VectorPair second = Q6_W_vshuff_VVR(Q6_V_hi_W(high), Q6_V_hi_W(low), -2);
  words[0] = Q6_V_lo_W(first);
  words[1] = Q6_V_hi_W(first);
  words[2] = Q6_V_lo_W(second);
  words[3] = Q6_V_hi_W(second);
}

/* A weight is its nibble with bit 3 flipped, minus 8; a column has 32 of them in a tile. */
HVX_Vector negated_sum(HVX_Vector so_far, const uint8_t *nibbles) {
  const HVX_Vector flip = Q6_V_vsplat_R((int32_t)EIGHTS), low = Q6_V_vsplat_R(LOW_NIBBLES);
  HVX_Vector sum = Q6_V_vzero();
  for (uint32_t v = 0; v < NIBBLES / VECTOR; v++) {
    const HVX_Vector q = Q6_V_vxor_VV(hvx_load(nibbles + v * VECTOR), flip);
    sum = Q6_Vuw_vrmpyacc_VuwVubRub(sum, Q6_V_vand_VV(q, low), ONES);
    sum = Q6_Vuw_vrmpyacc_VuwVubRub(sum, Q6_V_vand_VV(Q6_Vuh_vlsr_VuhR(q, 4), low), ONES);
  }
  return Q6_Vw_vadd_VwVw(so_far, Q6_Vw_vsub_VwVw(Q6_V_vsplat_R(8 * TILE), sum));
}

/* Each word four times, over four vectors. */
static void four_times(HVX_Vector v, HVX_Vector out[4]) {
  const HVX_VectorPair twice = Q6_W_vshuff_VVR(v, v, -4);
  const HVX_VectorPair first = Q6_W_vshuff_VVR(Q6_V_lo_W(twice), Q6_V_lo_W(twice), -4);
  const HVX_VectorPair second = Q6_W_vshuff_VVR(Q6_V_hi_W(twice), Q6_V_hi_W(twice), -4);
  out[0] = Q6_V_lo_W(first);
  out[1] = Q6_V_hi_W(first);
  out[2] = Q6_V_lo_W(second);
  out[3] = Q6_V_hi_W(second);
}

struct spread spread_factors(const uint8_t *factors) {
  struct spread s;
  four_times(hvx_load(factors), s.scale);
  four_times(hvx_load(factors + VECTOR), s.negated);
  return s;
}

static const uint8_t *fact(const struct job *job, uint32_t row_tile, uint32_t row) {
  return region(job, HMXWB_REGION_ROW_FACTS) + (row_tile * UB_ROWS + row) * sizeof(struct row_fact);
}

void zero_points(const struct job *job, uint32_t row_tile, uint32_t packed[LINES]) {
  for (uint32_t line = 0; line < LINES; line++) {
    packed[line] = 0;
    for (uint32_t r = 0; r < 4; r++) packed[line] |= vtcm_load_word(fact(job, row_tile, 4 * line + r) + 4) << 8 * r;
  }
}

static HVX_Vector scaled(const struct job *job, HVX_Vector row, uint32_t row_tile, uint32_t number) {
  if (job->problem->out_type == HMXWB_I32) return row;
  const uint32_t scale = vtcm_load_word(fact(job, row_tile, number));
  if (scale == NOT_A_NUMBER) return Q6_V_vsplat_R((int32_t)NOT_A_NUMBER);
  return hvx_multiply_sf(row, Q6_V_vsplat_R((int32_t)scale));
}

void line_to_rows(const struct job *job, const HVX_Vector words[4], uint32_t row_tile, uint32_t line, uint8_t *rows) {
  const HVX_VectorPair left = Q6_W_vdeal_VVR(words[1], words[0], -4);
  const HVX_VectorPair right = Q6_W_vdeal_VVR(words[3], words[2], -4);
  const HVX_VectorPair even = Q6_W_vdeal_VVR(Q6_V_lo_W(right), Q6_V_lo_W(left), -4);
  const HVX_VectorPair odd = Q6_W_vdeal_VVR(Q6_V_hi_W(right), Q6_V_hi_W(left), -4);
  const HVX_Vector row[4] = {Q6_V_lo_W(even), Q6_V_lo_W(odd), Q6_V_hi_W(even), Q6_V_hi_W(odd)};
  for (uint32_t r = 0; r < 4; r++)
    hvx_store(rows + (4 * line + r) * VECTOR, scaled(job, row[r], row_tile, 4 * line + r));
}

uint32_t integer_results(const struct job *job, uint32_t row, uint32_t column_tile, const uint8_t *rows) {
  const struct hmxwb_problem *p = job->problem;
  uint8_t *to = job->memory.out + (uintptr_t)row * p->out_stride + column_tile * TILE * 4;
  return dma_start(DMA_RESULT, to, p->out_stride, rows, VECTOR, least(TILE, p->n - column_tile * TILE) * 4,
                   rows_of(job, row));
}
