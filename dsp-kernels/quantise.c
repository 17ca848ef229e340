/* Activations on their way to HMX, uint8: each row with its own scale and zero point.
 *
 * For a row, lo = min(0, smallest) and hi = max(0, largest); scale = (hi - lo) / 255,
 * inverse = 255 / (hi - lo), zero point = round(-lo * inverse), and a value becomes
 * round(x * inverse) + zero point, clamped to 0..255. All in f32, every operation rounded
 * once to nearest even, and round() is to nearest even.
 * A row with hi - lo below 2^-100 becomes zeros with scale 0; a row with an infinite or NaN
 * value, or whose hi - lo overflows, becomes zeros with scale NaN, so that its results are NaN.
 */
#include "dma.h"
#include "divide.h"
#include "hvx.h"
#include "job.h"
#include "rows.h"

#define ROWS 4u /* rows of one crouton line */
#define MAGIC 0x4B400000 /* bits of 1.5 * 2^23: adding it rounds to an integer in the low bits */
#define SMALLEST_RANGE 0x0D800000u /* bits of 2^-100 */
#define INFINITE 0x7F800000

struct row_range {
  int32_t lo, hi; /* order-preserving integers */
};

struct row_scale {
  uint32_t inverse; /* bits of the f32; 0 for a row of zeros */
  uint32_t scale;
  int32_t zero_point;
};

/* Floats as integers of the same order, and back. */
static HVX_Vector ordered(HVX_Vector bits) {
  const HVX_Vector sign = Q6_Vw_vasr_VwR(bits, 31);
  return Q6_V_vxor_VV(bits, Q6_V_vand_VV(sign, Q6_V_vsplat_R(0x7FFFFFFF)));
}

static float unordered(int32_t key) { return float_of_bits((uint32_t)(key < 0 ? key ^ 0x7FFFFFFF : key)); }

/* Smallest and largest value of a row, 0 included. */
static struct row_range range_of(const uint8_t *row, uint32_t k_tiles) {
  HVX_Vector lo = Q6_V_vzero(), hi = Q6_V_vzero();
  for (uint32_t k = 0; k < k_tiles; k++) {
    const HVX_Vector key = ordered(hvx_load(row + k * VECTOR));
    lo = Q6_Vw_vmin_VwVw(lo, key);
    hi = Q6_Vw_vmax_VwVw(hi, key);
  }
  for (int32_t distance = 64; distance >= 4; distance /= 2) {
    lo = Q6_Vw_vmin_VwVw(lo, Q6_V_vror_VR(lo, distance));
    hi = Q6_Vw_vmax_VwVw(hi, Q6_V_vror_VR(hi, distance));
  }
  const struct row_range range = {Q6_R_vextract_VR(lo, 0), Q6_R_vextract_VR(hi, 0)};
  return range;
}

static struct row_scale scale_of(struct row_range range) {
  const struct row_scale infinite = {0, NOT_A_NUMBER, 0}, empty = {0, 0, 0};
  if (range.hi >= INFINITE || range.lo <= ~INFINITE) return infinite;
  const float lo = unordered(range.lo), width = unordered(range.hi) - lo;
  const uint32_t bits = bits_of_float(width);
  if (bits >= INFINITE) return infinite;
  if (bits < SMALLEST_RANGE) return empty;
  const uint32_t full = bits_of_float(255.0f), inverse = divide_f32(full, bits);
  const float scaled = -lo * float_of_bits(inverse); /* a statement of its own: not to be fused with the addition */
  const float rounded = scaled + float_of_bits(MAGIC);
  const struct row_scale s = {inverse, divide_f32(bits, full), (int32_t)(bits_of_float(rounded) - MAGIC)};
  return s;
}

/* 32 values of a row as integers around the zero point, not clamped yet. */
static HVX_Vector quantised(const uint8_t *row, uint32_t k, const struct row_scale *s) {
  if (!row || s->inverse == 0) return Q6_V_vzero();
  const HVX_Vector scaled = hvx_multiply_sf(hvx_load(row + k * VECTOR), Q6_V_vsplat_R((int32_t)s->inverse));
  const HVX_Vector rounded = hvx_add_sf(scaled, Q6_V_vsplat_R(MAGIC));
  return Q6_Vw_vsub_VwVw(rounded, Q6_V_vsplat_R(MAGIC - s->zero_point));
}

/* Four rows to one line of every crouton along k: byte 4*c + r is row r of channel c. */
static void quantise_rows(const uint8_t *const row[ROWS], const struct row_scale s[ROWS], uint8_t *line,
                          uint32_t k_tiles) {
  for (uint32_t k = 0; k < k_tiles; k++) {
    HVX_Vector w[ROWS];
    for (uint32_t r = 0; r < ROWS; r++) w[r] = quantised(row[r], k, &s[r]);
    hvx_store(line + k * HF_TILE, Q6_Vub_vsat_VhVh(Q6_Vh_vsat_VwVw(w[3], w[1]), Q6_Vh_vsat_VwVw(w[2], w[0])));
  }
}

void stage_ub(const struct job *job, struct span rows) {
  const uint32_t lines = UB_ROWS / ROWS, steps = rows.count * lines;
  struct row_feed feed;
  rows_open(&feed, job, rows.first * UB_ROWS, ROWS);
  for (uint32_t step = 0; step < steps; step++) {
    uint8_t *line = region(job, HMXWB_REGION_ACT) + step / lines * job->k_tiles * HF_TILE + step % lines * VECTOR;
    uint8_t *facts = region(job, HMXWB_REGION_ROW_FACTS) + step * ROWS * sizeof(struct row_fact);
    const uint8_t *row[ROWS];
    struct row_scale s[ROWS];
    rows_next(&feed, step, steps);
    for (uint32_t r = 0; r < ROWS; r++) {
      const struct row_range none = {0, 0};
      row[r] = rows_at(&feed, step, r);
      s[r] = scale_of(row[r] ? range_of(row[r], job->k_tiles) : none);
      vtcm_store_word(facts + r * sizeof(struct row_fact), s[r].scale);
      vtcm_store_word(facts + r * sizeof(struct row_fact) + 4, (uint32_t)s[r].zero_point);
    }
    quantise_rows(row, s, line, job->k_tiles);
  }
}
